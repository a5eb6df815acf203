/** What the player's gestures mean at the table: the same for drag, tap, key and command. */

import type { Game, GroupKind } from "./game.svelte";
import { t, texts } from "./i18n.svelte";
import { rememberLeft } from "./leftTable";
import type { Command } from "./protocol";
import { rowsOf } from "./rack";
import { Refusal, type Refused } from "./refusal";
import { play } from "./sounds";
import { tilesIn } from "./tiles";
import { tileWords } from "./words";

/** One of several answers, shown with the piece that it lays. */
export interface Choice {
  text: string;
  piece: string;
  go: () => void;
}

export interface Question {
  text: string;
  /** What a yes does, in a word or two for its button. */
  does: string;
  yes: () => void;
  /** What to choose from, in place of a yes. */
  choices?: Choice[];
  /** Whether there still is something to ask; always, where this is left out. */
  stands?: () => boolean;
}

/** What an action costs, by which rule. */
interface Cost {
  points: number;
  rule?: string | null;
}

/** How long what was just said is shown before what stays, in milliseconds. */
const LASTING = 4000;

export class Moves {
  #asked = $state.raw<Question | null>(null);
  /** Whether the server has yet to say if what is arranged may be laid. */
  #asking = false;
  /** The last thing worth saying, for the eye and for the screen reader. */
  notice = $state("");
  /** What came of the last line of the command line, until the next thing that the player does. */
  answer = $state("");
  /** How many such lines are being done. */
  #commanded = 0;
  /** How many actions wait for what comes of them. */
  #underway = 0;
  /** Whether a discard is on its way. */
  throwing = false;
  /** What is shown when other words have gone: the left neighbour's discard, or what the clock did. */
  stays = $state("");
  /** Whether nothing may be shown instead of it, for as long as it is new. */
  #firm = $state(false);
  /** Whether the notice is so new that it is shown before what stays. */
  #fresh = $state(false);
  /** The notice that is for screen readers alone. */
  #heard = $state("");
  /** How often something was not done: each time the words are shown anew. */
  denials = $state(0);
  /** Why something was not done, as it was said last. */
  #denied = "";
  /** The moment of the match that the notice was for. */
  #at = "";
  #fading: ReturnType<typeof setTimeout> | undefined;
  /** What must not be missed: the player's turn, a fine, an error. */
  alarm = $state("");

  constructor(readonly game: Game) {}

  /** Something to confirm before it is done: what it costs, and why. */
  get question(): Question | null {
    return this.#asked?.stands?.() === false ? null : this.#asked;
  }

  set question(question: Question | null) {
    this.#asked = question;
  }

  /** Ask before an action; whatever else is played meanwhile, by the clock too, ends the question. */
  #askNow(text: string, does: string, yes: () => void, choices?: Choice[]): void {
    const moment = this.game.moment;
    const stands = (): boolean => this.game.myTurn && this.game.moment === moment;
    this.question = { text, does, yes, choices, stands };
  }

  /**
   * Leave the table; in a running match the player is asked first. What waits for the server is
   * over when the table is put away: whoever is elsewhere by then stays there.
   */
  leave(left: () => void): void {
    const { game } = this;
    const playing = (): boolean => ["dealing", "playing"].includes(game.table?.stage ?? "");
    const go = (): void => {
      if (playing()) rememberLeft(game);
      const { pathname } = location;
      void this.send({ type: "leave" }).then(() => {
        if (location.pathname === pathname) left();
      });
    };
    if (playing()) {
      const { late, spectators } = game.table?.options ?? {};
      const back = late && spectators !== "off" ? "yes" : "no";
      const [text, does] = [t("page-confirm-leave", { back }), t("page-do-leave")];
      this.question = { text, does, yes: go, stands: playing };
    } else go();
  }

  /** The line beside the own plate. */
  get line(): string {
    const notice = this.notice === this.#heard ? "" : this.notice;
    return this.stays && (this.#firm || !this.#fresh || !notice) ? this.stays : notice;
  }

  /** Show it until there is something else to keep, or the own move is done. */
  keep(text: string, firm = false): void {
    this.stays = text;
    this.#firm = firm;
    if (firm) setTimeout(() => (this.#firm = false), LASTING);
  }

  #show(): void {
    this.#fresh = true;
    clearTimeout(this.#fading);
    this.#fading = setTimeout(() => (this.#fresh = false), LASTING);
  }

  say(text: string): void {
    this.#show();
    this.#at = this.game.moment;
    // The same words again are read again.
    this.notice = this.notice === text ? `${text}\u00a0` : text;
  }

  /** Say what is shown in another place already: only a screen reader needs it. */
  whisper(text: string): void {
    this.say(text);
    this.#heard = this.notice;
  }

  /** Something was done, or the own turn or the deal is over: what was said before that is no
  longer true. */
  passed(): void {
    if (this.#at !== this.game.moment) this.notice = this.alarm = "";
  }

  /** Take back what was said, if nothing was said since: it is no longer true. */
  unsay(text: string): void {
    if (this.notice.trimEnd() === text) this.notice = this.alarm = "";
  }

  /** Say what came of something that the player did. */
  reply(text: string): void {
    this.say(text);
    if (this.#commanded) this.answer = text;
  }

  /** Say at once why something can't be done. */
  #deny(text: string): void {
    this.denials += 1;
    this.#denied = text;
    this.alert(text);
    if (this.#commanded) this.answer = text;
  }

  /** Say it at once, whatever is being read. */
  alert(text: string): void {
    this.#show();
    this.#at = this.game.moment;
    this.notice = text;
    this.alarm = this.alarm === text ? `${text}\u00a0` : text;
  }

  /** Say whose turn it is; the eye goes on reading what led to it. */
  turn(text: string): void {
    if (!this.stays) this.#show();
    this.#at = this.game.moment;
    this.notice = text;
    if (this.stays) this.#fresh = false;
    this.alarm = this.alarm === text ? `${text}\u00a0` : text;
  }

  /** Play an action; `shape` is how the command that it was written with is written, if it was. */
  async act(action: string, shape = ""): Promise<boolean> {
    if (!this.#commanded) this.answer = "";
    this.#underway += 1;
    try {
      await this.game.act(action);
      this.passed();
      return true;
    } catch (error) {
      this.game.preferred = this.game.given = null;
      this.refused(error, shape);
      return false;
    } finally {
      this.#underway -= 1;
    }
  }

  async send(command: Command): Promise<boolean> {
    try {
      await this.game.send(command);
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** Who plays now, for whoever does not. */
  whoseTurn(): string {
    const { deal, running } = this.game;
    if (!running || !deal) return t("page-felt-dealing");
    return t("page-turn-of", { name: this.game.name(deal.turn) });
  }

  /** Say why something was refused; whatever else went wrong is thrown again. */
  refused(error: unknown, shape = ""): void {
    if (!(error instanceof Refusal)) throw error;
    play("error");
    const tell = (): void => this.#refused(error.refusal, shape);
    if (texts.has("error-bad-action")) tell();
    else void texts.refusals().then(tell);
  }

  #refused(refusal: Refused, shape: string): void {
    const { ending } = this.game;
    // Why the line is over says more than that nothing answers.
    if (ending) this.#deny(t(`page-ended-${ending}`));
    // What to type is shown in the words of the player's language.
    else if (shape && refusal.code === "bad-action")
      this.#deny(texts.error({ ...refusal, details: { shape } }));
    // Whoever starts has a tile more, and is told what to do with it.
    else if (refusal.rule === "D5") this.#deny(t("page-you-start"));
    else if (refusal.code === "not-your-turn" && !this.game.myTurn) this.reply(this.whoseTurn());
    else this.#deny(this.#why(refusal));
  }

  /** Why something was refused, tiles in words: the notation's K is no colour to a player. */
  #why({ code, message, details = {} }: Parameters<typeof texts.error>[0]): string {
    const named = Object.entries(details ?? {}).map(([name, value]) => {
      const tile = (name === "tile" || name === "piece") && code !== "bad-tile";
      return [name, tile ? tileWords(String(value), this.game.okey) : value];
    });
    return texts.error({ code, message, details: Object.fromEntries(named) as typeof details });
  }

  /** The solver's arrangement, laid on the rack. */
  async arrange(aim: "points" | "pairs"): Promise<void> {
    try {
      await this.game.arrange(aim);
      this.unsay(this.#denied);
      if (this.#commanded) this.reply(t("page-done"));
    } catch (error) {
      this.refused(error);
    }
  }

  tileAt(source: string): string | null {
    if (source === "stock") return this.game.options?.draw ? "" : null;
    if (source === "left")
      return this.game.options?.take ? (this.topOf(this.#left()) ?? null) : null;
    if (!source.startsWith("slot:")) return null;
    return this.game.slots[Number(source.slice(5))]?.tile ?? null;
  }

  topOf(seat: number): string | undefined {
    return tilesIn(this.game.deal?.discards[seat] ?? "").at(-1);
  }

  #left(): number {
    return this.game.seatAt(this.game.seats.length - 1);
  }

  /** Something is put somewhere; whether that means anything. */
  put(source: string, target: string): boolean {
    const { game } = this;
    if (target.startsWith("slot:")) {
      const to = Number(target.slice(5));
      if (source.startsWith("slot:")) game.move(Number(source.slice(5)), to);
      else if (source === "stock") this.draw(to);
      else if (source === "left") this.take(to);
      return true;
    }
    const tile = this.tileAt(source);
    if (!source.startsWith("slot:") || tile === null) return false;
    game.given = game.slots[Number(source.slice(5))]?.id ?? null;
    if (target === "discard") void this.discard(tile);
    else if (target === "left") this.putBack(tile);
    else if (target.startsWith("group:")) void this.layOff(tile, Number(target.slice(6)));
    else if (target === "felt") this.meldAt(Number(source.slice(5)));
    else return false;
    return true;
  }

  draw(slot: number | null = null): void {
    this.game.preferred = slot;
    void this.act("draw").then((ok) => ok && play("draw"));
  }

  take(slot: number | null = null): void {
    this.game.preferred = slot;
    void this.act("take").then((ok) => {
      if (!ok) return;
      play("draw");
      const tile = this.game.deal?.taken;
      if (tile) this.reply(t("error-taken-not-used", { tile: tileWords(tile, this.game.okey) }));
    });
  }

  /** Put the taken tile back; any other tile has no place there. */
  putBack(tile: string | null = null): void {
    if (tile !== null && tile !== this.game.deal?.taken) this.reply(t("page-left-only-taken"));
    else void this.act("return").then((ok) => ok && play("discard"));
  }

  /** Throw a tile, or ask before; whether it was thrown. */
  async discard(tile: string, shape = ""): Promise<boolean> {
    const action = `discard ${tile}`;
    const throwIt = async (): Promise<boolean> => {
      this.throwing = true;
      const ok = await this.act(action, shape);
      this.throwing = false;
      if (ok) play("discard");
      return ok;
    };
    const ask = ({ points, rule }: Cost): void => {
      const words = { tile: tileWords(tile, this.game.okey), points, rule: rule ?? "P2" };
      this.#askNow(t("page-confirm-discard", words), t("page-throw"), () => void throwIt());
    };
    const shown = this.game.options?.discards.find((one) => one.tile === tile);
    return this.#unlessItCosts(action, shown, throwIt, ask, shape);
  }

  /** Do an action that is free, or ask before; whether it was done. */
  async #unlessItCosts(
    action: string,
    shown: Cost | undefined,
    go: () => Promise<boolean>,
    ask: (cost: Cost) => void,
    shape = "",
  ): Promise<boolean> {
    let cost: Cost | null | undefined = shown;
    try {
      // What it costs after what is underway is not shown yet: the server says it after that.
      if (this.#underway > 0) cost = (await this.game.check(action)).fine;
    } catch (error) {
      this.refused(error, shape);
      return false;
    }
    if (!cost?.points) return go();
    ask(cost);
    return false;
  }

  /** Lay exactly what is on the rack, if the server allows it, and at the price it names. */
  async open(kind: GroupKind): Promise<void> {
    const { game } = this;
    const { groups } = kind === "melds" ? game.melds : game.pairs;
    if (this.#asking) return;
    if (groups.length === 0) {
      this.reply(t(`page-nothing-arranged-${kind}`));
      return;
    }
    const action = `meld ${groups.map((group) => group.text).join(" / ")}`;
    const lay = async (): Promise<void> => {
      if (!(await this.act(action))) return;
      play("open");
      if (this.#commanded) this.reply(t("page-done"));
    };
    let may = false;
    this.#asking = true;
    try {
      const { wait, error, fine, short, have, need } = await game.check(action);
      if (wait || error) await texts.refusals();
      const why = [wait, error].flatMap((refused) => (refused ? [this.#why(refused)] : []));
      if (why.length > 0) this.reply(why.join(" "));
      else if (fine || short) {
        const sums = { kind, have: have ?? 0, need: need ?? 0, points: fine?.points ?? 0 };
        this.#askNow(t("page-confirm-short", sums), t("page-do-open"), () => void lay());
      } else may = true;
    } catch (error) {
      this.refused(error);
    } finally {
      this.#asking = false;
    }
    if (may) await lay();
  }

  /** What taking back costs at this table. */
  get #backFine(): number {
    return Number(this.game.table?.options.rules.take_back_fine);
  }

  /** Lay down the group that a tile of the rack belongs to. */
  meldAt(slot: number): void {
    const { game } = this;
    if (game.opened === null) {
      void this.open("melds");
      return;
    }
    const groups = game.kinds.flatMap((kind) => game[kind].groups);
    const tile = game.slots[slot]?.tile;
    const group = tile === undefined ? undefined : groups.find((one) => one.tiles.includes(tile));
    if (group) void this.act(`meld ${group.text}`).then((ok) => ok && play("lay"));
    else this.reply(t("page-no-group-here"));
  }

  /** Put a tile to a group; where an okey may stand for several, that is asked. */
  async layOff(tile: string, group: number): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const { actions = [], error } = await this.game.places(tile, group);
      if (error) throw new Refusal(error);
      const [first, ...others] = actions.map((action) => this.#placing(action));
      if (first && others.length > 0)
        this.#askNow(t("page-choose-place"), "", first.go, [first, ...others]);
      else first?.go();
    } catch (error) {
      this.refused(error);
    } finally {
      this.#asking = false;
    }
  }

  /** A way to put a tile to a group, with what the tile counts as there. */
  #placing(action: string): Choice {
    const piece = action.split(" ")[1] ?? "";
    const go = (): void => void this.act(action).then((ok) => ok && play("lay"));
    return { text: tileWords(piece.replace("*", ""), this.game.okey), piece, go };
  }

  /** Lay off everything that can be, one after the other. */
  async layAll(): Promise<void> {
    if (this.game.plainLays.length === 0) {
      const none = this.game.options?.lays?.length ? "page-only-okey-fits" : "page-nothing-to-lay";
      this.reply(this.game.myTurn ? t(none) : this.whoseTurn());
      return;
    }
    for (let guard = 0; guard < 30; guard++) {
      const lay = this.game.plainLays[0];
      if (lay === undefined) return;
      if (!(await this.act(lay))) return;
      play("lay");
      if (this.#commanded) this.reply(t("page-done"));
    }
  }

  /** Take the last placement back, or ask before. */
  async takeBack(): Promise<void> {
    const back = this.game.options?.backs[0];
    if (!back) return;
    const paid = (this.game.deal?.backs ?? 0) > 1;
    const undo = async (free: boolean): Promise<boolean> => {
      const ok = await this.act(back.action);
      if (ok && free) this.reply(t("page-back-free", { points: paid ? 0 : this.#backFine }));
      return ok;
    };
    const ask = ({ points }: Cost): void => {
      const text = t("page-confirm-back", { points });
      this.#askNow(text, t("page-take-back"), () => void undo(false));
    };
    await this.#unlessItCosts(back.action, back, () => undo(true), ask);
  }

  /** What the next taking back costs, for its button; null where there is none. */
  get backCost(): number | null {
    return this.game.options?.backs[0]?.points ?? null;
  }

  /** The rows on the rack, for those who want to count for themselves. */
  get rows(): string[][] {
    return rowsOf(this.game.slots);
  }

  /** Do a line of the command line; what is said to it stays to be read. */
  async answering(go: () => Promise<void>): Promise<void> {
    this.answer = "";
    this.#commanded += 1;
    try {
      await go();
    } finally {
      this.#commanded -= 1;
    }
  }
}
