# Bots of others on the page: those of the host, and accounts that are invited.

bots-of-host = Bots of this server
bots-invite = Invite a bot account
bots-invite-about = Bot accounts are programs of other people. Ask for the name, as in “Careful (bot, Ali)”.
bots-name = Name of the bot
bots-seat = Seat
bots-send = Invite
bots-withdraw = { $answer ->
    [refused] Take { $name } off the list
   *[other] Withdraw the invitation to { $name }
}
bots-withdraw-short = { $answer ->
    [refused] Take off
   *[other] Withdraw
}
bots-line = { $name }, seat { $seat }
bots-answer-none = invited, no answer yet
bots-answer-came = is here
bots-answer-refused = said no
bots-told-none = { $name } is invited to seat { $seat }.
bots-told-came = { $name } has come.
bots-told-refused = { $name } said no.
bots-no-clock = Bot accounts only play at tables with a clock.
bots-no-seat = No seat is free.

error-bot-is-here = This bot sits at the table already.
error-bot-kicked = This bot was removed from the table; it can't come back.
error-no-bot-account = There is no bot account of that name.
error-several-bots = Several bots have this name: { $names }. Write it with its owner's.
error-too-many-invitations = At most { $limit } can be invited to a table.
