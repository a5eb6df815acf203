/** What the player likes: colours, sizes, sounds, motion, keys. Kept on this device. */

/** What moves, and what sounds: each can be switched off by itself. */
export const MOTIONS = ["motion-deal", "motion-tiles", "motion-end"] as const;
export const SOUNDS = [
  "sound-tiles",
  "sound-deal",
  "sound-turn",
  "sound-clock",
  "sound-fines",
  "sound-end",
] as const;
export type MotionKind = (typeof MOTIONS)[number];
export type SoundKind = (typeof SOUNDS)[number];

export interface Chosen {
  palette: "safe" | "classic";
  tileSize: "normal" | "large";
  sound: boolean;
  volume: number;
  motion: "system" | "none";
  /** The kinds of motion and sound that are switched off by themselves. */
  off: readonly (MotionKind | SoundKind)[];
  keys: boolean;
  /** Whether what was drawn is sorted in at once, as long as the player moves nothing. */
  tidy: boolean;
  /** Whether bots say something now and then. */
  chatter: boolean;
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
  off: [],
  keys: true,
  tidy: true,
  chatter: true,
  badge: true,
  vibration: true,
  awake: true,
};
const NAME = "okey101.settings";

function read(): Chosen {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Chosen>;
    return { ...STANDARD, ...kept, off: Array.isArray(kept.off) ? kept.off : [] };
  } catch {
    return { ...STANDARD };
  }
}

export const settings = $state<Chosen>(read());

/** Change some of it, and keep it with what another window has chosen meanwhile. */
export function choose(changes: Partial<Chosen>): void {
  Object.assign(settings, read(), changes);
  localStorage.setItem(NAME, JSON.stringify(settings));
}

/** Switch one kind of motion or sound on or off. */
export function chooseKind(kind: MotionKind | SoundKind, on: boolean): void {
  const others = read().off.filter((one) => one !== kind);
  choose({ off: on ? others : [...others, kind] });
}

/** Whether such things may move on the screen: what the system asks for wins. */
export function mayMove(kind: MotionKind): boolean {
  const still = settings.motion === "none" || settings.off.includes(kind);
  return !still && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether such things may be heard. */
export function maySound(kind: SoundKind): boolean {
  return settings.sound && !settings.off.includes(kind);
}
