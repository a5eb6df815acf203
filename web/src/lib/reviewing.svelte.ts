/** A match's review while it is made: asked for, looked at again until it is there. */

import type { ReviewAnswer } from "./answers";
import { api, ApiError } from "./api";
import { t, texts } from "./i18n.svelte";

const AGAIN = 700;
/** After how long it is asked again where the server could not answer. */
const LATER = 3000;

export class Reviewing {
  answer = $state.raw<ReviewAnswer | null>(null);
  problem = $state("");
  /** How many seconds it will take yet; null while nobody knows. */
  left = $state<number | null>(null);
  #timer = 0;
  #closed = false;
  /** When the first part of the work was seen done, and how much that was. */
  #begun: { at: number; done: number } | null = null;

  constructor(readonly id: string) {}

  /** What is left of the work, in words; empty while nobody knows. */
  get soon(): string {
    if (this.left === null) return "";
    return this.left < 90
      ? t("review-soon", { seconds: Math.max(5, Math.ceil(this.left / 5) * 5) })
      : t("review-minutes", { minutes: Math.ceil(this.left / 60) });
  }

  /** Ask for the review, and again until it is made. */
  async ask(start = false): Promise<void> {
    try {
      await texts.learn("review");
      const answer = await (start ? api.askReview(this.id) : api.review(this.id));
      this.answer = answer;
      this.#measure(answer);
      if (answer.code) await texts.refusals();
      this.problem = answer.code ? texts.error({ code: answer.code }) : "";
      if (this.#closed || answer.state === "done" || answer.state === "failed") return;
      if (answer.state === "none") return void this.ask(true);
      this.#timer = window.setTimeout(() => void this.ask(), AGAIN);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = texts.error(error.refusal);
      if (this.#closed || (error.status > 0 && error.status < 500)) return;
      this.#timer = window.setTimeout(() => void this.ask(), LATER);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #measure({ state, done = 0, total = 0 }: ReviewAnswer): void {
    if (state !== "working" || done === 0) return;
    this.#begun ??= { at: Date.now(), done };
    const more = done - this.#begun.done;
    if (more > 0)
      this.left = Math.ceil(((Date.now() - this.#begun.at) / 1000 / more) * (total - done));
  }
}
