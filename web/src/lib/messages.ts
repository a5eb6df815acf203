/** The types that are made of the server's schema, as every client has them (`npm run types`). */

export type * from "../../../clients/js/src/messages";
