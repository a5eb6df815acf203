import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

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

/** Puts the style into the page itself: a slow line shows something one round trip earlier. */
function styleInside(): Plugin {
  return {
    name: "style-inside",
    apply: "build",
    writeBundle({ dir = "" }) {
      const file = join(dir, "index.html");
      const page = readFileSync(file, "utf8");
      const links = /<link rel="stylesheet"[^>]* href="(.+?)">/g;
      const inside = page.replace(links, (_, path: string) => {
        return `<style>${readFileSync(join(dir, path), "utf8").trim()}</style>`;
      });
      if (inside === page) throw new Error("index.html has no style sheet");
      writeFileSync(file, inside);
    },
  };
}

/** What belongs to lists to choose from, which come with the screens that have them. */
const LISTS = /\/node_modules\/svelte\/.*select/;

/**
 * What every first visit needs besides the start page itself, as one file: a dozen small ones, each
 * with its own request, keep a slow phone from showing anything.
 */
const BASE = new RegExp(
  "/node_modules/(svelte|esm-env|clsx|@fluent)/(?!.*select)|vite/preload-helper|" +
    "/src/components/(Portrait|TileFace)|/clients/js/src/refusal|" +
    "/src/lib/(api|botLevels|botNames|faces|i18n\\.svelte|leftTable|me\\.svelte|random|refused|router\\.svelte|rules|screens|settings\\.svelte|storage|tiles|vocabulary)\\.ts",
);

/** What the table needs besides itself and shares with other screens. */
const SHARED = new RegExp(
  "/node_modules/(@noble/hashes/(_md|sha2|utils)\\.js$|idb-keyval/)|" +
    "/clients/js/src/fair\\.|/src/components/TeaGlass|" +
    "/src/lib/(clipboard|fairness|frames|moments\\.svelte|rack|retried|sounds|takeSeat|witness|words)\\.ts",
);

/** What a wide table shows at its side. */
const BESIDE = /\/src\/components\/(MoveList|MoveTiles|Phrases|SideColumn)\./;

/** What the table loads a moment later: there are thirty of them. */
const LATER = new RegExp(
  "/src/components/(Confirm|Fair|HintCard|Luck|Moments|NameField|ReviewWait|RuleNotes|ScoreSheet|SidePanel|Sign)\\.|" +
    "/src/lib/(again|dismissing|fairCheck|fairDeal|fairRecord|hintWords|reviewWords|shownTiles|reviewing\\.svelte)\\.ts",
);

const PACKED = /\.(js|css|html|svg|webmanifest)$/;

/**
 * Lists every file with its SHA-256, as `sha256sum` does: the same on any machine, so that a page that is
 * served can be compared with one that was built elsewhere. Every text is packed beside itself, so
 * that the server need not; what packs it differs by machine.
 */
function printed(): Plugin {
  let dir = "";
  return {
    name: "printed",
    apply: "build",
    writeBundle(options) {
      dir = options.dir ?? "";
    },
    closeBundle() {
      const files = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      const lines = files.map((file) => {
        const data = readFileSync(file);
        if (PACKED.test(file)) {
          writeFileSync(`${file}.br`, brotliCompressSync(data));
          writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }));
        }
        const name = relative(dir, file).replaceAll("\\", "/");
        return `${createHash("sha256").update(data).digest("hex")}  ${name}\n`;
      });
      writeFileSync(join(dir, "page.sha256"), lines.join(""));
    },
  };
}

/** Tests that replace a module, or load one anew. */
const ALONE = ["announcer", "publicLog", "sounds", "witness"].map(
  (name) => `tests/${name}.test.ts`,
);

export default defineConfig({
  plugins: [svelte(), namedWorker(), styleInside(), printed()],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: "../src/okey101/_web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    rolldownOptions: {
      // A slow machine is no fault that whoever starts the game could mend.
      checks: { bundlerTimings: false },
      treeshake: { moduleSideEffects: [{ test: LISTS, sideEffects: false }] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "base", test: BASE },
            { name: "shared", test: SHARED },
            { name: "beside", test: BESIDE },
            { name: "later", test: LATER },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [".."] },
    proxy: {
      "/api": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: {
    environment: "happy-dom",
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      // A world for each file costs twice as much as all of the tests.
      {
        extends: true,
        test: { name: "together", isolate: false, include: ["tests/**/*.test.ts"], exclude: ALONE },
      },
    ],
  },
});
