/** Every sentence of the page, from the catalogues that the whole of okey101 shares. */

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";

import "./storage";
import type { Refused } from "./refusal";

export type Language = "tr" | "en";
export const LANGUAGES: readonly Language[] = ["tr", "en"];

const SOURCES: Readonly<Record<Language, () => Promise<{ default: string[] }>>> = {
  tr: () => import("./texts.tr"),
  en: () => import("./texts.en"),
};
/** How long to wait, in milliseconds, before a catalogue is asked for again. */
const AGAIN = 2000;
/** Catalogues that only some screens need. */
const others = import.meta.glob<string>(
  [
    "../../../src/okey101/i18n/*/{account,bots,cards,day,faces,fair,fields,game,hint,learn,review,server,setup}.ftl",
  ],
  { query: "?raw", import: "default" },
);
export type Other =
  | "account"
  | "bots"
  | "cards"
  | "day"
  | "faces"
  | "fair"
  | "fields"
  | "game"
  | "hint"
  | "learn"
  | "review"
  | "server"
  | "setup";

function preferred(): Language {
  const kept = localStorage.getItem("okey101.language");
  if (kept === "tr" || kept === "en") return kept;
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => tag === "tr" || tag === "en") ?? "tr";
}

async function bundleOf(language: Language, more: ReadonlySet<Other>): Promise<FluentBundle> {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const names = [...more].map((name) => `/${language}/${name}.ftl`);
  const wanted = Object.entries(others).filter(([path]) =>
    names.some((name) => path.endsWith(name)),
  );
  const [{ default: own }, ...rest] = await Promise.all([
    SOURCES[language](),
    ...wanted.map(([, load]) => load()),
  ]);
  for (const source of [...own, ...rest]) {
    bundle.addResource(new FluentResource(source));
  }
  return bundle;
}

class Texts {
  language = $state<Language>(preferred());
  #bundle = $state.raw<FluentBundle | null>(null);
  /** The other catalogues that are spoken from now on. */
  readonly #more = new Set<Other>();

  get ready(): boolean {
    return this.#bundle !== null;
  }

  /** How numbers and dates are written. */
  get locale(): string {
    return this.language === "en" ? "en-GB" : "tr";
  }

  /** Load a language and speak it from now on. */
  use(language: Language): Promise<void> {
    const used = this.#learning.then(async () => {
      this.#bundle = await bundleOf(language, this.#more);
      this.language = language;
      document.documentElement.lang = language;
      localStorage.setItem("okey101.language", language);
    });
    this.#learning = used.catch(() => undefined);
    return used;
  }

  /** Speak other catalogues too; resolves once their words are there, with the network if need be. */
  learn(...names: Other[]): Promise<void> {
    if (!names.every((name) => this.#more.has(name))) {
      for (const name of names) this.#more.add(name);
      this.#learning = this.#learning.then(() => this.#load());
    }
    return this.#learning;
  }

  /** One after the other: no slower one puts back what knew less, or another language. */
  #learning = Promise.resolve();

  async #load(): Promise<void> {
    for (;;) {
      try {
        this.#bundle = await bundleOf(this.language, this.#more);
        return;
      } catch {
        await new Promise((go) => setTimeout(go, AGAIN));
      }
    }
  }

  #refusals: Promise<void> | undefined;

  /** The words for all that the server may refuse, which most people never need; not for long. */
  refusals(): Promise<void> {
    this.#refusals ??= this.learn("server", "game");
    return Promise.race([this.#refusals, new Promise<void>((go) => setTimeout(go, AGAIN))]);
  }

  has(key: string): boolean {
    return this.#bundle?.hasMessage(key) ?? false;
  }

  /** A message with its arguments; the key itself where there is none. */
  say = (key: string, args?: Record<string, FluentVariable>): string => {
    const message = this.#bundle?.getMessage(key);
    if (!this.#bundle || !message?.value) return key;
    return this.#bundle.formatPattern(message.value, args);
  };

  /** The sentence for an error's code and details, the server's own where no catalogue has one. */
  error(error: Pick<Refused, "code"> & Partial<Refused>): string {
    const args: Record<string, FluentVariable> = {};
    for (const [name, value] of Object.entries(error.details ?? {})) {
      args[name] = typeof value === "number" ? value : String(value);
    }
    for (const key of [`error-${error.code}`, `error-${error.code}-plain`]) {
      const lacking: Error[] = [];
      const words = this.#bundle?.getMessage(key)?.value;
      const told = words && this.#bundle?.formatPattern(words, args, lacking);
      if (told && lacking.length === 0) return told;
    }
    return error.message ?? error.code;
  }
}

export const texts = new Texts();

/** What loads a part of the page together with the words that are read nowhere else. */
export const worded =
  <T>(load: () => Promise<T>, ...words: Other[]): (() => Promise<T>) =>
  async () =>
    (await Promise.all([load(), texts.learn(...words)]))[0];

/** A point in time in the current language. */
export function when(ms: number): string {
  const format = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(texts.locale, format).format(ms);
}

/** Names as one says them. One alone is no list: what joins them takes a slow phone 12 ms to make. */
export function listed(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? "") : new Intl.ListFormat(texts.language).format(names);
}

/** A message in the current language. */
export const t = texts.say;
