/** Made by scripts/make_docs.py from the server's words: don't edit. */

export const PRESETS = ["altinstar", "pagat", "wiki"] as const;

export const BOTS = ["novice", "greedy", "neural"] as const;

export const OWN_BOTS = [
  "random",
  "novice",
  "greedy",
  "steady",
  "master",
  "neural",
  "search",
  "champion",
] as const;

export const POINTS = {
  novice: -37,
  greedy: 0,
  neural: 16,
  champion: 19,
} as const;

export const STAND_IN = "steady" as const;

export const PHRASES = [
  "hello",
  "good-luck",
  "well-played",
  "thanks",
  "sorry",
  "hurry",
  "one-moment",
  "bad-tiles",
  "goodbye",
  "emoji-smile",
  "emoji-laugh",
  "emoji-wow",
  "emoji-cry",
  "emoji-angry",
  "emoji-clap",
  "emoji-thumb",
  "emoji-tea",
  "emoji-nazar",
] as const;
