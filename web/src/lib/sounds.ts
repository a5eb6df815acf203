/** Small sounds, made as they are needed; each goes with something that is seen. */

import { settings } from "./settings.svelte";

export type Sound =
  "draw" | "discard" | "lay" | "open" | "turn" | "tick" | "fine" | "win" | "error";

type Note = [frequency: number, start: number, length: number, shape?: OscillatorType];

const NOTES: Record<Sound, Note[]> = {
  draw: [[520, 0, 0.05, "triangle"]],
  discard: [[260, 0, 0.06, "square"]],
  lay: [
    [620, 0, 0.05, "triangle"],
    [780, 0.05, 0.05, "triangle"],
  ],
  open: [
    [440, 0, 0.1],
    [554, 0.09, 0.1],
    [659, 0.18, 0.16],
  ],
  turn: [
    [660, 0, 0.09],
    [880, 0.1, 0.14],
  ],
  tick: [[900, 0, 0.02, "square"]],
  fine: [
    [220, 0, 0.16, "sawtooth"],
    [170, 0.15, 0.2, "sawtooth"],
  ],
  win: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.12],
    [1047, 0.36, 0.3],
  ],
  error: [[180, 0, 0.12, "square"]],
};

let context: AudioContext | null = null;

/** Play a sound, unless sounds are off or nothing has been touched yet. */
export function play(sound: Sound): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [frequency, at, length, shape] of NOTES[sound]) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = shape ?? "sine";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(settings.volume * 0.4, start + at);
    gain.gain.exponentialRampToValueAtTime(0.001, start + at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + length);
  }
}
