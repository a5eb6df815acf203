/** Reading the command line, in the words that the terminal's game knows too. */

import type { Language } from "./i18n.svelte";
import { COMMANDS, SHAPES, TILE_WORDS } from "./commandWords";

export type Verb = keyof typeof COMMANDS;

export interface Line {
  verb: Verb;
  /** What follows the word, in the notation. */
  rest: string;
}

const VERBS = Object.keys(COMMANDS) as Verb[];
const TILES: ReadonlyMap<string, string> = new Map(Object.entries(TILE_WORDS));
const MARKED = "çğıöşüâîûÇĞİIÖŞÜÂÎÛ";
const PLAIN = "cgiosuaiucgiiosuaiu";

/** A word in small letters without the marks of Turkish, so that either spelling is read. */
function fold(word: string): string {
  return word.replace(/./gu, (letter) => PLAIN[MARKED.indexOf(letter)] ?? letter).toLowerCase();
}

/** Whether a phrase means a command; single letters of Turkish do in Turkish alone. */
function means(verb: Verb, phrase: string, language: Language): boolean {
  const { en, tr }: { en: readonly string[]; tr: readonly string[] } = COMMANDS[verb];
  return en.includes(phrase) || (tr.includes(phrase) && (language === "tr" || phrase.length > 1));
}

/** The command in a line; null where its first word is none. */
export function readCommand(line: string, language: Language): Line | null {
  const words = line.trim().split(/\s+/);
  for (const length of [2, 1]) {
    if (words.length < length) continue;
    const phrase = words.slice(0, length).map(fold).join(" ");
    const verb = VERBS.find((one) => means(one, phrase, language));
    if (verb) return { verb, rest: inNotation(words.slice(length)) };
  }
  return null;
}

/** Words with the tiles named in them turned into the notation: `kırmızı 5` is `R5`. */
function inNotation(words: string[]): string {
  const found: string[] = [];
  for (let at = 0; at < words.length;) {
    const pair = TILES.get(
      words
        .slice(at, at + 2)
        .map(fold)
        .join(" "),
    );
    const tile = pair ?? TILES.get(fold(words[at] ?? ""));
    at += pair ? 2 : 1;
    if (tile === undefined) found.push((words[at - 1] ?? "").toUpperCase());
    else found.push("RYBK".includes(tile) ? `${tile}${words[at++] ?? ""}` : tile);
  }
  return found.join(" ");
}

/** How a command is written, as an example: `işle K5 > 3`. */
export function shapeOf(verb: Verb, language: Language): string {
  return SHAPES[verb][language];
}
