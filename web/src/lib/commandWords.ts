/** Made by scripts/make_docs.py from the server's words: don't edit. */

export const COMMANDS = {
  draw: {
    en: ["d", "draw"],
    tr: ["c", "cek", "yerden", "yerden cek"],
  },
  take: {
    en: ["t", "take"],
    tr: ["y", "al", "yandan", "yandan al"],
  },
  return: {
    en: ["r", "return"],
    tr: ["g", "birak", "geri birak"],
  },
  open: {
    en: ["o", "open"],
    tr: ["a", "ac", "el ac"],
  },
  "open-pairs": {
    en: ["op", "open pairs", "pairs"],
    tr: ["ca", "cift ac", "cift"],
  },
  meld: {
    en: ["m", "meld"],
    tr: ["indir", "ser", "per"],
  },
  lay: {
    en: ["l", "lay"],
    tr: ["i", "isle"],
  },
  "lay-all": {
    en: ["la", "lay all"],
    tr: ["it", "isle tumu", "tumunu isle"],
  },
  discard: {
    en: ["x", "discard"],
    tr: ["at"],
  },
  back: {
    en: ["b", "back", "undo"],
    tr: ["ga", "geri al"],
  },
  announce: {
    en: ["announce"],
    tr: ["soyle"],
  },
  pass: {
    en: ["p", "pass"],
    tr: ["pas", "gec"],
  },
  indicator: {
    en: ["indicator"],
    tr: ["gosterge"],
  },
  swap: {
    en: ["swap"],
    tr: ["degis", "okey al"],
  },
  "sort-melds": {
    en: ["s", "sort", "sort melds"],
    tr: ["diz", "sd", "seri diz", "seri"],
  },
  "sort-pairs": {
    en: ["sp", "sort pairs"],
    tr: ["cd", "cift diz"],
  },
  ready: {
    en: ["ready"],
    tr: ["hazir"],
  },
  table: {
    en: ["table"],
    tr: ["masa"],
  },
  rack: {
    en: ["rack", "hand"],
    tr: ["istaka", "el"],
  },
  help: {
    en: ["help", "?"],
    tr: ["yardim"],
  },
} as const;

export const SHAPES = {
  draw: {
    en: "draw",
    tr: "çek",
  },
  take: {
    en: "take",
    tr: "yandan",
  },
  return: {
    en: "return",
    tr: "bırak",
  },
  open: {
    en: "open",
    tr: "el aç",
  },
  "open-pairs": {
    en: "open pairs",
    tr: "çift aç",
  },
  meld: {
    en: "meld",
    tr: "indir",
  },
  lay: {
    en: "lay K5 > 3",
    tr: "işle K5 > 3",
  },
  "lay-all": {
    en: "lay all",
    tr: "işle tümü",
  },
  discard: {
    en: "discard R9",
    tr: "at R9",
  },
  back: {
    en: "back 2",
    tr: "geri al 2",
  },
  announce: {
    en: "announce",
    tr: "söyle",
  },
  pass: {
    en: "pass",
    tr: "pas",
  },
  indicator: {
    en: "indicator",
    tr: "gösterge",
  },
  swap: {
    en: "swap R8 > 3",
    tr: "değiş R8 > 3",
  },
  "sort-melds": {
    en: "sort",
    tr: "diz",
  },
  "sort-pairs": {
    en: "sort pairs",
    tr: "çift diz",
  },
  ready: {
    en: "ready",
    tr: "hazır",
  },
  table: {
    en: "table",
    tr: "masa",
  },
  rack: {
    en: "rack",
    tr: "ıstaka",
  },
  help: {
    en: "help",
    tr: "yardım",
  },
} as const;

export const TILE_WORDS = {
  kirmizi: "R",
  red: "R",
  sari: "Y",
  yellow: "Y",
  mavi: "B",
  blue: "B",
  siyah: "K",
  black: "K",
  "sahte okey": "F",
  "false joker": "F",
  okey: "*",
} as const;
