import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import WaitingRoom from "../src/components/WaitingRoom.svelte";
import type { Me } from "../src/lib/api";
import { texts } from "../src/lib/i18n.svelte";
import { me } from "../src/lib/me.svelte";
import { router } from "../src/lib/router.svelte";
import { Moves } from "../src/lib/tableActions.svelte";
import Friends from "../src/screens/Friends.svelte";
import Ladder from "../src/screens/Ladder.svelte";
import Profile from "../src/screens/Profile.svelte";
import { begun, FakeSocket, settled, view } from "./fakes";

const nobody = { friends: [], asks: [], asked: [], met: [], blocked: [] };
const season = { season: "2026-4", begins_ms: 0, ends_ms: 9e12, ranks: [], lines: [], own: null };
const figures = { figures: [], ledger: null, strength: null, beside: [] };
const profile = { ...figures, name: "Ayşe", face: 9, own: true, matches: 0, deals: 0 };
const user = { id: "u1", name: "Ayşe", account: true, tables: [], moderator: false, face: 9 };
let there: boolean;

beforeEach(async () => {
  await texts.use("en");
  await texts.learn("account", "day", "setup", "server", "game");
  there = false;
  me.user = { ...user, shown: false, listed: false, public: false } as unknown as Me;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    const found = path.startsWith("/api/friends")
      ? nobody
      : path.startsWith("/api/ladder")
        ? season
        : { ...profile, lines: [] };
    if (method === "GET") return Promise.resolve(new Response(JSON.stringify(found)));
    if (!there) return Promise.reject(new TypeError("failed to fetch"));
    const now = { ...me.user, ...(JSON.parse(String(body)) as object) };
    return Promise.resolve(new Response(JSON.stringify(now)));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  me.user = null;
  router.go("/");
});

it.each([
  ["friends", Friends],
  ["ladder", Ladder],
  ["profile", Profile],
])("a switch that the server knows nothing of stays as it was: %s", async (path, Screen) => {
  router.go(`/${path}`);
  const { container } = render(Screen);
  const box = (): HTMLInputElement | null => container.querySelector("input[type=checkbox]");
  const problem = (): string | null | undefined =>
    container.querySelector("[role=alert]")?.textContent;
  await vi.waitFor(() => expect(box()).not.toBeNull());
  for (const now of [false, true]) {
    there = now;
    await fireEvent.click(box() as Element);
    await vi.waitFor(() => expect(Boolean(problem())).toBe(!now));
    await vi.waitFor(() => expect(box()?.checked).toBe(now));
  }
});

it("a seat shows the bot that sits there, whatever was refused", async () => {
  const game = begun();
  const seats = [
    { name: "Ayşe", bot: null, owner: true },
    ...Array(3).fill({ name: null, bot: null }),
  ];
  const waiting = view({ stage: "waiting", seats, deal: null, you: { seat: 0, hand: "" } });
  FakeSocket.last.hear(waiting);
  const { container } = render(WaitingRoom, { game, moves: new Moves(game) });
  const select = container.querySelector("li select") as HTMLSelectElement;
  await fireEvent.change(select, { target: { value: "greedy" } });
  const details = { limit: "messages-per-second", seconds: 1 };
  FakeSocket.last.reply("bot", { type: "error", code: "rate-limited", message: "", details });
  await settled();
  expect(select.value).toBe("");
  await fireEvent.change(select, { target: { value: "greedy" } });
  const what = { kind: "bot", seat: 1, bot: "greedy" };
  const table = { seats: seats.map((one, at) => (at === 1 ? { ...one, bot: "greedy" } : one)) };
  FakeSocket.last.hear({ type: "event", seq: 8, at: 0, what, table });
  await settled();
  await vi.waitFor(() => expect(select.value).toBe("greedy"));
  game.close();
});
