import { beforeAll, expect, it } from "vitest";

import type { Decision, Move, SeatSummary } from "../src/lib/answers";
import { texts } from "../src/lib/i18n.svelte";
import { choiceWords, insteadWords, keepLuck, keptLuck, luckWords } from "../src/lib/reviewWords";

const spread = (mean: number) => ({ mean, low: mean - 1, high: mean + 1 });

function summary(deal: number, lost: number): SeatSummary {
  const none = spread(0);
  const balance = { par: none, draws: none, others: none, skill: none, residual: none, score: 0 };
  const counts = { seat: 0, deals: 1, small: 0, large: 0 };
  return { ...counts, balance: { ...balance, deal: spread(deal) }, lost: spread(lost) };
}

beforeAll(async () => {
  await texts.use("tr");
  await texts.learn("review");
});

it("says what was luck and what was play", async () => {
  const said = "Dağıtım size 69 puan kazandırdı, oyununuz 10 puan kaybettirdi.";
  expect(luckWords(summary(-69.2, 10.1), null)).toBe(said);
  expect(luckWords(summary(0.3, 0), null)).toBe(
    "Dağıtım size ne yardım etti ne zarar verdi, oyununuz puan kaybettirmedi.",
  );
  expect(luckWords(summary(30, 4), "Ece")).toBe(
    "Ece: dağıtım 30 puana mal oldu, oyunu 4 puan kaybettirdi.",
  );
  expect(await keptLuck("m-1")).toBe("");
  keepLuck("m-1", summary(-69.2, 10.1));
  expect(await keptLuck("m-1")).toBe(said);
});

it.each([
  [["lay R5 > 1", "R5"], ["lay R5 > 4", "R5"], "kırmızı 5 işlemek (4. per)"],
  [["lay *R5 > 1", "*"], ["lay *R9 > 1", "*"], "kırmızı 9 yerine okey işlemek"],
  [["meld R1 R2 R3", ""], ["meld R4 R5 R6", ""], "kırmızı 4, kırmızı 5, kırmızı 6 indirmek"],
])("says what sets the better choice apart from %s", (one, other, words) => {
  const [played, best] = [one, other].map(([action = "", tile = ""]): Move => {
    const [verb, tiles] = action.startsWith("meld")
      ? (["meld", action.slice(5)] as const)
      : (["lay", ""] as const);
    return { action, verb, tile, tiles, points: 0 };
  }) as [Move, Move];
  expect(choiceWords(best, "B13", played)).toBe(words);
  const said = insteadWords({ played, best, loss: spread(12) } as Decision, "B13");
  expect(said).toBe(`Daha iyisi: ${words}, 12 puan.`);
});
