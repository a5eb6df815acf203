/** Which screen an address stands for. */

/** Screens that go by their own word. */
const PLAIN = [
  "matches",
  "day",
  "rules",
  "learn",
  "position",
  "puzzle",
  "friends",
  "family",
  "ladder",
  "profile",
  "settings",
  "account",
  "privacy",
] as const;

type Other = "start" | "table" | "create" | "replay" | "challenge" | "nowhere";
export type Screen = (typeof PLAIN)[number] | Other;

/** Screens of one table, one match, one day, one challenge. */
const OF: ReadonlyMap<string, Screen> = new Map([
  ["t", "table"],
  ["m", "replay"],
  ["day", "day"],
  ["c", "challenge"],
  ["u", "profile"],
  ["f", "family"],
]);

/** The titles that don't go by the screen's own word. */
const TITLES: Partial<Record<Screen, string>> = {
  table: "page-title-table",
  create: "page-new-table",
  matches: "page-my-matches",
  nowhere: "page-not-found",
};

/** The key of a screen's title; the start page is named after the game. */
export function titleOf(screen: Screen): string | null {
  return screen === "start" ? null : (TITLES[screen] ?? `page-${screen}`);
}

/** The screen of a path, and which table or match it is about. */
export function screenOf(path: string): { screen: Screen; id: string } {
  const [first, id, ...rest] = path.split("/").filter((part) => part !== "");
  if (first === undefined) return { screen: "start", id: "" };
  if (rest.length > 0) return { screen: "nowhere", id: "" };
  if (id !== undefined) {
    return { screen: OF.get(first) ?? "nowhere", id };
  }
  const screen = first === "new" ? "create" : PLAIN.find((one) => one === first);
  return { screen: screen ?? "nowhere", id: "" };
}
