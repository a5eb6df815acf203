/** Made by scripts/make_docs.py from the server's words: don't edit. */

export const CLOSE = {
  UNSUPPORTED: 1003,
  POLICY: 1008,
  TOO_LARGE: 1009,
  FAILED: 1011,
  RESTART: 1012,
  CROWDED: 1013,
  REPLACED: 4001,
  GONE: 4002,
  KICKED: 4003,
  UNSEEN: 4004,
  SILENT: 4008,
  SIGNED_OUT: 4401,
} as const;
