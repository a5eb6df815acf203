// Checks the fairness of deals without okey101: node fairness-check.mjs FILE [COMMITMENT ...]
// FILE is a record or the test vectors; every COMMITMENT, as noted before its deal, must be there.
// How each value is computed stands in docs/en/fairness.md and docs/en/dealing.md.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const number = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(n)); return b; };
const hex = (text) => Buffer.from(text, "hex");
const sized = (bytes) => Buffer.concat([number(bytes.length), bytes]);
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const context = ({ table, match, deal }) =>
  Buffer.concat([sized(Buffer.from(table, "utf8")), number(match), number(deal)]);
const commitmentOf = (fair) =>
  sha(Buffer.from("okey101 fair commitment 1"), context(fair.context), hex(fair.secret)).toString("hex");
const seedOf = (fair) => createHmac("sha256", hex(fair.secret)).update(Buffer.concat([
  Buffer.from("okey101 fair seed 1"), context(fair.context), number(fair.randomness.length),
  ...fair.randomness.map((text) => sized(hex(text)))])).digest();

function stream(seed, label) { // numbers below n, each equally likely
  let words = [], block = 0;
  return (n) => {
    for (;;) {
      if (!words.length) {
        const bytes = sha(seed, Buffer.from(label), number(block++));
        words = Array.from({ length: 8 }, (_, i) => bytes.readUInt32BE(4 * i));
      }
      const word = words.shift();
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
    }
  };
}

function dealOf(seed, dealer, { players, starter, false_joker_indicator: blank }) {
  const below = stream(seed, "okey101 deal 1");
  const kinds = [..."RYBK"].flatMap((c) => Array.from({ length: 13 }, (_, i) => c + (i + 1)));
  const tiles = [...kinds, "F"].flatMap((kind) => [kind, kind]);
  for (let i = 105; i > 0; i--) { const j = below(i + 1); [tiles[i], tiles[j]] = [tiles[j], tiles[i]]; }
  const stacks = Array.from({ length: 15 }, (_, s) => tiles.slice(7 * s, 7 * s + 7));
  const dice = [below(6) + 1], chosen = dice[0] - 1;
  stacks[chosen].push(tiles[105]);
  let indicator;
  do {
    dice.push(below(6) + 1);
    indicator = stacks[chosen][dice.at(-1) - 1];
  } while (indicator === "F" && blank !== "riziko");
  stacks[chosen].splice(dice.at(-1) - 1, 1);
  const okey = indicator === "F" ? "F" : indicator[0] + ((Number(indicator.slice(1)) % 13) + 1);
  const queue = stacks.map((_, s) => stacks[(chosen + 1 + s) % 15]);
  const hands = Array.from({ length: players }, () => []);
  for (let i = 0; i < 3 * players; i++) hands[(dealer + 1 + i) % players].push(...queue[i]);
  const stock = queue.slice(3 * players).flatMap((stack) => [...stack].reverse());
  hands[starter === "dealer" ? dealer : (dealer + 1) % players].push(stock.shift());
  const seen = (pile) => pile.map((tile) => (tile === okey ? "*" : tile));
  return { dice, indicator, hands: hands.map((hand) => seen(hand).sort()), stock: seen(stock) };
}

const [file, ...noted] = process.argv.slice(2);
const data = JSON.parse(readFileSync(file, "utf8"));
const found = new Set();
let checked = 0, wrong = 0;
for (const { rules, deals } of data.records ?? [data]) {
  for (const [place, { fair, dealer, ...deal }] of deals.entries()) {
    if (!fair?.secret) { console.log(`deal ${place + 1}: nothing to check`); continue; }
    const seed = seedOf(fair), { dice, indicator, hands, stock } = dealOf(seed, dealer, rules);
    const faults = Object.entries({
      commitment: fair.commitment === commitmentOf(fair),
      seed: deal.seed === seed.toString("hex"),
      dealer: fair.context.deal > 0 || dealer === stream(seed, "okey101 dealer 1")(rules.players),
      dice: `${deal.dice}` === `${dice}`,
      indicator: deal.indicator === indicator,
      hands: `${deal.hands.map((hand) => hand.split(" ").sort())}` === `${hands}`,
      stock: deal.stock === stock.join(" "),
    }).filter(([, right]) => !right).map(([name]) => name);
    console.log(`deal ${place + 1}: ${faults.length ? `WRONG: ${faults.join(", ")}` : "right"}`);
    found.add(fair.commitment);
    checked += 1;
    wrong += faults.length > 0;
  }
}
const missing = noted.filter((text) => !found.has(text.toLowerCase()));
for (const text of missing) console.log(`WRONG: no deal has the commitment ${text}`);
console.log(`${checked} deals checked, ${wrong} wrong`);
process.exit(wrong || missing.length || !checked ? 1 : 0);
