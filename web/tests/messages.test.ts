import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { compileFromFile } from "json-schema-to-typescript";
import { expect, it } from "vitest";

const WEB = resolve(import.meta.dirname, "..");

it.each([
  ["../clients/js/src/messages.ts", "protocol.schema.json"],
  ["../clients/js/src/answers.ts", "http.schema.json"],
])(
  "%s has the types of the server's schema; mend it with `npm run types`",
  async (file, schema) => {
    const kept = resolve(WEB, file);
    const options = { ignoreMinAndMaxItems: true };
    const made = await compileFromFile(resolve(WEB, "../docs", schema), options);
    const tool = resolve(WEB, "node_modules/prettier/bin/prettier.cjs");
    const words = [tool, "--stdin-filepath", kept];
    const tidy = spawnSync(process.execPath, words, { cwd: WEB, encoding: "utf8", input: made });
    expect(tidy.status, tidy.stderr).toBe(0);
    expect(await readFile(kept, "utf8")).toBe(tidy.stdout);
  },
  30_000,
);
