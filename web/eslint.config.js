import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default ts.config(
    { ignores: ["node_modules/", "../src/okey101/_web/"] },
    js.configs.recommended,
    ...ts.configs.strict,
    ...svelte.configs.recommended,
    {
        languageOptions: {
            globals: {
                window: "readonly",
                document: "readonly",
                console: "readonly",
                process: "readonly",
            },
        },
        // Sets are values here: replaced, never changed.
        rules: { "no-undef": "off", "svelte/prefer-svelte-reactivity": "off" },
    },
    {
        // Made by a tool, which switches every rule off.
        files: ["**/messages.ts", "**/answers.ts"],
        linterOptions: { reportUnusedDisableDirectives: "off" },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    },
);
