/** Reading the command line: the words the terminal's game knows too, in either language. */

import type { Language } from "./i18n.svelte";

export type Verb = keyof typeof PHRASES;

export interface Command {
  verb: Verb;
  /** What follows the word, its tiles in capitals. */
  rest: string;
}

const PHRASES = {
  draw: "d, draw, cek, yerden, yerden cek",
  take: "t, take, al, yandan, yandan al",
  return: "r, return, birak, geri birak",
  open: "o, open, ac, el ac",
  pairs: "op, open pairs, pairs, ca, cift ac, cift",
  meld: "m, meld, ser, per, indir",
  lay: "l, lay, isle",
  layAll: "la, lay all, it, isle tumu, tumunu isle",
  discard: "x, discard, at",
  back: "b, back, undo, ga, geri al",
  announce: "announce, soyle",
  pass: "p, pass, gec, pas",
  indicator: "indicator, gosterge",
  swap: "swap, degis, okey al",
  sort: "s, sort, sort melds, diz, sd, seri diz, seri",
  sortPairs: "sp, sort pairs, cd, cift diz",
  ready: "ready, hazir",
  table: "table, masa",
  hand: "hand, rack, el, istaka",
  help: "help, ?, yardim",
};
/** Single letters that mean something in Turkish alone. */
const TURKISH: Readonly<Record<string, Verb>> = {
  c: "draw",
  y: "take",
  g: "return",
  a: "open",
  i: "lay",
};
const WORDS = new Map(
  (Object.entries(PHRASES) as [Verb, string][]).flatMap(([verb, phrases]) =>
    phrases.split(", ").map((phrase) => [phrase, verb] as const),
  ),
);
const MARKED = "çğıöşüâîûÇĞİIÖŞÜÂÎÛ";
const PLAIN = "cgiosuaiucgiiosuaiu";

/** A word in small letters without the marks of Turkish, so that either spelling is read. */
function fold(word: string): string {
  return word.replace(/./gu, (letter) => PLAIN[MARKED.indexOf(letter)] ?? letter).toLowerCase();
}

/** The command in a line; null where its first word is none. */
export function readCommand(line: string, language: Language): Command | null {
  const words = line.trim().split(/\s+/);
  for (const length of [2, 1]) {
    if (words.length < length) continue;
    const phrase = words.slice(0, length).map(fold).join(" ");
    const verb = WORDS.get(phrase) ?? (language === "tr" ? TURKISH[phrase] : undefined);
    if (verb) return { verb, rest: words.slice(length).join(" ").toUpperCase() };
  }
  return null;
}
