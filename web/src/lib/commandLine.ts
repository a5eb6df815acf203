/** What a line of the command line does: an action in the notation, or one of the page's words. */

import { readCommand, shapeOf, type Verb } from "./commands";
import { t, texts } from "./i18n.svelte";
import { Refusal } from "./refusal";
import type { Moves } from "./tableActions.svelte";
import { tilesWords } from "./words";

/** Do a line of the command line; its answer is said, and stays to be read in `moves.answer`. */
export async function command(moves: Moves, line: string): Promise<void> {
  const text = line.trim();
  if (text !== "") await moves.answering(() => done(moves, text));
}

/** Commands that nothing follows. */
const BARE: ReadonlySet<Verb | null> = new Set([
  "rack",
  "table",
  "sort-melds",
  "sort-pairs",
  "ready",
  "lay-all",
] as const);

async function done(moves: Moves, text: string): Promise<void> {
  const { game } = moves;
  const { verb, rest } = readCommand(text, texts.language) ?? { verb: null, rest: "" };
  const shape = verb ? shapeOf(verb, texts.language) : "";
  if (rest !== "" && BARE.has(verb)) {
    moves.refused(new Refusal({ code: "bad-action", message: "", rule: null, details: {} }), shape);
    return;
  }
  switch (verb) {
    case "help":
      moves.reply(t("page-command-help"));
      return;
    case "rack":
      moves.reply(tilesWords(game.you?.hand ?? "", game.okey));
      return;
    case "table":
      moves.reply(
        (game.deal?.groups ?? [])
          .map((group, index) => `${index + 1}: ${tilesWords(group.tiles, game.okey)}`)
          .join("; ") || t("page-table-empty"),
      );
      return;
    case "open":
    case "open-pairs":
    case "meld":
      if (rest === "") {
        const kind = verb === "open" ? "melds" : "pairs";
        await moves.open(verb === "meld" ? (game.opened ?? "melds") : kind);
        return;
      }
      break;
    case "sort-melds":
      await moves.arrange("points");
      return;
    case "sort-pairs":
      await moves.arrange("pairs");
      return;
    case "ready":
      if (await moves.send({ type: "ready" })) moves.reply(t("page-done"));
      return;
    case "discard":
      if (await moves.discard(rest, shape)) moves.reply(t("page-done"));
      return;
    case "lay-all":
      await moves.layAll();
      return;
    case "back":
      if (rest === "" && game.options?.backs.length) {
        await moves.takeBack();
        return;
      }
      break;
    case "lay":
      if (rest === "") {
        await moves.layAll();
        return;
      }
      break;
    default:
      break;
  }
  // `lay K5 3` is short for `lay K5 > 3`.
  const what = rest.replace(/^(\S+) (\d+)$/, verb === "lay" || verb === "swap" ? "$1 > $2" : "$&");
  const word = verb === "open" || verb === "open-pairs" ? "meld" : verb;
  const action = word === null ? text : `${word} ${what}`.trim();
  if (await moves.act(action, shape)) moves.reply(t("page-done"));
}
