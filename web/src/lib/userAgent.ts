/** What a session's browser calls itself, shortened. */

/** The first that fits counts: most browsers name others as well. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];
const LONGEST = 40;

/** `Firefox · Windows`; for a program the beginning of its name, nothing where there is none. */
export function shortAgent(agent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? [],
  );
  return found.length > 0 ? found.join(" · ") : agent.trim().slice(0, LONGEST);
}
