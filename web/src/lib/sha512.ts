/** SHA-512 apart from the library's SHA-256, which the first table needs: a module of its own. */
export { sha512 } from "@noble/hashes/sha2.js?apart";
