/** What the server refused, over the table's socket as over HTTP. */

export * from "../../../clients/js/src/refusal";
