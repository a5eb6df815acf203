/** The rules as pictures: what lies on each card. Its words are in the catalogue `cards`. */

/** A row of tiles in the notation; `good` false is one that the rules refuse. */
export interface CardRow {
  tiles: string;
  good?: boolean;
  /** What the row leads to, after an arrow. */
  to?: string;
}

export interface RuleCard {
  name: string;
  /** The rules that it shows. */
  rules: readonly string[];
  /** What an okey counts as on this card. */
  okey?: string;
  rows: readonly CardRow[];
}

export const CARDS: readonly RuleCard[] = [
  { name: "tiles", rules: ["T1"], rows: [{ tiles: "R1 Y5 B9 K13 F" }] },
  { name: "okey", rules: ["J1", "J3"], okey: "B13", rows: [{ tiles: "B12", to: "*B13" }] },
  { name: "joker", rules: ["J2"], okey: "B13", rows: [{ tiles: "F", to: "B13" }] },
  {
    name: "set",
    rules: ["M1"],
    rows: [
      { tiles: "R7 Y7 K7", good: true },
      { tiles: "B10 R10 B10", good: false },
    ],
  },
  {
    name: "run",
    rules: ["M2"],
    rows: [
      { tiles: "B4 B5 B6 B7", good: true },
      { tiles: "K13 K1 K2", good: false },
    ],
  },
  {
    name: "open",
    rules: ["O1", "P3"],
    rows: [
      { tiles: "R7 R8 R9" },
      { tiles: "R11 Y11 B11" },
      { tiles: "K13 Y13 R13" },
      { tiles: "B1 B2 B3" },
    ],
  },
  {
    name: "pairs",
    rules: ["O2", "M3", "M5"],
    rows: [
      { tiles: "R1 R1" },
      { tiles: "Y4 Y4" },
      { tiles: "B8 B8" },
      { tiles: "K9 K9" },
      { tiles: "R13 R13" },
    ],
  },
  { name: "turn", rules: ["U1", "U2"], rows: [{ tiles: "Y6", to: "Y4 Y5 Y6" }] },
  { name: "lay", rules: ["O3", "M4"], rows: [{ tiles: "K7", to: "K4 K5 K6 K7" }] },
  {
    name: "fines",
    rules: ["P1", "P2"],
    okey: "B13",
    rows: [
      { tiles: "*", good: false },
      { tiles: "K7", good: false },
    ],
  },
  { name: "finish", rules: ["E1", "C1"], okey: "B13", rows: [{ tiles: "R3" }, { tiles: "*" }] },
  { name: "unopened", rules: ["C1"], rows: [{ tiles: "R2 Y9 K5" }] },
  { name: "kept", rules: ["C2", "P5"], okey: "B13", rows: [{ tiles: "*" }] },
];
