/** The guided first deal: a recorded deal that answers as its server would have. */

import recorded from "../lessons/first.json";
import type { Events } from "./connection";
import { Game, type Line } from "./game.svelte";
import { buttonFor, placeOf, sameAction, slotWith } from "./guide";
import { t } from "./i18n.svelte";
import { keptName, me } from "./me.svelte";
import type { Answer, Command, DealView, Question, TableView, You } from "./protocol";
import { Refusal } from "./refusal";
import { mayMove } from "./settings.svelte";

/** What is to be done at a moment of the recorded deal; `look` is only to be read. */
interface Step {
  name: "okey" | "joker" | "rack" | "draw" | "discard" | "open" | "fine" | "lay" | "finish";
  at: number;
  goal: "arrange" | "act" | "look";
}

export const STEPS: readonly Step[] = [
  { name: "okey", at: 0, goal: "look" },
  { name: "joker", at: 0, goal: "look" },
  { name: "rack", at: 0, goal: "arrange" },
  { name: "draw", at: 0, goal: "act" },
  { name: "discard", at: 1, goal: "act" },
  { name: "open", at: 3, goal: "act" },
  { name: "fine", at: 5, goal: "look" },
  { name: "lay", at: 5, goal: "act" },
  { name: "finish", at: 6, goal: "act" },
];

interface Moment {
  /** What led here from the moment before: what changed by each turn, and the own hand then. */
  before?: { deal: Partial<DealView>; hand: string }[];
  /** What the table shows otherwise than at the beginning. */
  table?: Partial<TableView>;
  deal: DealView;
  you: You | null;
  answers?: Partial<Record<"points" | "pairs" | "options" | "check", Partial<Answer>>>;
  action: string | null;
}

const { table, moments } = recorded as unknown as { table: TableView; moments: Moment[] };
export const LESSON = "learn";
/** So long each of the turns is seen that lead from one moment to the next. */
const TURN = 300;

/** The tile that the recorded player has taken at a moment, or throws or lays then. */
export function tileAt(moment: number): string {
  const { deal, action } = moments[moment] ?? {};
  return deal?.taken ?? (action ?? "").split(" ")[1] ?? "";
}

export class Lesson implements Line {
  /** Which step is shown; as many as there are once all are done. */
  number = $state(0);
  /** Whether what the step asks for was done. */
  done = $state(false);
  readonly game: Game;
  #moment = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #seq = 1;
  #events: Events | null = null;

  constructor() {
    localStorage.removeItem(`okey101.rack.${LESSON}`); // another lesson's arrangement
    this.game = new Game(LESSON, (events) => {
      this.#events = events;
      return this;
    });
    this.#events?.status("open", null);
    this.#show(0);
  }

  /** Show the moment again, with the words that are known by now. */
  again(): void {
    this.#show(this.#moment);
  }

  get step(): Step | null {
    return STEPS[this.number] ?? null;
  }

  /** Whether all is done: the sheet is shown. */
  get over(): boolean {
    return this.step === null || (this.step.name === "finish" && this.done);
  }

  /** What the step is about: to be looked at, or to be touched next. */
  place(): Element | null {
    const { step, game } = this;
    if (!step || this.done || this.#timer !== undefined) return null;
    if (step.name === "okey") return document.querySelector(".centre .tile");
    if (step.name === "joker") return slotWith("F", game);
    if (step.name === "fine") return slotWith(tileAt(step.at), game);
    const unsorted = step.name === "open" && game.melds.points < 101;
    return step.goal === "arrange" || unsorted
      ? buttonFor("sort-melds")
      : placeOf(moments[step.at]?.action ?? "", game);
  }

  /** Go on; what was not done has happened by the next step. */
  next(): void {
    this.number += 1;
    this.done = false;
    const at = this.step?.at ?? moments.length - 1;
    if (at !== this.#moment || this.#timer !== undefined) this.#lead(at);
  }

  /** Show what led to a moment, a turn at a time, and then the moment. */
  #lead(moment: number, turn = 0, from = moments[moment - 1]?.deal): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { before, you } = moments[moment] as Moment;
    const next = mayMove("motion-tiles") ? before?.[turn] : undefined;
    if (!next || !from || !you) {
      this.#show(moment);
      return;
    }
    this.#moment = moment;
    const deal = { ...from, ...next.deal };
    this.#tell(deal, { seat: you.seat, hand: next.hand } as You);
    this.#timer = setTimeout(() => this.#lead(moment, turn + 1, deal), TURN);
  }

  #show(moment: number): void {
    this.#moment = moment;
    const { deal, you, table: changed } = moments[moment] as Moment;
    this.#tell(deal, you, changed);
  }

  #tell(deal: DealView, you: You | null, changed: Moment["table"] = {}): void {
    this.#seq += 1;
    const here = table.seats.map(() => true);
    const seats = table.seats.map((seat) =>
      seat.bot ? seat : { ...seat, name: me.user?.name ?? (keptName() || t("learn-you")) },
    );
    this.#events?.message({
      type: "view",
      seq: this.#seq,
      at: Date.now(),
      table: { ...table, ...changed, seats },
      deal,
      you,
      here,
    });
  }

  #refuse(): never {
    const message = t(this.done ? "learn-go-on" : "learn-other");
    throw new Refusal({ code: "lesson", message, rule: null, details: {} });
  }

  // What a table's connection does ----------------------------------------------------------------

  async command(command: Command): Promise<number | null> {
    await Promise.resolve();
    if (command.type !== "act") return null;
    const wanted = moments[this.#moment]?.action;
    const asked = this.step?.goal === "act" && this.step.at === this.#moment;
    if (!asked || !wanted || !sameAction(command.action, wanted)) this.#refuse();
    this.done = true;
    this.#show(this.#moment + 1);
    return this.#seq;
  }

  async ask(question: Question): Promise<Answer> {
    await Promise.resolve();
    const { answers, you, action } = moments[this.#moment] as Moment;
    const { what } = question;
    let found: Partial<Answer> | undefined;
    if (what === "arrange") {
      found = answers?.[question.aim === "pairs" ? "pairs" : "points"];
      if (this.step?.goal === "arrange" && question.aim !== "pairs") this.done = true;
    } else if (what === "options") found = answers?.options;
    else if (what === "check" && action && sameAction(question.action ?? "", action)) {
      found = answers?.check;
    } else if (what === "places") {
      const lay = (you?.options?.lays ?? []).filter((one) => {
        return one === `lay ${question.tile} > ${question.group}`;
      });
      if (lay.length > 0) found = { what, actions: lay, error: null };
    }
    if (!found) this.#refuse();
    return { type: "answer", rid: "", what, ...found };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#events = null;
  }
}
