# What a server refuses, and its settings.

## Tables
error-already-committed = You have already committed for this deal.
error-already-revealed = You have already revealed your randomness for this deal.
error-already-seated = You already sit at this table.
error-bot-plays = A bot is playing your seat. Take the seat back first.
error-kicked = You were removed from this table.
error-left-often = You left { $count } quick tables within an hour. Try again in { $seconds ->
    [one] { $seconds } second.
   *[other] { $seconds } seconds.
}
error-left-out = You broke off a round of this deal. You take part again in the next deal.
error-log-truncated = The server's disk has lost this table. Please tell the person who runs the server.
error-match-ended = The match is over, or this is its last deal. You can sit down when its players start another.
error-no-bot = No bot is playing for you.
error-log-not-ready = The first head of the public log is being made. Try again in a moment.
error-no-entry = The public log has no head of this size.
error-no-reviews = { review-off }
error-reviews-busy = Too many matches are waiting for review. Try again later.
error-no-profile = There is no profile of this name, or it is not open.
error-no-season = A season is a quarter of a year, like 2026-4.
error-no-day = There are no such deals here.
error-day-over = These deals can't be started any more.
error-day-played = You have already played these deals.
error-day-table = This can't be done at a table of the day's deals.
error-day-twice = Your account has played these deals too. Finish the deals you are playing first.
error-day-unplayed = Play all the deals first.
error-no-deal-number = The match has no deal { $number }.
error-no-hints = There are no hints at this table.
error-no-phrase = There is no such phrase.
error-no-rematch = The match is not over yet.
error-no-seat = Nobody sits in seat { $seat }, or there is no such seat.
error-no-table = There is no such table.
error-not-committed = You have not committed in this round.
error-not-committing = Commitments are not taken now.
error-not-revealing = Nothing can be revealed now.
error-not-owner = Only the owner of the table may do this.
error-not-playing = No deal is running.
error-not-ready = Somebody is not ready yet.
error-not-seated = You don't sit at this table.
error-not-waiting = The match has already begun.
error-other-hand = You have seen another hand in this deal. You can sit down when the deal is over.
error-phrases-off = The owner of this table has switched phrases off.
error-rid-used = The page and the server disagree about what was sent. Please reload the page.
error-seat-taken = Seat { $seat } is taken.
error-seats-empty = Every seat needs a person or a bot.
error-spectators-off = This table does not allow spectators.
error-table-closed = The table is closed.
error-table-frozen = This table was stopped because its log does not add up. Please tell the person who runs the server.
error-table-full = Every seat is taken.
error-wrong-opening = What you revealed does not open your commitment.
error-too-many-actions = You have taken { $limit } actions, the most in one turn. Discard a tile.
error-too-many-changes = This table was changed too often. Play at it, or open another table.
error-too-many-fines = You have taken { $limit } fines, the most in one deal. Do something else.
error-turn-over = Your turn ended before this reached the server. Nothing was done.
error-in-match = First finish or leave the match you are playing.
error-overloaded = The server is as busy as it can be. Please try again later.
error-too-many-tables = { $limit ->
    [max-tables-per-user] You have too many open tables. Close one first.
    [max-tables-per-address] Too many tables from this network are open. One of them has to close first.
   *[other] Too many tables are open. Please try again later.
}
error-bad-options = The table can't have these options: { $reason }

## The server
error-accounts-busy = The server is too busy. Try again in a moment.
error-accounts-closed = The server is stopping. Try again in a moment.
error-accounts-failed = The server could not read or write the accounts. Try again.
error-bad-message = The server can't read this message.
error-bad-request = The server can't read this request: { $reason }
error-binary = The server takes text, not bytes.
error-body-not-json = The server reads JSON only.
error-draining = The server is about to restart. Try again in a moment.
error-hello-first = Send hello as the first message.
error-internal = Something went wrong on the server. Its log says what.
error-method-not-allowed = This address does not take that method.
error-not-allowed = This needs the administrator's token.
error-no-notice = This server has no privacy notice.
error-not-found = There is nothing at this address.
error-origin = The server does not take requests from that page.
error-unknown-host = The server does not answer to the name { $host }. The person who runs it can allow the name with --allowed-host, or give its address with --public-url.
error-rate-limited = { $limit ->
    [guests-per-minute] Many people have just come from this network.
    [requests-per-second] Too many requests came from this network at once.
    [handshakes-per-second] Too many connections came from this network at once.
    [logins-per-minute] Passwords were tried too often from this network.
    [logins-of-network] Passwords were tried too often from this network.
    [logins-of-account] The password of this account was tried too often.
    [tables-of-address] Too many tables were opened from this network.
   *[other] That was too often.
} Try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}.
error-store-failed = The server could not store this. Try again.
error-too-large-plain = The message is too long.
error-too-many-sockets = { $limit ->
    [max-sockets-per-address] Too many devices in this network are connected.
   *[other] Too many devices are connected. Please try again later.
}
error-unauthorised = You are not signed in. Choose a name first.

## People
error-already-account = This is already an account.
error-bad-face = Choose a face from { $first } to { $last }.
error-bad-language = A language is 1 to 16 letters, digits and hyphens.
error-bad-login = The name or the password is wrong.
error-bad-push = This server does not know the push service of your browser.
error-banned = You are banned from this server.
error-muted = A moderator has muted you, so nobody would see this message.
error-friend-self = You can't be your own friend.
error-mute-self = You can't mute or block yourself.
error-name-bad-character = A name can't contain the character { $character }.
error-name-empty = A name needs at least one letter or digit.
error-name-mixed-scripts = Use letters of only one script in a name.
error-name-refused = This server does not accept this name. Choose another.
error-name-reserved = This name is reserved. Choose another.
error-name-taken = This name belongs to an account. Choose another.
error-name-too-long = A name may have at most { $limit } characters.
error-name-too-short = A name needs at least { $limit } characters.
error-new-password-needed = This code works only once. Choose a new password as well.
error-no-family = There is no such family table.
error-no-match = There is no such match.
error-no-session = This session has ended. Sign in again.
error-no-user = There is no such person.
error-not-account = This takes an account with a password.
error-not-family-owner = Only the owner of the family table may do this.
error-not-friend = You can invite only friends to a table.
error-push-off = This server sends no notifications.
error-password-bad-character = The password contains an invalid character.
error-password-common = This password is among the first that anybody would guess. Choose another.
error-password-too-long = A password may have at most { $limit } characters.
error-password-too-short = A password needs at least { $limit } characters.
error-several-people = Several people have this name. Give one of these ids: { $ids }
error-too-many-families = An account has at most { $limit } family tables.
error-too-many-friends = You can have and ask at most { $limit } friends.
error-too-many-mutes = You can mute at most { $limit } people, and block as many.
error-wrong-password = That is not your current password.

## Files
error-backup-elsewhere = PostgreSQL keeps this server's data. Back it up and restore it with the programs of PostgreSQL.
error-backup-exists = { $path } exists already and was not changed. Name another folder.
error-backup-failed = The copy { $path } could not be written.
error-backup-running = Another copy is being made. Wait until it is done.
error-bad-folder = { $path } is not a full path. Begin it at the root.
error-folder-failed = The server can't write { $path }: { $reason }.
error-store-no-space = The copy { $path } would leave too little room on the disk. Free some space, or choose another disk.

## Settings
setting-host = The address to listen on: 127.0.0.1 is this machine only, 0.0.0.0 the whole network.
setting-port = The port. 0 takes any free one.
setting-data = The folder where the server keeps everything.
setting-database = A PostgreSQL database, such as postgresql://user@host/name, which replaces the file in the folder.
setting-node-listen = Where other nodes on the same database reach this one ([below](#several-nodes)), such as 10.0.0.1:8102. Port 0 takes any free one.
setting-node-address = The address at which other nodes see this one, if they see another.
setting-node-name = The name of this node in logs. By default its address.
setting-public-url = The address that browsers use from outside, such as https://okey.example. Without it the Host header of a request decides. That must be an address, this machine's own name, or one of the allowed hosts.
setting-allowed-hosts = Other names that browsers may use for the server if there is no public address, besides this machine's own. Separated by commas.
setting-allowed-origins = Origins of pages that may call the server, besides its own page. Separated by commas.
setting-trusted-proxies = Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed. Separated by commas.
setting-secure-cookies = Whether cookies are for https only: auto (if the request came by https), always, never.
setting-log-level = The lowest level that is logged: debug, info, warning, error.
setting-log-format = json, text, or auto: text on a terminal, JSON elsewhere.
setting-metrics-token = The bearer token for /metrics. Without it anybody may read them.
setting-max-tables = How many tables may be open at the same time. Tries of the day's deals and of challenges count apart: as many of them may be open besides.
setting-max-tables-per-user = How many tables one person may have open at the same time. Tries of the day's deals and of challenges don't count.
setting-max-seats-per-user = At how many tables one person may sit at the same time. Tries of the day's deals and of challenges don't count.
setting-max-lag-ms = No table is opened while the event loop lags by more than this many milliseconds, on average over five seconds.
setting-max-bot-wait-s = No table is opened while bots wait longer than this many seconds for their turn.
setting-max-tables-per-address = How many tables opened from one address may be open at the same time, and as many tries of the day's deals and of challenges.
setting-max-sockets = How many WebSockets may be open at the same time.
setting-max-sockets-per-address = How many WebSockets one address may have open at the same time.
setting-max-connections-per-address = How many connections of any kind one address may hold at the same time, whether they send anything or not. Those of trusted proxies are not counted.
setting-handshakes-per-second = How many new WebSockets one address may open each second, on average.
setting-handshake-burst = How many WebSockets one address may open at once.
setting-messages-per-second = How many messages one person, or one address without a session, may send each second, on average.
setting-message-burst = How many messages one person, or one address without a session, may send at once.
setting-requests-per-second = How many HTTP requests one address may send each second, on average.
setting-request-burst = How many HTTP requests one address may send at once.
setting-guests-per-minute = How many new guests may come from one address each minute, on average.
setting-guest-burst = How many guests may come from one address at once.
setting-logins-per-minute = How many passwords may be tried from one address each minute, on average.
setting-login-burst = How many passwords may be tried from one address at once.
setting-tables-per-minute = How many new tables one person may open each minute, on average.
setting-table-burst = How many tables one person may open at once.
setting-review-processes = How many matches may be reviewed at a time. Each takes a process of about 300 MB, which ends with its review. With 0 this server makes no reviews. Reviews need Numba, which the extras all and sim bring.
setting-review-worlds = In how many worlds a review plays each choice out. 1000 take a few seconds for one seat of a deal.
setting-review-policy = The bot that plays on in these worlds. `greedy` takes a third of the time.
setting-strength-share = How many per cent of one core may weigh matches for people's strength that nobody has asked to review. The newest come first, and whoever asks for a review goes before them. With 0 only reviews that somebody asks for count ([review.md](../en/review.md#strength-without-luck)).
setting-bot-processes = How many processes may think for bots, at about 120 MB each. They start once many bots wait. With 0 a thread of the server thinks.
setting-bot-delay-ms = How many milliseconds a bot seems to think.
setting-daily = Whether there are the day's deals, the same for everybody: off or on ([fairness.md](../en/fairness.md#the-days-deals)).
setting-daily-instances = How many different sets of the day's deals there are, 1 to 9. Everybody is given one and can't choose ([fairness.md](../en/fairness.md#the-days-deals)). With more of them fewer can tell each other their tiles, and each is compared with fewer others. It holds for days that are not promised yet.
setting-web-push = Whether browsers whose page is closed are told that somebody waits, if their owners want it: on or off ([below](#web-push)).
setting-push-hosts = Names of push services besides those of Chrome, Firefox, Edge and Safari. Separated by commas. What is below a name counts too.
setting-search = Whether tables may seat our searching bot, `champion`: off or on. It needs the extra `sim`, and thinks in a process of its own ([strength.md](../en/strength.md)).
setting-bots = Bots of others that may play here, as name=bot;name=bot ([bots.md](../en/bots.md)). Each plays in a process of its own.
setting-deal-pause-s = How many seconds the pause between two deals takes. It is shorter if everybody is ready. At a table without a clock the next deal waits for everybody, for an hour at most. With 0 it waits nowhere.
setting-dealing-s = How many seconds play waits at most while the dealing is shown. It waits for nobody who has seen it earlier.
setting-first-deal-wait-s = How many seconds the first deal waits for the players' randomness.
setting-absence-s = How many seconds a person may be away before a bot plays the seat.
setting-idle-close-s = How many seconds a table with nobody there stays open, before its match begins or after it is over.
setting-archive-days = After how many days closed tables are deleted from the archive of the log, but not before the day's deals and challenges of that time are closed. With 0 they never are.
setting-drain-s = How many seconds the server may take to tell and store everything before it stops.
setting-litestream = Whether Litestream may copy the file while the server runs: off or on ([below](#a-second-copy)).
setting-refused-names = A file of words that names may not contain, one on each line. It is read at the start.
setting-site = The folder of the documents' site, which `make docs` builds. The server then shows it under /docs.
setting-store-slow-s = After how many seconds without an answer from the disk everybody is told, and /readyz answers 503.
setting-hello-timeout-s = How many seconds a new socket may be silent.

## Bots of others
error-bots-not-allowed = This server does not let bots of others play.
error-bot-needs-clock = Bots of others play only at tables with a clock.
error-not-for-bots = Only people may do this, not bots.
error-not-invited = The owner of the table has not invited this bot.
error-too-many-bots = A person may have at most { $limit } bots.
error-too-many-seats = You sit at { $limit } tables already, and may sit at no more.
setting-bot-accounts = Whether programs of others may play with accounts of their own: off or on ([client.md](../en/client.md)).
setting-bot-tables = At how many tables such a program may play at the same time.
setting-bot-messages-per-second = How many messages such a program may send each second, on average, beyond 25 at once.

## What moderators see on the page
moderate-title = Reports
moderate-none = No reports are waiting for you.
moderate-reporters = Reported by { $count ->
    [one] one person
   *[other] { $count } people
}
moderate-line = { $when }: { $reason }. Reported by { $by }, in deal { $deal }.
moderate-muted = Muted until { $until }.
moderate-muted-for-good = Muted until a moderator lifts the mute.
moderate-day = Mute for a day
moderate-week = Mute for a week
moderate-mute = Mute for good
moderate-unmute = Lift the mute
moderate-kick = Remove from the table
moderate-kick-sure = Remove { $name } from the table? They can't come back to it. In a running match a bot plays on.
moderate-settle = Nothing to do
moderate-settled = Dealt with
moderate-trail = Everything you do here is written down with your account.
