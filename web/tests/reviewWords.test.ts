import { beforeAll, expect, it } from "vitest";

import type { SeatSummary } from "../src/lib/answers";
import { texts } from "../src/lib/i18n.svelte";
import { keepLuck, keptLuck, luckWords } from "../src/lib/reviewWords";

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
