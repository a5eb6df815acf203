/** How deals end, held to what was promised: as programs look at it, where the page has its own way. */

import {
  FairRounds,
  canonical,
  commitmentBytes,
  contributionBytes,
  hasReason,
  isPutBack,
  noteOf,
  transcriptBytes,
  type Abandoned,
  type Promised,
  type Told,
} from "./fair.js";
import type { TableView } from "./protocol.js";

/** The contributions of one person at one table, and the ends of its deals. */
export class CheckedRounds extends FairRounds {
  /** The promise that was shown last for each deal: it is dealt from that round; empty for any. */
  #promised = new Map<string, string>();
  /** The promises of deals that were checked. */
  #checked = new Set<string>();

  /** A promise is shown, while its round is prepared or its deal is played. */
  shown({ match, deal, value }: Promised): void {
    this.#promised.set(`${match} ${deal}`, value);
  }

  /** Match and number of each deal that is over and was promised here, but whose end was not shown. */
  unchecked({ match, scores }: TableView): [match: number, deal: number][] {
    return [...this.#promised].flatMap(([key, value]) => {
      const [m = 0, d = 0] = key.split(" ").map(Number);
      const over = m < match || (m === match && d < scores.deals.length);
      return over && !this.#checked.has(value) ? [[m, d] as [number, number]] : [];
    });
  }

  /** A deal is played from the round that was promised last. */
  played({ match, deal, round, value }: Promised): void {
    const where = { table: this.table, match, deal, round };
    this.notes.note(where, noteOf(value)).dealt = true;
  }

  override putBack(match: number, deal: number): void {
    const key = `${match} ${deal}`;
    if (this.#promised.has(key)) this.#promised.set(key, "");
    super.putBack(match, deal);
  }

  /**
   * Look at a deal that is over: each of its rounds has to be told as it was shown here. Nothing is
   * promised where deals are `free`: those of a day, and one that is played again.
   */
  async check(
    fair: Told | undefined,
    here: { match: number; deal: number; options?: unknown; free?: boolean },
  ): Promise<void> {
    const key = `${here.match} ${here.deal}`;
    const promised = this.#promised.get(key);
    if (!fair) {
      if (promised === undefined && here.free) return;
      throw new Error("what the deal came from is not told");
    }
    if (promised === "" && this.#checked.has(fair.commitment))
      throw new Error("a deal that came anew is told as it was before");
    this.#checked.add(fair.commitment);
    const { table, match, deal, round } = fair.context;
    const abandoned = fair.abandoned ?? [];
    if (table !== this.table || match !== here.match || deal !== here.deal)
      throw new Error("the secret is that of another deal");
    if ((promised || fair.commitment) !== fair.commitment)
      throw new Error("another commitment is told than was shown");
    // Perhaps while this program was away.
    if (isPutBack(abandoned)) this.putBack(match, deal);
    this.#promised.set(key, fair.commitment);
    if (here.options && canonical(fair.terms) !== canonical(here.options))
      throw new Error("it was played by other rules than were promised");
    if (round !== abandoned.length) throw new Error("rounds that were thrown away are not told");
    for (const [number, one] of [...abandoned, fair].entries()) {
      const where = { ...fair.context, round: number };
      const { commitment, seats, commitments, randomness, secret } = one;
      const note = this.notes.note(where, noteOf(commitment));
      if (note.commitment !== commitment)
        throw new Error("another commitment is told than was shown");
      if ((await this.digest(commitmentBytes(where, secret))) !== commitment)
        throw new Error("the secret does not open the server's commitment");
      const bytes = transcriptBytes(where, commitment, seats, commitments, fair.terms);
      if (note.transcript !== null && note.transcript !== (await this.digest(bytes)))
        throw new Error("another transcript is told than was shown");
      // Files that were put back may have lost what was shown last.
      const lost = isPutBack(abandoned.slice(number, number + 1));
      for (const [seat, shown] of commitments.entries()) {
        const given = randomness[seat] ?? "";
        const seen = note.opened[seat] ?? given;
        const fits = given
          ? shown === (await this.digest(contributionBytes(where, commitment, seat, given)))
          : one !== fair || !shown;
        if (!fits || (seen !== given && (given || !lost)))
          throw new Error("another contribution is told than was shown");
      }
      if (one !== fair && !((!note.dealt || lost) && hasReason(one as Abandoned)))
        throw new Error("a round was thrown away without a reason");
    }
  }
}
