/** The messages of the protocol, as generated from the server's schema (`npm run types` in web/). */

import type * as generated from "./messages.js";

export type {
  Answer,
  DealView,
  OptionsView,
  RoundView,
  SeatView,
  Sheet,
  TableOptions,
  You,
} from "./messages.js";

/** A table as the server shows it: every option is there. */
export type TableView = generated.TableView & {
  options: Required<generated.TableOptions>;
};
export type What = generated.Event["what"];

type Shown<T> = Omit<T, "table"> & { table: TableView };
type Changed<T> = Omit<T, "table"> & { table?: Partial<TableView> };
export type ServerMessage =
  | Exclude<generated.ServerMessage, generated.ViewMessage | generated.Event>
  | Shown<generated.ViewMessage>
  | Changed<generated.Event>;

type Unmarked<T> = T extends { rid: string } ? Omit<T, "rid"> : never;
/** What a client may ask for; the connection adds the mark. */
export type Command = Unmarked<Exclude<generated.ClientMessage, generated.Ask>>;
/** A question about one's own hand. */
export type Question = Unmarked<generated.Ask>;
