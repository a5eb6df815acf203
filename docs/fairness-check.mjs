// Checks the fairness of deals without okey101:
//   node fairness-check.mjs FILE.json ... [COMMITMENT ...] [--mine CONTRIBUTION ...]
// FILE is a record or the test vectors; rounds that were thrown away are counted over all. Every COMMITMENT or transcript, as noted before its deal, and every
// CONTRIBUTION of one's own has to be there. How each value is computed stands in docs/en/fairness.md
// and docs/en/dealing.md, the fields in docs/en/record.md. The actions are not played again, so what a
// deal came to is believed. Ends with 0 where all is right, 1 where something is wrong or missing, 2
// where there is nothing that could be read.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const number = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(n)); return b; };
const hex = (text) => Buffer.from(text, "hex");
const sized = (bytes) => Buffer.concat([number(bytes.length), bytes]);
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const label = (text) => Buffer.from(`okey101 fair ${text}`);
const context = ({ table, match, deal, round }) => Buffer.concat(
  [sized(Buffer.from(table, "utf8")), ...[match, deal, round].map(number)]);
// JSON in one form: names in order, no blanks.
const canonical = (value) => JSON.stringify(value, (_, part) => part && typeof part === "object" && !Array.isArray(part)
  ? Object.fromEntries(Object.entries(part).sort(([one], [two]) => (one < two ? -1 : 1))) : part);
const commitmentOf = (fair) =>
  sha(label("commitment 1"), context(fair.context), hex(fair.secret)).toString("hex");
const seatCommitmentOf = (fair, seat) =>
  sha(label("contribution 1"), context(fair.context), hex(fair.commitment), number(seat), hex(fair.randomness[seat])).toString("hex");
const isBot = (name) => name.startsWith("bot:");
const utf8 = (text) => sized(Buffer.from(text, "utf8"));
const transcriptOf = ({ context: where, commitment, terms, seats, commitments }) => sha(label("transcript 1"),
  context(where), hex(commitment), utf8(canonical(terms)), number(seats.length),
  ...seats.flatMap((who, seat) => [utf8(who), sized(hex(commitments[seat]))]));
const seedOf = (fair) => createHmac("sha256", hex(fair.secret)).update(Buffer.concat([
  label("seed 1"), transcriptOf(fair), number(fair.randomness.length), ...fair.randomness.map((text) => sized(hex(text)))])).digest();
// Every round of a deal as if it were the one dealt from, the abandoned ones first.
const roundsOf = (fair) => [...(fair.abandoned ?? []).map((round, at) => ({
  ...round, terms: fair.terms, context: { ...fair.context, round: at } })), fair];

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

const isHex = (text, low, high = low) =>
  typeof text === "string" && /^([0-9a-f]{2})*$/i.test(text) && text.length >= low && text.length <= high;
const isNumber = (n, high = 1e9) => Number.isInteger(n) && n >= 0 && n <= high;
const lower = (text) => String(text).toLowerCase();

function unreadable(reason) {
  console.error(reason);
  process.exit(2);
}

function need(good, what) { // what a record can't do without
  if (!good) throw new Error(what);
}

function requireSingleNames(text) { // JSON.parse takes the last of two equal names without a word
  const open = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (name) {
      const plain = JSON.parse(name), names = open.at(-1);
      need(!names.has(plain), `an object has the name ${name} twice`);
      names.add(plain);
    }
  }
}

function requireForm({ commitment, context, terms, seats, commitments, randomness, secret }, players) {
  need(isHex(commitment, 64), "commitment has to be 64 hexadecimal digits");
  need(isHex(secret, 64), "secret has to be 64 hexadecimal digits");
  need(context && typeof context.table === "string" && context.table, "context needs a table");
  need([context.match, context.deal, context.round].every((n) => isNumber(n)),
    "context needs the numbers match, deal and round");
  need(Array.isArray(randomness) && randomness.length === players, "randomness needs an entry a seat");
  need(randomness.every((part) => part === "" || isHex(part, 32, 64)),
    "randomness has to be 32 to 64 hexadecimal digits, or empty");
  need(terms && typeof terms === "object" && !Array.isArray(terms), "terms has to be an object");
  need(Array.isArray(seats) && seats.length === players && seats.every((name) => typeof name === "string"),
    "seats needs a name a seat");
  need(Array.isArray(commitments) && commitments.length === players &&
    commitments.every((part) => part === "" || isHex(part, 64)), "commitments needs an entry a seat");
}

// What a round shows to be wrong: contributions that open no commitment, or of bots.
function roundFaults(fair, dealt) {
  const given = fair.randomness.map((part, seat) => [part, lower(fair.commitments[seat]), seat]);
  const opens = ([part, shown, seat]) => part ? shown === seatCommitmentOf(fair, seat) : !dealt || !shown;
  const silent = ([part, shown, seat]) => !(isBot(fair.seats[seat]) && (part || shown));
  return [...(dealt ? [] : [...commitmentFaults(fair), ...reasonFaults(fair)]),
    ...(given.every(opens) ? [] : ["opening"]), ...(given.every(silent) ? [] : ["bot"])];
}

// A complete round is dealt, unless files were put back: that is told and counted.
const PUT_BACK = ["log-truncated", "restored"], UNOPENED = ["not-revealed", "left"];
const reasonFaults = ({ reason, commitments, randomness }) => PUT_BACK.includes(reason) ||
  (UNOPENED.includes(reason) && commitments.some((shown, seat) => shown && !randomness[seat])) ? [] : ["reason"];

const commitmentFaults = (fair) => lower(fair.commitment) === commitmentOf(fair) ? [] : ["commitment"];

const isVoid = ({ end }, rules) => // a deal that does not count, and is dealt again
  end === "all-pairs" || (end === "stock" && rules.empty_stock === "void_but_okeys");

// Rule D3: the right neighbour deals next, but after a deal that does not count the same again.
const nextDealer = ({ dealer, result }, rules) => isVoid(result, rules) ? dealer : (dealer + 1) % rules.players;

function rightDealer(deals, place, seed, rules) { // null where the record does not tell
  if (deals[place].fair.context.deal === 0) return stream(seed, "okey101 dealer 1")(rules.players);
  const before = deals[place - 1];
  if (before?.result?.end && deals[place].fair.context.table.startsWith("day-")) return (before.dealer + 1) % rules.players;
  return before?.result?.end ? nextDealer(before, rules) : null;
}

function goesOn(deals, place) { // from the last deal before it that has a commitment
  const last = deals.slice(0, place).findLastIndex((deal) => deal.fair?.context);
  if (last < 0) return true;
  const { table, match, deal } = deals[last].fair.context, now = deals[place].fair.context;
  return now.table === table && now.match === match && now.deal === deal + place - last;
}

// A field that one of both does not name is of an older program, or of the user's own.
const sameRules = (shown, rules) => shown && typeof shown === "object" &&
  Object.entries(shown).every(([name, value]) => !(name in rules) || rules[name] === value);

function faultsOf(deals, place, rules, agreed) {
  const { fair, dealer, ...deal } = deals[place];
  const seed = seedOf(fair), { dice, indicator, hands, stock } = dealOf(seed, dealer, rules);
  const okey = indicator === "F" ? "F" : indicator[0] + ((Number(indicator.slice(1)) % 13) + 1);
  const tiles = (text) => text.trim().toUpperCase().split(/\s+/).map((tile) => (tile === okey ? "*" : tile));
  const right = rightDealer(deals, place, seed, rules);
  const same = (written, meant) => written === undefined || `${written}` === `${meant}`;
  return Object.entries({
    commitment: lower(fair.commitment) === commitmentOf(fair),
    context: goesOn(deals, place),
    seed: same(deal.seed && lower(deal.seed), seed.toString("hex")),
    dealer: right === null || dealer === right,
    dice: same(deal.dice, dice),
    indicator: same(deal.indicator?.toUpperCase(), indicator),
    hands: same(deal.hands?.map((hand) => tiles(hand).sort()), hands),
    stock: same(deal.stock && tiles(deal.stock), stock),
    rounds: fair.context.round === (fair.abandoned ?? []).length,
    terms: sameRules(fair.terms.rules, rules) && (agreed === undefined || fair.terms.deals === agreed),
  }).filter(([, good]) => !good).map(([name]) => name).concat(roundFaults(fair, true));
}

function requireRecord({ format, rules, deals }) {
  need(format === "okey101/1", `the format is ${JSON.stringify(format)}, not "okey101/1"`);
  need(rules && isNumber(rules.players, 4) && rules.players > 1, "rules.players has to be 2, 3 or 4");
  need(Array.isArray(deals), "deals has to be a list");
  for (const deal of deals) {
    need(deal && isNumber(deal.dealer, rules.players - 1), "every deal needs its dealer, a seat");
    need(deal.result?.end == null || ["finish", "stock", "all-pairs"].includes(deal.result.end),
      "result.end has to be finish, stock or all-pairs");
  }
}

function sumsOf(deals, rules) {
  return Array.from({ length: rules.players }, (_, seat) =>
    deals.reduce((sum, { result }) => sum + (result?.scores?.[seat] ?? 0), 0));
}

const noted = [], mine = [], found = new Set(), given = new Set(), words = process.argv.slice(2);
const files = [words.shift()];
while (words[0]?.endsWith(".json")) files.push(words.shift());
while (words.length) (words[0] === "--mine" ? (words.shift(), mine) : noted).push(lower(words.shift()));
if (!files[0] || files[0].startsWith("--")) unreadable("node fairness-check.mjs FILE.json ... [COMMITMENT ...] [--mine CONTRIBUTION ...]");

let checked = 0, wrong = 0, played = 0, unopened = 0, putBack = 0, madeUp = false;
function say(fault, what) {
  wrong += fault;
  console.log(`${fault ? "WRONG: " : ""}${what}`);
}

function check(record) {
  requireRecord(record);
  const { rules, deals, totals, deals_agreed: agreed } = record;
  for (const [place, { fair, result }] of deals.entries()) {
    if (fair?.secret === undefined) {
      const over = Boolean(result?.end) || place < deals.length - 1; // or another would not follow
      say(over, `deal ${place + 1}: ${over ? "it is finished, and has no secret" : "not finished, nothing to check"}`);
      continue;
    }
    need(fair.version === 1, `version ${JSON.stringify(fair.version)} is not known`);
    const rounds = roundsOf(fair), before = rounds.slice(0, -1);
    rounds.forEach((round) => requireForm(round, rules.players));
    need(before.every(({ reason }) => typeof reason === "string"), "an abandoned round needs its reason");
    const faults = [...faultsOf(deals, place, rules, agreed), ...before.flatMap((round, at) =>
      roundFaults(round, false).map((name) => `${name} of abandoned round ${at + 1}`))];
    checked += 1;
    wrong += faults.length > 0;
    console.log(`deal ${place + 1}: ${faults.length ? `WRONG: ${faults.join(", ")}` : "right"}`);
    if (place === 0 && fair.context.deal && !madeUp) say(true, `deal ${fair.context.deal + 1} of its match comes first: who had to deal can't be told`);
    if (before.length) console.log(`  ${before.length} rounds before it were abandoned: ${before.map((r) => r.reason).join(", ")}`);
    const ours = ({ randomness }) => randomness.some((part) => mine.includes(lower(part)));
    if (before.some(ours) && !ours(fair)) say(true, `deal ${place + 1}: your contribution stands only in rounds that were thrown away`);
    for (const round of rounds.filter(({ commitment }) => !found.has(lower(commitment)))) {
      played += 1;
      if (round !== fair) PUT_BACK.includes(round.reason) ? putBack++ : unopened++;
    }
    for (const round of rounds) {
      found.add(lower(round.commitment)).add(transcriptOf(round).toString("hex"));
      round.randomness.forEach((part) => given.add(lower(part)));
    }
  }
  if (totals && `${totals}` !== `${sumsOf(deals, rules)}`) say(true, "the totals are not the sums of the deals");
  const counted = (some) => some.filter(({ result }) => result?.end && !isVoid(result, rules)).length;
  if (counted(deals) < agreed) console.log(`${counted(deals)} of ${agreed} agreed deals are there`);
  if (counted(deals.slice(0, -1)) >= agreed) say(true, "the match was over before its last deal");
}

// How likely so many or more rounds are thrown away by chance, where each is at a rate.
function atLeast(count, rate) {
  let fewer = 0, ways = 0;
  for (let n = 0; n < count; n++) {
    fewer += Math.exp(ways + n * Math.log(rate) + (played - n) * Math.log1p(-rate));
    ways += Math.log((played - n) / (n + 1));
  }
  return 1 - fewer;
}

for (const file of files) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)), data = JSON.parse(text);
    requireSingleNames(text);
    need(data && typeof data === "object" && !Array.isArray(data), "a record is an object");
    madeUp = file.endsWith("fairness-vectors.json"); // each record for one thing
    (madeUp ? [...data.records, ...data.rounds, ...data.matches] : [data]).forEach((record) => check(record));
    if (madeUp) played = unopened = putBack = 0;
  } catch (error) {
    unreadable(`${file} can't be read as a record: ${error.message}`);
  }
}
if (unopened + putBack) say(Math.min(atLeast(unopened, 1 / 50), atLeast(putBack, 1 / 500)) < 1e-4,
  `${unopened} of ${played} rounds lacked an opening, and files were put back in ${putBack}; once in 10,000 times is too many`);
for (const text of noted) if (!found.has(text)) say(true, `no deal has the commitment ${text}`);
for (const text of mine) if (!text || !given.has(text)) say(true, `no deal has the contribution ${text}`);
console.log(`${checked} deals checked, ${wrong} wrong`);
process.exit(wrong || !checked ? 1 : 0);
