import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  choose,
  chooseKind,
  mayMove,
  maySound,
  MOTIONS,
  settings,
  SOUNDS,
  type SoundKind,
} from "../src/lib/settings.svelte";
import { buzz, play, type Sound } from "../src/lib/sounds";

const OF_KIND: Record<SoundKind, Sound[]> = {
  "sound-tiles": ["draw", "discard", "lay", "open"],
  "sound-deal": ["deal"],
  "sound-turn": ["turn"],
  "sound-clock": ["tick"],
  "sound-fines": ["fine", "error"],
  "sound-end": ["win", "end"],
};
const ALL = Object.entries(OF_KIND).flatMap(([kind, sounds]) =>
  sounds.map((sound): [Sound, SoundKind] => [sound, kind as SoundKind]),
);

let bursts = 0;
let state = "running";

/** A sounding device that counts what it is asked for. */
class Device {
  currentTime = 0;
  sampleRate = 8;
  destination = {};
  resume = (): unknown => (state = "running");
  suspend = (): unknown => (state = "suspended");
  #part = (): object => ({
    connect: (next: object) => next,
    frequency: {},
    Q: {},
    gain: { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
    start: () => (bursts += 1),
    stop: vi.fn(),
  });
  createBuffer = (): object => ({ getChannelData: () => [] });
  createBufferSource = this.#part;
  createBiquadFilter = this.#part;
  createGain = this.#part;
}

function heard(sound: Sound): boolean {
  const before = bursts;
  play(sound);
  return bursts > before;
}

function reduced(matches: boolean): void {
  vi.stubGlobal("matchMedia", () => ({ matches }));
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  choose({ sound: true, motion: "system", off: [] });
  vi.stubGlobal("AudioContext", Device);
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  reduced(false);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("sounds", () => {
  it("lets the device sleep when nothing has sounded for some time", () => {
    play("draw");
    vi.advanceTimersByTime(4_000);
    play("discard");
    vi.advanceTimersByTime(4_000);
    expect(state).toBe("running");
    vi.advanceTimersByTime(2_000);
    expect(state).toBe("suspended");
    expect(heard("turn")).toBe(true);
    expect(state).toBe("running");
  });

  it.each(ALL)("%s goes with %s alone", (sound, kind) => {
    expect(heard(sound)).toBe(true);
    chooseKind(kind, false);
    expect(heard(sound)).toBe(false);
    expect(SOUNDS.filter(maySound)).toEqual(SOUNDS.filter((one) => one !== kind));
    chooseKind(kind, true);
    expect(heard(sound)).toBe(true);
  });

  it("are all off by one switch, and before anything was touched", () => {
    choose({ sound: false });
    expect(ALL.filter(([sound]) => heard(sound))).toEqual([]);
    choose({ sound: true });
    vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
    expect(ALL.filter(([sound]) => heard(sound))).toEqual([]);
  });
});

describe("a tile in the hand", () => {
  it("is felt, unless that is switched off or nothing was touched yet", () => {
    const vibrate = vi.fn();
    const touched = (hasBeenActive: boolean): unknown =>
      vi.stubGlobal("navigator", { vibrate, userActivation: { hasBeenActive } });
    touched(true);
    buzz();
    expect(vibrate).toHaveBeenCalledTimes(1);
    choose({ vibration: false });
    buzz();
    choose({ vibration: true });
    touched(false);
    buzz();
    expect(vibrate).toHaveBeenCalledTimes(1);
  });
});

describe("motion", () => {
  it.each(MOTIONS)("%s has a switch of its own", (kind) => {
    expect(mayMove(kind)).toBe(true);
    chooseKind(kind, false);
    expect(MOTIONS.filter(mayMove)).toEqual(MOTIONS.filter((one) => one !== kind));
  });

  it("is off by one switch, and where the system asks for it whatever is chosen here", () => {
    choose({ motion: "none" });
    expect(MOTIONS.filter(mayMove)).toEqual([]);
    choose({ motion: "system" });
    reduced(true);
    expect(MOTIONS.filter(mayMove)).toEqual([]);
  });
});

describe("what is switched off", () => {
  it("is kept on this device", async () => {
    chooseKind("sound-clock", false);
    chooseKind("motion-deal", false);
    vi.resetModules();
    const again = await import("../src/lib/settings.svelte");
    expect(again.settings.off).toEqual(["sound-clock", "motion-deal"]);
    expect(again.maySound("sound-clock")).toBe(false);
    expect(again.mayMove("motion-tiles")).toBe(true);
  });

  it("is nothing where something else was kept by an earlier page", async () => {
    localStorage.setItem("okey101.settings", '{"sound": false, "off": "all"}');
    vi.resetModules();
    const again = await import("../src/lib/settings.svelte");
    expect([again.settings.off, again.settings.sound]).toEqual([[], false]);
    expect(settings.off).toEqual([]);
  });
});
