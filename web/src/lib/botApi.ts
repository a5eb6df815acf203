/** Bots of others: those that the host allows, and accounts that the owner of a table invites. */

import type { BotAccount, BotsHere, InvitationBody, InvitedBot } from "./answers";
import { api, ask } from "./api";
import { texts } from "./i18n.svelte";

/** What is offered while the server has not answered, or doesn't. */
export const NO_OTHERS: BotsHere = { levels: [], others: [], accounts: false };

/** The bots that there are here, once there are words for them. */
export async function botsHere(): Promise<BotsHere> {
  try {
    const found = await api.bots();
    if (found.others.length > 0 || found.accounts) await texts.learn("bots");
    return found;
  } catch {
    return NO_OTHERS;
  }
}

const invitations = (table: string): string =>
  `/api/tables/${encodeURIComponent(table)}/invitations`;

export const botApi = {
  mine: () => ask<BotAccount[]>("GET", "/api/me/bots"),
  invited: (table: string) => ask<InvitedBot[]>("GET", invitations(table)),
  invite: (table: string, wanted: InvitationBody) =>
    ask<undefined>("POST", invitations(table), wanted),
  withdraw: (table: string, bot: string) =>
    ask<undefined>("DELETE", `${invitations(table)}/${encodeURIComponent(bot)}`),
};
