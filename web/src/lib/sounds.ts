/**
 * Small sounds, made as they are needed; each goes with something that is seen.
 *
 * Wood on wood: a burst of noise through a narrow filter. The narrower, the longer it rings, so that
 * a glass is a burst as well.
 */

import { maySound, settings, type SoundKind } from "./settings.svelte";

export type Sound =
  "draw" | "discard" | "lay" | "open" | "turn" | "tick" | "fine" | "win" | "end" | "deal" | "error";

/** By which switch each goes. */
const KINDS: Record<Sound, SoundKind> = {
  draw: "sound-tiles",
  discard: "sound-tiles",
  lay: "sound-tiles",
  open: "sound-tiles",
  deal: "sound-deal",
  turn: "sound-turn",
  tick: "sound-clock",
  fine: "sound-fines",
  error: "sound-fines",
  win: "sound-end",
  end: "sound-end",
};

type Burst = [frequency: number, start: number, length: number, narrow?: number];

const GLASS = 70;
const BURSTS: Record<Sound, Burst[]> = {
  draw: [[1500, 0, 0.05]],
  discard: [
    [950, 0, 0.07],
    [420, 0.005, 0.06],
  ],
  lay: [
    [1250, 0, 0.05],
    [1600, 0.07, 0.05],
  ],
  open: [
    [1000, 0, 0.06],
    [1200, 0.08, 0.06],
    [1450, 0.16, 0.06],
    [1700, 0.24, 0.08],
  ],
  turn: [
    [1800, 0, 0.05, 9],
    [2300, 0.13, 0.07, 9],
  ],
  tick: [[2600, 0, 0.02]],
  fine: [
    [330, 0, 0.14],
    [240, 0.15, 0.2],
  ],
  win: [
    [240, 0.18, 0.16],
    [1000, 0, 0.06],
    [1300, 0.09, 0.06],
    [1600, 0.18, 0.06],
    [2350, 0.95, 0.9, GLASS],
    [3720, 0.95, 0.6, GLASS],
  ],
  // The last tile comes down with a slam, then a glass clinks.
  end: [
    [240, 0.18, 0.16],
    [2350, 0.95, 0.5, GLASS],
  ],
  deal: Array.from({ length: 7 }, (_, index): Burst => [
    1300 + 60 * (index % 3),
    0.16 * index,
    0.04,
  ]),
  error: [[260, 0, 0.12]],
};

/** How long the device is kept awake after the last sound: asleep it costs no battery. */
const AWAKE_MS = 5_000;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let sleeping: ReturnType<typeof setTimeout> | undefined;

function noiseOf(sounding: AudioContext): AudioBuffer {
  const buffer = sounding.createBuffer(1, sounding.sampleRate, sounding.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
  return buffer;
}

/** Wake the device, and let it sleep when nothing has sounded for some time. */
function wake(sounding: AudioContext): void {
  void sounding.resume(); // also where it is about to sleep
  clearTimeout(sleeping);
  sleeping = setTimeout(() => void sounding.suspend(), AWAKE_MS);
}

/** Play a sound, unless its kind is off or nothing has been touched yet. */
export function play(sound: Sound): void {
  if (!maySound(KINDS[sound]) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  noise ??= noiseOf(context);
  wake(context);
  const start = context.currentTime; // which stands still until the device is awake
  for (const [frequency, at, length, narrow = 3] of BURSTS[sound]) {
    const burst = context.createBufferSource();
    const filter = context.createBiquadFilter();
    const gain = context.createGain();
    burst.buffer = noise;
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = narrow;
    // What a narrow filter leaves is faint.
    gain.gain.setValueAtTime(settings.volume * Math.sqrt(narrow), start + at);
    gain.gain.exponentialRampToValueAtTime(0.001, start + at + length);
    burst.connect(filter).connect(gain).connect(context.destination);
    burst.start(start + at);
    burst.stop(start + at + length);
  }
}

/** How long a tile is felt in the hand, in milliseconds. */
const TICK = 8;

/** Let the device tremble; browsers refuse it, and complain, before the page was touched. */
export function buzz(ms = TICK): void {
  const touched = navigator.userActivation?.hasBeenActive !== false;
  if (settings.vibration && touched) navigator.vibrate?.(ms);
}
