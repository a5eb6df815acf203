/** Who plays on this device. */

import { api, ApiError, type Me } from "./api";
import { texts } from "./i18n.svelte";

class Myself {
  user = $state.raw<Me | null>(null);

  /** Find out whether there is a session; being nobody is fine. */
  async look(): Promise<void> {
    try {
      this.user = (await api.session()).user;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.user = null;
    }
  }

  /** Have a session under a name: a new guest, or another name for the one there is. */
  async become(name: string): Promise<void> {
    if (this.user === null) this.user = await api.guest(name, texts.language);
    else if (this.user.name !== name && !this.user.account) this.user = await api.rename(name);
    localStorage.setItem("okey101.name", name);
  }
}

export const me = new Myself();
