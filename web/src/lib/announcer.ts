/** What happens at the table, told three ways at once: in words, in sounds, and in tiles that fly. */

import { sentenceOf } from "./characters";
import { flights } from "./flights.svelte";
import type { Before, Game } from "./game.svelte";
import { listed, t, texts } from "./i18n.svelte";
import { moments } from "./moments.svelte";
import type { Moves } from "./tableActions.svelte";
import type { What } from "./protocol";
import { settings } from "./settings.svelte";
import { play } from "./sounds";
import { tileOfPiece, tilesIn } from "./tiles";
import { OWN_BOTS } from "./vocabulary";
import { actionWords, named, sumsOf, tileWords } from "./words";

type Played = Extract<What, { kind: "act" }>;

/** How few tiles have to be left in the stock to be announced. */
const FEW = 3;
/** How many tiles of a meld fly; the others simply appear. */
const FLYING = 6;
/** How many tiles of a finish are spread out at most. */
const SPREAD = 9;

export class Telling {
  /** Whether the tile was carried to its place by hand just now: then it does not fly as well. */
  carried = false;

  constructor(
    private readonly game: Game,
    private readonly moves: Moves,
    /** A deal begins; whether it is shown how it is dealt. */
    private readonly dealt: () => boolean,
  ) {
    game.onView = () => this.#back();
    game.onWhat = (what, before) => this.#happened(what, before);
    game.onSaid = (seat, phrase, to) => {
      if (to !== undefined) moments.show({ kind: "gift", seat, to, phrase });
      if (seat === game.seat) return;
      const said = { name: game.name(seat), phrase: t(`phrase-${phrase}`) };
      if (to === undefined) moves.say(t("page-said", said));
      else if (to === game.seat) moves.whisper(t("page-said-you", said));
      else moves.whisper(t("page-said-to", { ...said, to: game.name(to) }));
    };
  }

  #happened(what: What, before: Before): void {
    if (what.kind === "deal") {
      this.#deal();
      return;
    }
    if (what.kind === "abandon" && (what.why === "log-truncated" || what.why === "restored")) {
      this.moves.alert(t(`page-void-${what.why}`));
      return;
    }
    if (what.kind === "away" && what.seat === this.game.seat) {
      if (what.on) this.moves.alert(t("page-bot-sits"));
      return;
    }
    if (what.kind !== "act") {
      this.#cameOrWent(what, before);
      return;
    }
    // Each sentence once: the clock's is the same for all that it played.
    const said = new Set(what.actions.map((action) => this.#action(what, action, before)));
    said.delete("");
    if (said.size > 0) this.#told(what, [...said].join(" "));
    this.#fines(before);
    this.#stock(before);
    this.#remark(what);
    this.carried = false;
    const result = this.game.deal?.result;
    if (!result) return;
    play(result.winner !== null && result.winner === this.game.seat ? "win" : "end");
    const ended = result.winner === null ? this.#unfinished() : this.#finished(result.winner, what);
    if (ended && this.game.table?.stage === "over") this.#won();
  }

  /** After a reload: what the left neighbour threw since the own move is shown once more. */
  #back(): void {
    const { game, moves } = this;
    const { deal, seat } = game;
    moves.passed();
    if (seat === null || !deal || !game.running) return;
    moves.keep("");
    const left = game.seatAt(game.seats.length - 1);
    const thrown = [...deal.actions]
      .reverse()
      .find((line) => line.startsWith(`${left}: discard`) || line.startsWith(`${seat}:`));
    if (thrown?.startsWith(`${left}`))
      moves.keep(actionWords(thrown.slice(3), game.name(left), game.okey));
  }

  /** What came of the dealing, in words; for the eye only where it is not shown. */
  #deal(): void {
    const { deal } = this.game;
    this.moves.keep("");
    this.moves.passed();
    if (!deal) return;
    const okey = t("page-okey-is", { tile: tileWords(deal.okey, "F") });
    const { dealer } = deal;
    const dealt = { name: this.game.name(dealer), you: this.game.isYou(dealer) };
    this.moves.say(`${t("page-dealing", dealt)}. ${okey}`);
    if (!this.dealt()) play("deal");
  }

  /** Say what a seat did; what the left neighbour threw, and what the clock did, stay readable. */
  #told(what: Played, words: string): void {
    this.moves.say(words);
    if (what.seat === this.game.seat) {
      this.moves.keep(words, true);
      return;
    }
    const count = this.game.seats.length;
    const mine = this.game.seat !== null && this.game.seatAt(count - 1) === what.seat;
    if (mine && what.actions.some((action) => action.startsWith("discard"))) this.moves.keep(words);
  }

  /** Who left a running match, came back, or has a bot play. */
  #cameOrWent(what: What, before: Before): void {
    if (!this.game.running || !("seat" in what) || what.seat === this.game.seat) return;
    const name = before.seats[what.seat]?.name ?? this.game.seats[what.seat]?.name;
    if (!name) return;
    let told = "";
    if (what.kind === "leave") told = t("page-told-left", { name });
    else if (what.kind === "away") told = t(`page-told-${what.on ? "away" : "back"}`, { name });
    else if (what.kind === "sit") told = t("page-told-sits", { name });
    if (!told) return;
    this.moves.say(told);
  }

  /** Show and sound one action; returns it in words, unless it is the player's own. */
  #action(what: Played, action: string, before: Before): string {
    const { game } = this;
    const { seat } = what;
    const own = seat === game.seat;
    const [word = "", tile = "", , group = ""] = action.split(" ");
    const piece = tileOfPiece(tile);
    const home = own ? this.#slotOf(piece, before) : `[data-place="plate:${seat}"]`;
    const opens = word === "meld" && !before.deal?.opened[seat] && game.deal?.opened[seat];
    const sums = opens ? sumsOf(action, game.okey) : [];
    const first = (before.deal?.groups.length ?? 0) + 1;
    const enough =
      game.deal?.opened[seat] === "melds" ? Number(game.table?.options.rules.open_points ?? 0) : 0;
    const landing =
      sums.length > 0 && moments.show({ kind: "opening", first, sums, enough, from: home });
    if (!landing && (!this.carried || !own))
      this.#fly(word, action, piece, home, seat, group, before);
    if (own) this.moves.keep("");
    if (own) return what.by === "clock" ? t("page-clock-played") : "";
    if (word === "discard" || word === "draw") play(word);
    if (word === "lay") play("lay");
    const name = game.name(seat);
    if (word === "meld" && !landing) play(opens ? "open" : "lay");
    const actions = [...(before.deal?.actions ?? []), `${seat}: ${action}`];
    const done = game.deal
      ? named({ ...game.deal, actions }, game.table?.options.rules)
          .at(-1)
          ?.slice(3)
      : action;
    return actionWords(done ?? action, name, game.okey);
  }

  /** Nobody has finished the deal; whether that is shown. */
  #unfinished(): boolean {
    const { game } = this;
    const { end, counts } = game.deal?.result ?? {};
    const title = t(`page-end-${end ?? "stock"}`);
    const text = t(counts ? "page-end-counted" : "page-not-counted");
    this.moves.say(`${title} ${text}`);
    const faces = [...game.seats.keys()].map((seat) => game.face(seat));
    return moments.show({ kind: "unfinished", title, text, faces });
  }

  /** The deal is won; whether that is shown. */
  #finished(seat: number, what: Played): boolean {
    const { game } = this;
    const line = game.table?.scores.deals.at(-1)?.sheet.find((one) => one.seat === seat);
    if (!line) return false;
    const points = line.total > 0 ? `+${line.total}` : String(line.total);
    const title = t("page-finished-with", {
      name: game.name(seat),
      points,
      you: game.isYou(seat),
    });
    this.moves.say(title);
    const tiles = what.actions.flatMap((action) =>
      (action.split(" > ")[0] ?? "")
        .split(" ")
        .slice(1)
        .filter((piece) => /^[*F]|^[RYBK]\d/.test(piece)),
    );
    const face = game.face(seat);
    return moments.show({ kind: "finish", seat, title, face, tiles: tiles.slice(-SPREAD) });
  }

  /** The match is won. */
  #won(): void {
    const { game } = this;
    const seats = [...game.seats.keys()].filter((one) => game.table?.scores.places[one] === 1);
    const names = listed(seats.map((one) => game.name(one)));
    const faces = seats.map((one) => game.face(one));
    moments.show({
      kind: "won",
      title: t("page-won", { names, you: seats.some((one) => one === game.seat) ? "yes" : "no" }),
      faces,
    });
  }

  #fly(
    word: string,
    action: string,
    piece: string,
    home: string,
    seat: number,
    group: string,
    before: Before,
  ): void {
    const count = this.game.seats.length;
    const go = (tile: string, from: string, to: string): void => flights.launch(tile, from, to);
    if (word === "draw") {
      const own = seat === this.game.seat;
      const drawn = own ? (this.game.you?.drawn ?? "") : "";
      go(drawn, '[data-place="stock"]', own ? this.#newSlot(before) : home);
    } else if (word === "take" || word === "return") {
      const pile = `[data-place="pile:${(seat + count - 1) % count}"]`;
      const tile = this.game.deal?.taken ?? before.deal?.taken ?? "";
      if (word === "return") go(tile, home, pile);
      else go(tile, pile, seat === this.game.seat ? this.#newSlot(before) : home);
    } else if (word === "discard") {
      go(piece, home, `[data-place="pile:${seat}"]`);
    } else if (word === "lay") {
      go(piece, home, `[data-target="group:${group}"]`);
    } else if (word === "meld") {
      let number = before.deal?.groups.length ?? 0;
      for (const text of action.slice(5).split(" / ").slice(0, FLYING)) {
        number += 1;
        go(tileOfPiece(tilesIn(text)[0] ?? ""), home, `[data-target="group:${number}"]`);
      }
    }
  }

  /** The slot that a tile left. */
  #slotOf(tile: string, before: Before): string {
    const at = before.slots.findIndex(
      (slot, index) => slot?.tile === tile && this.game.slots[index]?.id !== slot.id,
    );
    return `[data-source="slot:${at}"]`;
  }

  /** The slot that a tile came to. */
  #newSlot(before: Before): string {
    const known = new Set(before.slots.map((slot) => slot?.id));
    const at = this.game.slots.findIndex((slot) => slot && !known.has(slot.id));
    return `[data-source="slot:${at}"]`;
  }

  /** What one of our bots says of it now and then. */
  #remark(what: Played): void {
    const { deal, id, seats, table } = this.game;
    const { bot, name } = seats[what.seat] ?? {};
    if (!settings.chatter || !deal || deal.end || name || !OWN_BOTS.some((own) => own === bot))
      return;
    const open = { table: id, match: table?.match ?? 0, deal: deal.number, actions: deal.actions };
    const number = sentenceOf(what.seat, what, open);
    const key = `says-${this.game.face(what.seat)}-${String(number)}`;
    if (number !== null && texts.has(key)) this.game.mutter(what.seat, t(key));
  }

  #fines(before: Before): void {
    const fresh = (this.game.deal?.fines ?? []).slice(before.deal?.fines.length ?? 0);
    for (const fine of fresh) {
      if (fine.points <= 0) continue;
      const reason = t(`page-fine-${fine.rule}`);
      play("fine");
      moments.show({ kind: "fine", seat: fine.seat, points: fine.points });
      if (fine.seat === this.game.seat) {
        this.moves.alert(t("page-fined", { points: fine.points, reason }));
      } else {
        const name = this.game.name(fine.seat);
        const words = t("page-fine-line", { name, points: fine.points, reason });
        this.moves.say(words);
      }
    }
  }

  #stock(before: Before): void {
    const left = this.game.deal?.stock ?? 0;
    if (left > FEW || left === 0 || left === before.deal?.stock || this.game.deal?.end) return;
    this.moves.say(t("page-last-tiles", { count: left }));
  }
}
