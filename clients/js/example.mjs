// A player of one's own at a served table: node example.mjs http://127.0.0.1:8101

import { Client } from "okey101-client";
import WebSocket from "ws"; // Node 20 has none of its own

/** Opens as soon as it can, puts down what fits, and throws what costs least. */
function choose(options) {
    if (options.draw) return "draw";
    const { melds, pairs } = options.opening;
    for (const action of [melds, pairs, ...options.melds, ...options.lays]) {
        if (action) return action;
    }
    const [cheapest] = options.discards.toSorted((a, b) => a.points - b.points);
    return cheapest ? `discard ${cheapest.tile}` : "pass";
}

const me = await Client.guest(process.argv[2], "My player", { WebSocket });
const table = me.join(await me.againstBots({ deals: 2, bot: "steady" }));
for await (const turn of table.turns()) {
    await turn.act(choose(turn.options));
}
const { places, totals } = table.table.scores;
console.log(`seat ${table.seat}, place ${places[table.seat]}: ${totals}`);
table.close();
