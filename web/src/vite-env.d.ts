/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The package's version that this page was built with. */
declare const __VERSION__: string;

declare module "@noble/hashes/sha2.js?apart" {
  export { sha512 } from "@noble/hashes/sha2.js";
}
