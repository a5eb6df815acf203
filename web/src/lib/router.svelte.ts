/** Which screen is shown: the path of the address, without a separate page for each. */

import { screenOf } from "./screens";

class Router {
  path = $state(location.pathname);

  constructor() {
    window.addEventListener("popstate", () => (this.path = location.pathname));
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.path = location.pathname;
    window.scrollTo(0, 0);
  }

  at = $derived(screenOf(this.path));
}

export const router = new Router();
