/** Who plays on this device. */

import { api, ApiError, type Me, onRefusal } from "./api";
import { aFace, faceOfPerson } from "./faces";
import { t, texts, type Language } from "./i18n.svelte";

const KEPT = "okey101.name";
const FACE = "okey101.face";

/** The face of who has no name yet: drawn at the first visit, and the same from then on. */
function drawnFace(): number {
  const face = Number(localStorage.getItem(FACE) ?? aFace());
  localStorage.setItem(FACE, String(face));
  return face;
}

/** The name that was last chosen on this device, or nothing. */
export function keptName(): string {
  return localStorage.getItem(KEPT) ?? "";
}

function madeUp(): string {
  return t("page-guest-name", { number: Math.floor(100 + Math.random() * 900) });
}

/** What the server said last about who this is, so that a visit need not wait for it. */
const LAST = "okey101.me";

function lastKnown(): Me | null {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "null") as Me | null;
  } catch {
    return null;
  }
}

const OF_THE_DEVICE = ["okey101.language", "okey101.settings", FACE];

/** Empty what this device keeps of a person; how the page looks and speaks stays. */
export function forget(): void {
  for (const key of Object.keys(localStorage)) {
    if (!OF_THE_DEVICE.includes(key)) localStorage.removeItem(key);
  }
  void import("idb-keyval").then(({ clear }) => clear()).catch(() => undefined);
}

class Myself {
  #user = $state.raw<Me | null>(lastKnown());
  #looking: Promise<void> = Promise.resolve();
  readonly #drawn = drawnFace();
  /** The name that the server proposes to who has none yet. */
  proposed = $state<string | null>(null);
  /** Whether whoever runs the server has written a privacy notice. */
  notice = $state(false);
  /** Whether the server was asked who this is, and has answered if it can. */
  looked = $state(false);
  /** Counts how often the server said that this is somebody else than was thought. */
  found = $state(0);

  constructor() {
    // It may have been ended in another tab, or from another device.
    onRefusal.unauthorised = () => void (this.user = null);
  }

  /** Who has the session; before the server has answered, who had it last. */
  get user(): Me | null {
    return this.#user;
  }

  set user(user: Me | null) {
    this.#user = user;
    if (user) localStorage.setItem(LAST, JSON.stringify(user));
    else localStorage.removeItem(LAST);
  }

  /** One's own face; of who is nobody yet the one that was drawn, whatever name is typed. */
  get face(): number {
    if (this.#user?.name) return faceOfPerson(this.#user.name, this.#user.face);
    return this.#drawn;
  }

  /** Find out whether there is a session; having none is fine. */
  look(): Promise<void> {
    this.#looking = this.#look().finally(() => (this.looked = true));
    return this.#looking;
  }

  async #look(): Promise<void> {
    const before = this.#user?.id;
    try {
      const { user, proposed, notice } = await api.session(texts.language);
      this.user = user;
      this.proposed = proposed ?? null;
      this.notice = notice;
      if (this.#user?.id !== before) this.found += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // While the server says nothing of it one stays who one is.
      if (error.code === "banned") this.user = null;
    }
  }

  /** Speak another language from now on; what the server sends to a closed page is in it too. */
  async speak(language: Language): Promise<void> {
    await texts.use(language);
    const told = this.#looking.then(async () => {
      if (this.user && this.user.language !== texts.language)
        this.user = await api.setLanguage(texts.language);
    });
    this.#looking = told.catch(() => undefined);
    return this.#looking;
  }

  /**
   * Get a session under a name: a new guest, or a new name for the existing one.
   *
   * Without a name a person stays the same, or gets a temporary name, which is not kept.
   */
  become(name: string): Promise<void> {
    // One after the other: a button that is tapped twice makes no second guest.
    const done = this.#looking.then(() => this.#become(name.trim()));
    this.#looking = done.catch(() => undefined);
    return done;
  }

  async #become(chosen: string): Promise<void> {
    // Another window has become somebody: a second guest would end the first one's session.
    if (this.user === null && lastKnown()) await this.#look();
    if (this.user === null)
      this.user = await api.guest(chosen || this.proposed || madeUp(), texts.language, this.face);
    else if (chosen === "" || chosen === this.user.name || this.user.account) return;
    else this.user = await api.rename(chosen);
    if (chosen !== "") localStorage.setItem(KEPT, chosen);
  }
}

export const me = new Myself();
// Another window has the same session: there whoever this is may have signed out.
window.addEventListener("storage", () => {
  if (me.user && lastKnown()?.id !== me.user.id) void me.look();
});
