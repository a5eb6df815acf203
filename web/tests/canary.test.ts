import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";

const WEB = resolve(import.meta.dirname, "..");
let folder: string;

/** A folder with the page's own configuration of the check, and one component. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "okey101-canary-"));
  for (const name of ["svelte.config.js", "tsconfig.json"]) {
    cpSync(join(WEB, name), join(folder, name));
  }
  symlinkSync(join(WEB, "node_modules"), join(folder, "node_modules"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(body: string): ReturnType<typeof spawnSync> {
  cpSync(join(WEB, "src/vite-env.d.ts"), join(folder, "src/vite-env.d.ts"));
  writeFileSync(
    join(folder, "src/Canary.svelte"),
    `<script lang="ts">\n${body}\n</script>\n{count}`,
  );
  const tool = join(WEB, "node_modules/svelte-check/bin/svelte-check");
  const words = [tool, "--fail-on-warnings", "--workspace", folder];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
}

it("passes what is right", () => {
  const done = check("const count: number = 1;");
  expect(done.stdout).toContain("0 errors");
  expect(done.status).toBe(0);
}, 60_000);

it("fails on a wrong type", () => {
  const done = check('const count: number = "one";');
  expect(done.stdout).toContain("not assignable to type 'number'");
  expect(done.status).not.toBe(0);
}, 60_000);
