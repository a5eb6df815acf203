import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The server to talk to while the page is being worked on: `okey101 serve`.
const server = process.env.OKEY101_SERVER ?? "http://127.0.0.1:8101";

export default defineConfig({
  plugins: [svelte()],
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
