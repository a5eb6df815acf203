/** What is asked and answered over HTTP, as every client has it (`npm run types`). */

export type * from "../../../clients/js/src/answers";
