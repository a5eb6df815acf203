/** Which screen is shown: the path of the address, without a separate page for each. */

import { screenOf, type Screen } from "./screens";

class Router {
  path = $state(location.pathname);
  /** The screen that was shown before this one. */
  before: Screen | null = null;

  constructor() {
    window.addEventListener("popstate", () => this.#follow());
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#follow();
    window.scrollTo(0, 0);
  }

  #follow(): void {
    if (this.path === location.pathname) return;
    this.before = this.at.screen;
    this.path = location.pathname;
  }

  at = $derived(screenOf(this.path));
}

export const router = new Router();
