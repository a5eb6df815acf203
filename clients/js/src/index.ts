/** Play at the tables of an okey101 server. */

export type {
  DayAnswer,
  DayMix,
  DayTable,
  DayTotals,
  FamilyAnswer,
  FamilyLine,
  Friends,
  Ladder,
  LuckTable,
  PlayBody,
  Profile,
  PuzzleAnswer,
  PuzzleRated,
  ReviewAnswer,
  Waiting,
} from "./answers.js";
export { Client, type ClientOptions, type Heads, type Share, type SocketClass } from "./client.js";
export { CLOSE } from "./closeCodes.js";
export {
  Connection,
  type Around,
  type Ending,
  type Events,
  type Socket,
  type Status,
} from "./connection.js";
export { LogFault, type Seen } from "./heads.js";
export type * from "./protocol.js";
export { OFFLINE, Refusal, type Refused } from "./refusal.js";
export { Table, type Turn } from "./table.js";
