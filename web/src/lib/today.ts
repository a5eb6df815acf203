/** What there is today, in a line each: the day's deals, own mistakes, friends. */

import type { DayAnswer, DayTable, Friends } from "./answers";
import { ask } from "./api";
import { dueMistakes } from "./dueMistakes";
import { listed, t } from "./i18n.svelte";
import { me } from "./me.svelte";

/** So many people are named, the others counted. */
const NAMED = 2;

/** A line about people, what its button says, and where that leads. */
export interface Invitation {
  words: string;
  button: string;
  path: string;
}

export interface Today {
  day: string;
  puzzle: string;
  friends: readonly Invitation[];
}

/** How far one is with the deals of today. */
async function day(): Promise<string> {
  const running = await ask<DayAnswer[]>("GET", "/api/days/");
  const today = running.find(({ challenge, state }) => !challenge && state === "open");
  if (!today?.own) return t("page-today-players", { players: today?.players ?? 0 });
  if (!today.own.finished) return t("page-today-begun");
  const { own } = await ask<DayTable>("GET", `/api/days/${today.date}/table`);
  return own ? t("page-today-place", { place: own.place }) : "";
}

/** Who asks to be a friend, and which friends are here. */
async function friends(): Promise<Invitation[]> {
  if (!me.user) return [];
  const { asks, friends: known } = await ask<Friends>("GET", "/api/friends");
  const told = [
    { words: "page-today-asks", people: asks, button: "page-today-answer", path: "/friends" },
    {
      words: "page-today-here",
      people: known.filter(({ here }) => here),
      button: "page-today-together",
      path: "/new",
    },
  ];
  return told
    .filter(({ people }) => people.length > 0)
    .map(({ words, people, button, path }) => {
      const names = people.slice(0, NAMED).map(({ name }) => name ?? "?");
      const more = people.length - names.length;
      return {
        words: t(words, {
          names: more > 0 ? names.join(", ") : listed(names),
          more,
        }),
        button: t(button),
        path,
      };
    });
}

/** All of it; what the server does not tell is left out. */
export async function today(): Promise<Today> {
  const [deals, people] = await Promise.allSettled([day(), friends()]);
  const due = dueMistakes().length;
  return {
    day: deals.status === "fulfilled" ? deals.value : "",
    puzzle: t("page-today-mistakes", { count: due }),
    friends: people.status === "fulfilled" ? people.value : [],
  };
}
