# What a server refuses, and its settings.

## Tables
error-already-committed = You have committed yourself for this deal.
error-already-revealed = You have revealed your randomness for this deal.
error-already-seated = You sit at this table already.
error-bot-plays = A bot plays your seat; take it back first.
error-kicked = You were removed from this table.
error-left-often = You left { $count } quick tables within an hour; try again in { $seconds ->
    [one] { $seconds } second.
   *[other] { $seconds } seconds.
}
error-left-out = You broke a round of this deal; you take part in the next deal again.
error-log-truncated = The server's disk has lost this table. Please tell whoever runs the server.
error-match-ended = The match is over; sit down once its players want another.
error-no-bot = Nobody plays for you.
error-log-not-ready = The first head of the public log is being made. Try again.
error-no-entry = The public log has no head of this size.
error-no-reviews = This server makes no reviews.
error-reviews-busy = Too many matches wait for their review. Try again in a while.
error-no-day = There are no such deals here.
error-day-over = These deals can't be begun any more.
error-day-played = You have played these deals.
error-day-table = This can't be done at a table of the day's deals.
error-day-twice = First finish the deals you are playing: your account has played them too.
error-day-unplayed = First play all deals.
error-no-deal-number = The match has no deal { $number }.
error-no-hints = There are no hints at this table.
error-no-phrase = There is no such phrase.
error-no-rematch = The match is not over.
error-no-seat = Nobody sits in seat { $seat } there, or there is no such seat.
error-no-table = There is no such table.
error-not-committed = You have not committed yourself in this round.
error-not-committing = No commitments are taken now.
error-not-revealing = Nothing can be revealed now.
error-not-owner = Only the owner of the table may do this.
error-not-playing = No deal is running.
error-not-ready = Somebody is not ready yet.
error-not-seated = You don't sit at this table.
error-not-waiting = The match has begun.
error-other-hand = You have seen another hand in this deal; sit down when it is over.
error-phrases-off = The owner has switched phrases off at this table.
error-rid-used = The page and the server disagree about what was sent; load the page again.
error-seat-taken = Seat { $seat } is taken.
error-seats-empty = Every seat needs a person or a bot.
error-spectators-off = This table has no spectators.
error-table-closed = The table is closed.
error-table-frozen = This table is stopped: its log does not add up. Please tell whoever runs the server.
error-table-full = Every seat is taken.
error-wrong-opening = What you revealed does not open your commitment.
error-too-many-actions = End your turn: it may have at most { $limit } actions.
error-too-many-changes = This table was changed too often. Play at it, or open another one.
error-too-many-fines = Do something else: a seat takes at most { $limit } fines in a deal.
error-turn-over = Your turn ended before this reached the server. Nothing was done.
error-in-match = First leave the match you are playing, or finish it.
error-overloaded = The server has all it can do now. Please try again in a while.
error-too-many-tables = { $limit ->
    [max-tables-per-user] You have too many tables open; close one first.
    [max-tables-per-address] Too many tables from this network are open; one of them has to close first.
   *[other] Too many tables are open.
}
error-bad-options = These options of the table are not possible: { $reason }

## The server
error-accounts-busy = The server has too much to do; try again in a moment.
error-accounts-closed = The server is stopping; try again in a moment.
error-accounts-failed = The server could not read or write the accounts; try again.
error-bad-message = The server can't read this message.
error-bad-request = The server can't read this request.
error-binary = The server takes text, not bytes.
error-body-not-json = The server reads only JSON.
error-draining = The server is about to restart; try again in a moment.
error-hello-first = The first message has to be hello.
error-internal = Something went wrong on the server; it is in its log.
error-method-not-allowed = This address does not know that method.
error-not-allowed = The administrator's token is needed for this.
error-no-notice = This server has no privacy notice.
error-not-found = There is nothing at this address.
error-origin = The server does not take requests from that page.
error-unknown-host = The server does not answer to the name { $host }. Whoever runs it can allow the name with --allowed-host, or say its address with --public-url.
error-rate-limited = { $limit ->
    [guests-per-minute] Many people have just come from this network.
    [requests-per-second] This network asks for very much at once.
    [handshakes-per-second] Many tables were opened from this network at once.
    [logins-per-minute] Passwords were tried too often from this network.
    [logins-of-network] Passwords were tried too often from this network.
    [logins-of-account] The password of this account was tried too often.
    [tables-of-address] Many tables were opened from this network.
   *[other] That was too often.
} It goes on in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}.
error-store-failed = The server could not store this; try again.
error-too-large-plain = The message is too long.
error-too-many-sockets = { $limit ->
    [max-sockets-per-address] Too many devices of this network are connected.
   *[other] There are too many connections.
}
error-unauthorised = You have no session; choose a name first.

## People
error-already-account = This is an account already.
error-bad-face = A face is a number from { $first } to { $last }.
error-bad-language = A language is 1 to 16 letters, digits and hyphens.
error-bad-login = The name or the password is wrong.
error-banned = You are banned from this server.
error-muted = A moderator has muted you: nobody would see this message.
error-mute-self = You can't mute yourself.
error-name-bad-character = A name can't contain the character { $character }.
error-name-empty = A name needs a letter or a digit.
error-name-mixed-scripts = All letters of a name must be from one script.
error-name-refused = This server does not take this name; choose another.
error-name-reserved = This name is reserved; choose another.
error-name-taken = This name belongs to an account; choose another.
error-name-too-long = A name has at most { $limit } characters.
error-name-too-short = A name has at least { $limit } characters.
error-new-password-needed = This code works once: choose a new password as well.
error-no-match = There is no such match.
error-no-session = This session has ended; sign in again.
error-no-user = There is no such person.
error-not-account = This is a guest without a password.
error-password-bad-character = The password contains something that is not a character.
error-password-common = Everybody who guesses passwords tries this one. Choose another.
error-password-too-long = A password has at most { $limit } characters.
error-password-too-short = A password has at least { $limit } characters.
error-several-people = Several people have this name; give one of the ids: { $ids }
error-settings-too-large = The settings take more than { $limit } bytes.
error-too-many-mutes = At most { $limit } people can be muted.
error-wrong-password = That is not your current password.

## Files
error-backup-elsewhere = PostgreSQL keeps this server's data; back it up with its own programs.
error-backup-exists = { $path } exists and stays as it is.
error-backup-failed = The copy { $path } could not be written.
error-backup-running = A copy of the log is being made; wait until it is done.
error-bad-folder = { $path } is not a full path.
error-folder-failed = { $path } can't be written by the server: { $reason }.
error-store-no-space = The copy { $path } would leave too little room on the disk.

## Settings
setting-host = The address to listen on: 127.0.0.1 is only this machine, 0.0.0.0 the whole network.
setting-port = The port; 0 takes any free one.
setting-data = The folder where the server keeps everything.
setting-database = A PostgreSQL database, such as postgresql://user@host/name, for what is otherwise in the folder's file.
setting-node-listen = Where other nodes on the same database reach this one ([below](#several-nodes)), such as 10.0.0.1:8102; port 0 takes any free one.
setting-node-address = That address as the other nodes see it, where it is another.
setting-node-name = What this node is called in logs; without one its address.
setting-public-url = How browsers reach the server from outside, such as https://okey.example. Without it the Host of a request decides, which then has to be an address, this machine's own name, or one of the allowed hosts.
setting-allowed-hosts = Names, beside this machine's own, by which browsers may reach the server where there is no public address; separated by commas.
setting-allowed-origins = Origins of pages, beside the server's own, that may call it; separated by commas.
setting-trusted-proxies = Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed; separated by commas.
setting-secure-cookies = Whether cookies are for https only: auto (where the request came by https), always, never.
setting-log-level = The lowest level that is logged: debug, info, warning, error.
setting-log-format = json, text, or auto: text on a terminal, JSON elsewhere.
setting-metrics-token = The bearer token for /metrics; without it anybody may read them.
setting-max-tables = Tables open at the same time.
setting-max-tables-per-user = Tables that one person has open at the same time.
setting-max-lag-ms = No table is opened while the event loop is later than this many milliseconds, on average over five seconds.
setting-max-bot-wait-s = Nor while bots wait longer than this many seconds for their turn.
setting-max-tables-per-address = Tables open at the same time that were opened from one address.
setting-max-sockets = WebSockets open at the same time.
setting-max-sockets-per-address = WebSockets open at the same time from one address.
setting-max-connections-per-address = Connections of any kind that one address may hold at the same time, whether they send anything or not; those of trusted proxies are not counted.
setting-handshakes-per-second = New WebSockets that one address may open each second, on average.
setting-handshake-burst = WebSockets that one address may open at once.
setting-messages-per-second = Messages that one person, or one address without a session, may send each second, on average.
setting-message-burst = Messages that one person, or one address without a session, may send at once.
setting-requests-per-second = HTTP requests that one address may send each second, on average.
setting-request-burst = HTTP requests that one address may send at once.
setting-guests-per-minute = New guests that may come from one address each minute, on average.
setting-guest-burst = Guests that may come from one address at once.
setting-logins-per-minute = Passwords that may be tried from one address each minute, on average.
setting-login-burst = Passwords that may be tried from one address at once.
setting-tables-per-minute = New tables that one person may open each minute, on average.
setting-table-burst = Tables that one person may open at once.
setting-review-processes = Matches that may be reviewed at a time, each in a process of about 300 MB that ends with its review. 0: this server makes no reviews. They need the extra sim.
setting-review-worlds = Worlds in which a review plays each choice out; 1000 take a few seconds for a seat of a deal.
setting-review-policy = The bot that goes on in these worlds; `greedy` takes a third of the time.
setting-bot-processes = Processes that may think for bots, about 120 MB each; started once many bots wait. 0: a thread of the server.
setting-bot-delay-ms = How long a bot seems to think, in milliseconds.
setting-daily = Whether there are the day's deals, the same for everybody: off or on ([fairness.md](../en/fairness.md#the-days-deals)).
setting-search = Whether tables may seat our bot that searches, `champion`: off or on. It needs the extra `sim`, and thinks in a process of its own ([strength.md](../en/strength.md)).
setting-bots = Bots of others that may play here, as name=bot;name=bot ([bots.md](../en/bots.md)); each plays in a process of its own.
setting-deal-pause-s = The pause between two deals in seconds; shorter if everybody is ready. At a table without a clock the next deal waits for all, an hour at most; 0 waits nowhere.
setting-dealing-s = How many seconds the dealing is shown before play begins, if not all people have seen it earlier.
setting-first-deal-wait-s = How many seconds the first deal waits for the players' randomness.
setting-absence-s = How many seconds a person may be away before a bot plays the seat.
setting-idle-close-s = How many seconds a table that has not begun, or is over, stays open with nobody there.
setting-archive-days = After how many days closed tables are deleted from the archive of the log; 0: never.
setting-drain-s = How many seconds the server may take to tell and store everything before it stops.
setting-litestream = Whether Litestream may copy the file while the server runs: off or on ([below](#a-second-copy)).
setting-refused-names = A file of words that names may not hold, one a line; read at the start.
setting-site = The folder of the documents' site, which `make docs` builds; it is then shown under /docs.
setting-store-slow-s = After how many seconds without an answer of the disk everybody is told, and /readyz answers 503.
setting-hello-timeout-s = How many seconds a new socket may be silent.

## Bots of others
error-bots-not-allowed = Bots of others may not play at this server.
error-bot-needs-clock = Bots of others play only at tables with a clock.
error-not-for-bots = This is for people, not for bots.
error-not-invited = The owner of the table has not invited this bot.
error-too-many-bots = A person has at most { $limit } bots.
error-too-many-seats = A bot plays at { $limit } tables at once, at most.
setting-bot-accounts = Whether programs of others may play by accounts of their own: off or on ([client.md](../en/client.md)).
setting-bot-tables = At how many tables such a program plays at once.
setting-bot-messages-per-second = How many messages it may send in a second, beyond 25 at once.

## What moderators see on the page
moderate-title = Reports
moderate-none = No report waits for you.
moderate-reporters = Reported by { $count ->
    [one] one person
   *[other] { $count } people
}
moderate-line = { $when }: { $reason }. Told by { $by }, in deal { $deal }.
moderate-muted = Muted until { $until }.
moderate-muted-for-good = Muted until a moderator lifts it.
moderate-day = Mute for a day
moderate-week = Mute for a week
moderate-mute = Mute for good
moderate-unmute = Lift the mute
moderate-kick = Remove from the table
moderate-kick-sure = Remove { $name } from the table? There is no way back to it; in a running match a bot goes on.
moderate-settle = Nothing to do
moderate-settled = Dealt with
moderate-trail = Each deed is written down with your account.
