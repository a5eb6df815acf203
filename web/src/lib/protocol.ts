/** The messages of the protocol, as every client has them. */

export type * from "../../../clients/js/src/protocol";
