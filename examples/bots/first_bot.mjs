// A bot as a program of JavaScript (Node 20): lines of JSON on stdin and stdout.
//
//     okey101 bots check "exec:node first_bot.mjs"

import { createInterface } from "node:readline";

/** Open if that is possible, else put down what fits, else throw the highest free tile. */
function choose({ options, actions }) {
  const { melds, pairs } = options.opening;
  const down = [melds, pairs, ...options.melds, ...options.lays].find(Boolean);
  if (down) return down;
  const number = ({ tile }) => Number(tile.slice(1)) || 0;
  const [best] = options.discards.toSorted((a, b) => a.points - b.points || number(b) - number(a));
  return best ? `discard ${best.tile}` : actions[0];
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  let answer;
  if (message.type === "hello") {
    answer = { type: "hello", protocol: "okey101-bot/1", name: "first-js", version: 1 };
  } else if (message.type === "choose") {
    answer = { id: message.id, action: choose(message) };
  } else {
    continue;
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
