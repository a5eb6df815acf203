import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// The server to talk to while the page is being worked on: `okey101 serve`.
const server = process.env.OKEY101_SERVER ?? "http://127.0.0.1:8101";

const version = /__version__ = "(.+?)"/.exec(
  readFileSync("../src/okey101/__init__.py", "utf8"),
)?.[1];
if (!version) throw new Error("src/okey101/__init__.py names no __version__");

/** Names the service worker after what was built, so that browsers notice another build. */
function namedWorker(): Plugin {
  return {
    name: "named-worker",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      const name = createHash("sha256").update(Object.keys(bundle).sort().join()).digest("hex");
      const file = join(dir, "sw.js");
      const worker = readFileSync(file, "utf8");
      if (!worker.includes("-BUILD")) throw new Error("sw.js has no place for the build's name");
      writeFileSync(file, worker.replace("-BUILD", `-${name.slice(0, 12)}`));
    },
  };
}

export default defineConfig({
  plugins: [svelte(), namedWorker()],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: "../src/okey101/_web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
  },
  server: {
    fs: { allow: [".."] },
    proxy: {
      "/api": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
