/** What the player likes: colours, sizes, sounds, motion, keys. Kept on this device. */

export interface Chosen {
  palette: "safe" | "classic";
  tileSize: "normal" | "large";
  sound: boolean;
  volume: number;
  motion: "system" | "none";
  keys: boolean;
  doubleTap: "flip" | "discard";
  badge: boolean;
  vibration: boolean;
  awake: boolean;
}

const STANDARD: Chosen = {
  palette: "classic",
  tileSize: "normal",
  sound: true,
  volume: 0.3,
  motion: "system",
  keys: true,
  doubleTap: "flip",
  badge: true,
  vibration: true,
  awake: true,
};
const NAME = "okey101.settings";

function read(): Chosen {
  try {
    return { ...STANDARD, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Chosen>) };
  } catch {
    return { ...STANDARD };
  }
}

export const settings = $state<Chosen>(read());

/** Change some of it, and keep it. */
export function choose(changes: Partial<Chosen>): void {
  Object.assign(settings, changes);
  localStorage.setItem(NAME, JSON.stringify(settings));
}

/** Whether things may move on the screen. */
export function mayMove(): boolean {
  return (
    settings.motion === "system" && !window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
