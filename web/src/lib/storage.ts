/** A browser that may keep nothing, or has no room for more, shows the page all the same. */

/** In place of what the browser forbids: it is kept until the page is closed. */
const FORGETFUL = {
  getItem(this: Record<string, string>, key: string): string | null {
    return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
  },
  setItem(this: Record<string, string>, key: string, value: string): void {
    this[key] = value;
  },
  removeItem(this: Record<string, string>, key: string): void {
    Reflect.deleteProperty(this, key);
  },
  clear(this: Record<string, string>): void {
    for (const key of Object.keys(this)) Reflect.deleteProperty(this, key);
  },
};

/** As many characters are to be free: what the racks of thirty tables take. */
const ROOM = 1 << 15;

/** Let go of the racks of old tables where there is no more room; throws where there is none even so. */
function makeRoom(storage: Storage): void {
  const probe = "okey101.room";
  try {
    storage.setItem(probe, " ".repeat(ROOM));
  } catch {
    for (const key of Object.keys(storage))
      if (key.startsWith("okey101.rack.")) storage.removeItem(key);
    storage.setItem(probe, "");
  }
  storage.removeItem(probe);
}

for (const name of ["localStorage", "sessionStorage"] as const) {
  try {
    makeRoom(window[name]);
  } catch {
    Object.defineProperty(window, name, { value: Object.create(FORGETFUL) });
  }
}
