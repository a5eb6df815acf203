/** A finished deal told to the table once more, and moments of it to be played better. */

import type { DealAnswer, MatchLine } from "./api";
import type { Decision, WeighedMove } from "./answers";
import { botOf } from "./botNames";
import type { Events } from "./connection";
import { Game, type Line } from "./game.svelte";
import { sameAction } from "./guide";
import { t } from "./i18n.svelte";
import type { Answer, Command, DealView, OptionsView, Question, TableView } from "./protocol";
import { Refusal } from "./refusal";
import { isBot, seatWords } from "./rules";
import { tilesIn } from "./tiles";

const STORY = "replay";

/** A sorted hand, as the server tells it: its groups, and the rest. */
function partsOf(hand: string): { groups: string[]; left: string } {
  const parts = ` ${hand} `.split(" / ").map((part) => part.trim());
  return { groups: parts.slice(0, -1), left: parts.at(-1) ?? "" };
}

/** What came of a try: the move, and what it costs against the best; null where nobody weighed it. */
export interface Tried {
  action: string;
  move: WeighedMove | null;
  /** How many points it is better than what was played. */
  gain: number;
}

export class Story implements Line {
  readonly game: Game;
  /** The deal that is told. */
  played = $state.raw() as DealAnswer;
  /** The choice that is to be made better; null where the deal is only looked at. */
  trial = $state.raw<Decision | null>(null);
  tried = $state.raw<Tried | null>(null);
  #events: Events | null = null;
  #seq = 0;
  #at = -1;
  #hand = "";
  #deal: DealView | null = null;

  constructor(
    readonly match: MatchLine,
    played: DealAnswer,
  ) {
    this.played = played;
    localStorage.removeItem(`okey101.rack.${STORY}`); // another deal's arrangement
    this.game = new Game(STORY, (events) => {
      this.#events = events;
      return this;
    });
    this.game.watched = true;
    this.#events?.status("open", null);
  }

  who(seat: number): string {
    return seatWords(this.match.seats, this.match.table, seat);
  }

  /** Go on with another deal of the match. */
  turnTo(played: DealAnswer): void {
    this.played = played;
    this.#at = -1;
  }

  /** The open side and all hands after so many actions. */
  position(at: number): { deal: DealView; hands: string[] } {
    let { deal } = this.played;
    const hands = [...this.played.hands];
    for (const step of this.played.steps.slice(0, at)) {
      const actions = [...deal.actions, `${step.seat}: ${step.action}`];
      deal = { ...deal, ...step.deal, actions };
      for (const [seat, tiles] of Object.entries(step.hands)) hands[Number(seat)] = tiles;
    }
    return { deal, hands };
  }

  /** Show the deal after so many actions to a seat; the next action is seen as it happens. */
  show(at: number, seat: number, trial: Decision | null = null): void {
    const { deal, hands } = this.position(at);
    const hand = hands[seat] ?? "";
    const step = this.played.steps[at - 1];
    const on = at === this.#at + 1 && seat === this.game.seat && !trial && !this.trial;
    this.trial = trial;
    this.tried = null;
    this.game.mine = this.match.seat === seat;
    this.#hand = hand;
    this.#deal = deal;
    this.#at = at;
    this.#seq += 1;
    const tiles = tilesIn(hand)
      .filter((tile) => tile !== "/")
      .join(" ");
    if (on && step) {
      this.#events?.message({
        type: "event",
        seq: this.#seq,
        at: Date.now(),
        what: { kind: "act", seat: step.seat, actions: [step.action], by: "user" },
        deal: step.deal,
        ...(step.hands[seat] === undefined ? {} : { you: { seat, hand: tiles } }),
      });
    } else {
      this.#events?.message({
        type: "view",
        seq: this.#seq,
        at: Date.now(),
        table: this.#table(at),
        deal,
        you: { seat, hand: tiles, ...(trial ? { options: this.#options(tiles) } : {}) },
        here: this.match.seats.map(() => true),
      });
    }
    if (step?.hands[seat] !== undefined || !on) this.game.putOnRack(this.#arranged());
  }

  #arranged(): Answer {
    return { type: "answer", rid: "", what: "arrange", ...partsOf(this.#hand) };
  }

  #table(at: number): TableView {
    const { rules, result, number, steps } = this.played;
    const { seats, faces, table } = this.match;
    const none = seats.map(() => 0);
    const people = seats.filter((seat) => !isBot(seat));
    const scores = at === steps.length && result ? result.scores : none;
    return {
      id: STORY,
      stage: "playing",
      options: { rules, deals: this.match.deals, clock: 0, assisted: false, phrases: false },
      seats: seats.map((seat, at) => ({
        name: this.who(at),
        face: isBot(seat) ? botOf(table, at, people) : (faces[at] ?? undefined),
        bot: seat?.startsWith("bot:") ? seat.slice("bot:".length) : null,
      })),
      match: this.match.number,
      deadline: null,
      turn_since: 0,
      commitment: null,
      round: null,
      scores: { counted: number, totals: [...scores], teams: null, places: none, deals: [] },
    } as unknown as TableView;
  }

  #needs(): { need_points: number; need_pairs: number } {
    const { open_points, open_pairs, rising } = this.played.rules;
    const { points = 0, pairs = 0 } = this.#deal?.highest ?? {};
    const need = (least: unknown, highest: number): number =>
      Math.max(Number(least), rising === true ? highest + 1 : 0);
    return { need_points: need(open_points, points), need_pairs: need(open_pairs, pairs) };
  }

  #options(tiles: string): OptionsView {
    const actions = (this.trial?.weighed ?? []).map((one) => one.action);
    const drawing = this.#deal?.phase === "draw";
    const has = (action: string): boolean => actions.includes(action);
    return {
      draw: drawing && (has("draw") || !has("pass")),
      take: has("take"),
      return: has("return"),
      announce: has("announce"),
      pass: has("pass"),
      indicator: has("indicator"),
      opening: { ...this.#needs(), best_points: 0, best_pairs: 0 },
      lays: actions.filter((action) => action.startsWith("lay ")),
      backs: [],
      discards: drawing
        ? []
        : [...new Set(tilesIn(tiles))].map((tile) => ({ tile, rule: null, points: 0 })),
    } as OptionsView;
  }

  // What a table's connection does ----------------------------------------------------------------

  async command(command: Command): Promise<number | null> {
    await Promise.resolve();
    if (command.type !== "act") return null;
    if (!this.trial || !this.game.options) {
      const message = t("page-replay-look");
      throw new Refusal({ code: "replay", message, rule: null, details: {} });
    }
    const { weighed, loss } = this.trial;
    const move = weighed.find((one) => sameAction(one.action, command.action)) ?? null;
    this.tried = {
      action: move?.action ?? command.action,
      move,
      gain: move ? loss.mean - move.loss.mean : 0,
    };
    // The best is found: there is nothing left to play.
    const { you } = this.game;
    if (move && move.loss.mean <= 0 && you) this.game.you = { seat: you.seat, hand: you.hand };
    return null;
  }

  async ask(question: Question): Promise<Answer> {
    await Promise.resolve();
    const { what } = question;
    const answer = { type: "answer", rid: "", what } as const;
    if (what === "arrange") return this.#arranged();
    if (what === "places") {
      const action = `lay ${question.tile ?? ""} > ${String(question.group)}`;
      return { ...answer, actions: [action], error: null };
    }
    const opened = this.#deal?.opened[this.game.seat ?? 0] ?? null;
    return {
      ...answer,
      opening: opened ? null : this.#needs(),
      kinds: opened ? [opened] : ["melds", "pairs"],
    } as Answer;
  }

  again(): void {
    // There is no line that could be lost.
  }

  close(): void {
    // Another table may show it next.
  }
}
