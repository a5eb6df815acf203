/** Who plays on this device. */

import { api, ApiError, type Me } from "./api";
import { t, texts } from "./i18n.svelte";

const KEPT = "okey101.name";

/** The name that was last chosen on this device, or nothing. */
export function keptName(): string {
  return localStorage.getItem(KEPT) ?? "";
}

function madeUp(): string {
  return t("page-guest-name", { number: Math.floor(100 + Math.random() * 900) });
}

const OF_THE_DEVICE = ["okey101.language", "okey101.settings"];

/** Empty what this device keeps of a person; how the page looks and speaks stays. */
export function forget(): void {
  for (const key of Object.keys(localStorage)) {
    if (!OF_THE_DEVICE.includes(key)) localStorage.removeItem(key);
  }
}

class Myself {
  user = $state.raw<Me | null>(null);

  /** Find out whether there is a session; having none is fine. */
  async look(): Promise<void> {
    try {
      this.user = (await api.session()).user;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.user = null;
    }
  }

  /**
   * Get a session under a name: a new guest, or a new name for the existing one.
   *
   * Without a name a person stays the same, or gets a temporary name, which is not kept.
   */
  async become(name: string): Promise<void> {
    const chosen = name.trim();
    if (this.user === null) this.user = await api.guest(chosen || madeUp(), texts.language);
    else if (chosen === "" || chosen === this.user.name || this.user.account) return;
    else this.user = await api.rename(chosen);
    if (chosen !== "") localStorage.setItem(KEPT, chosen);
  }
}

export const me = new Myself();
