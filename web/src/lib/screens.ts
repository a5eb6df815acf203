/** Which screen an address stands for. */

export type Screen =
  | "start"
  | "table"
  | "create"
  | "matches"
  | "replay"
  | "position"
  | "rules"
  | "learn"
  | "settings"
  | "account"
  | "privacy"
  | "nowhere";

const PLAIN: Readonly<Record<string, Screen>> = {
  new: "create",
  matches: "matches",
  rules: "rules",
  learn: "learn",
  position: "position",
  settings: "settings",
  account: "account",
  privacy: "privacy",
};
const NAMED: Readonly<Record<string, Screen>> = { t: "table", m: "replay" };

/** The key of each screen's title; the start page is named after the game. */
export const TITLES: Readonly<Record<Screen, string | null>> = {
  start: null,
  table: "page-title-table",
  create: "page-new-table",
  matches: "page-my-matches",
  replay: "page-replay",
  position: "page-position",
  rules: "page-rules",
  learn: "page-learn",
  settings: "page-settings",
  account: "page-account",
  privacy: "page-privacy",
  nowhere: "page-not-found",
};

/** The screen of a path, and which table or match it is about. */
export function screenOf(path: string): { screen: Screen; id: string } {
  const [first, id, ...rest] = path.split("/").filter((part) => part !== "");
  if (first === undefined) return { screen: "start", id: "" };
  if (rest.length > 0) return { screen: "nowhere", id: "" };
  const found = id === undefined ? Object.entries(PLAIN) : Object.entries(NAMED);
  return { screen: found.find(([word]) => word === first)?.[1] ?? "nowhere", id: id ?? "" };
}
