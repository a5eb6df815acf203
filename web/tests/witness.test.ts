import { beforeEach, describe, expect, it } from "vitest";

import { contribution, seatCommitment } from "../src/lib/fairness";
import type { ServerMessage } from "../src/lib/protocol";
import { Witness } from "../src/lib/witness";
import { DEAL, ROUND, acted, view } from "./fakes";

const PROMISE = "aa".repeat(32);
const PLACE = { table: "t", match: 1, deal: 0, round: 0 };
const commitment = { value: PROMISE, match: 1, deal: 0, round: 0 };

function event(message: object): ServerMessage {
  return { type: "event", seq: 9, at: 0, ...message } as ServerMessage;
}

function shown(transcript: string): ServerMessage {
  const own = seatCommitment(PLACE, 0, contribution(PLACE, 0));
  const round = { ...ROUND, shown: true, transcript, commitments: [own, null, null, null] };
  return event({ what: { kind: "show" }, table: { round } });
}

const dealt = (hand: string): ServerMessage =>
  event({
    what: { kind: "deal" },
    table: { stage: "playing" },
    deal: { ...DEAL, actions: [], stock: 21, number: 0 },
    you: { seat: 0, hand, drawn: null },
  });

beforeEach(() => sessionStorage.clear());

describe("what a page was shown of a deal", () => {
  function prepared(): Witness {
    const witness = new Witness("t");
    witness.hear(view({ stage: "dealing", deal: null, commitment, round: ROUND }) as ServerMessage);
    return witness;
  }

  it("is what came first: promise, seals, hand and draws", () => {
    const witness = prepared();
    witness.hear(shown("bb".repeat(32)));
    witness.hear(shown("cc".repeat(32)));
    witness.hear(dealt("R1 R2"));
    const you = { seat: 0, hand: "R1 R2 Y3", drawn: "Y3" };
    witness.hear(acted(10, 0, "draw", { stock: 17 }, { you }) as ServerMessage);
    expect(witness.of(PLACE)).toMatchObject({
      seat: 0,
      hand: "R1 R2",
      drawn: [[3, "Y3"]],
      rounds: { 0: { commitment: PROMISE, transcript: "bb".repeat(32), gave: true } },
    });
  });

  it("outlives a reload, and is not taken from what is told afterwards", () => {
    prepared().hear(shown("bb".repeat(32)));
    const reloaded = new Witness("t");
    reloaded.hear(view({ commitment: { ...commitment, value: "00".repeat(32) } }) as ServerMessage);
    expect(reloaded.of(PLACE)?.rounds[0]?.commitment).toBe(PROMISE);
    const late = new Witness("u");
    late.hear(view({ commitment, round: { ...ROUND, shown: true } }) as ServerMessage);
    expect(late.of(PLACE)).toBeNull();
  });

  it("remembers how the deal before ended", () => {
    const witness = prepared();
    witness.hear(dealt("R1"));
    const next = { ...commitment, deal: 1 };
    const result = { end: "finish", winner: 0, scores: [], fines: [], sheet: [], counts: true };
    witness.hear(
      event({
        what: { kind: "act", seat: 0, actions: ["discard R1"], by: "user" },
        table: { stage: "dealing", commitment: next, round: ROUND },
        deal: { result, end: {} },
      }),
    );
    expect(witness.of({ match: 1, deal: 1 })?.before).toEqual({ dealer: 3, end: "finish" });
  });

  it("forgets the tiles of a deal that was thrown away", () => {
    const witness = prepared();
    witness.hear(dealt("R1"));
    const round = { ...ROUND, number: 1 };
    const again = { ...commitment, value: "dd".repeat(32), round: 1 };
    const table = { stage: "dealing", commitment: again, round };
    witness.hear(event({ what: { kind: "abandon", why: "restored" }, table, deal: {} }));
    witness.hear(dealt("B9"));
    expect(witness.of(PLACE)).toMatchObject({ hand: "B9", rounds: { 0: {}, 1: {} } });
  });
});
