# The commands for whoever runs a server.

## Help
cli-admin =
    Look after a server: its tables, its people, its files.

    The server is the one on the folder (--data), or the one at --url with the token in --token-file. Exit code 4 means that no server can be reached.
cli-admin-short = Look after a server.
cli-admin-status = Show whether the server is well, and how busy it is.
cli-admin-status-short = Show whether the server is well.
cli-admin-tables = List the tables and the people at them. Seats count from 0; bots stand in parentheses.
cli-admin-tables-short = List the tables.
cli-admin-close = Close a table for good. Its connections close too.
cli-admin-close-short = Close a table for good.
cli-admin-kick = Remove a person from a seat. In a running match a bot plays on.
cli-admin-kick-short = Remove a person from a seat.
cli-admin-users = List people, the latest seen first. With SEARCH, only those whose name contains it or whose id it is.
cli-admin-users-short = List people.
cli-admin-ban =
    Ban a person. Their connections close, and bots play on for them.

    PERSON is an id or a name. Without an end the ban is for good.
cli-admin-ban-short = Ban a person.
cli-admin-unban = Lift a person's ban.
cli-admin-unban-short = Lift a person's ban.
cli-admin-mute = Hide a person's phrases from everybody at the tables, for --days or until unmute. Moderators may do this too.
cli-admin-mute-short = Hide a person's phrases from everybody.
cli-admin-unmute = Show a person's phrases to everybody again.
cli-admin-unmute-short = Show a person's phrases again.
cli-admin-settle = Say that the reports of a person so far need nothing more. A new report waits again. Moderators may do this too.
cli-admin-settle-short = Say that a person's reports need nothing more.
cli-admin-appoint =
    Make an account a moderator, and print a token for it.

    The moderator needs --url and the token in a file (--token-file). With them tables, kick, users, reports, mute, unmute and settle work, and nothing else. The journal has each deed under the moderator's id. Whoever has the token can also play as that person. A new appointment ends the earlier token.
cli-admin-appoint-short = Make an account a moderator.
cli-admin-dismiss = End a moderator's rights and token. The account stays.
cli-admin-dismiss-short = End a moderator's rights.
cli-admin-reset-password =
    End a forgotten password, and print a code in its place.

    PERSON is an id or a name. The person signs in with the name and the code, and must then choose a new password. The code works once and lasts for seven days. All sessions of the person end at once. Without --yes you are only told what would happen. The command works without a server too.
cli-admin-reset-password-short = Replace a forgotten password with a code.
cli-admin-export =
    Write all that is kept about a person into a file that only you can read.

    PERSON is an id or a name. The file is JSON, and has what the person can download on the account page. An existing file is never overwritten. The command works without a server too.
cli-admin-export-short = Write all that is kept about a person into a file.
cli-admin-erase =
    Erase a person, as the person could on the account page.

    PERSON is an id or a name. Name, password, sessions, settings and bots are deleted; matches keep a seat without a name. If you restore an older backup, the person is erased again. Without --yes you are only told what would happen. The command works without a server too.
cli-admin-erase-short = Erase a person.
cli-admin-backup =
    Copy everything into a new folder while play goes on.

    An existing file is never overwritten. The command works without a server too. With --url the folder is on the server's machine.
cli-admin-backup-short = Copy everything while play goes on.
cli-admin-restore =
    Put a backup back into the folder of a server that is stopped.

    SOURCE is the folder of a backup. In the server's folder, before-restore-… keeps the old files. The owner and the modes of the new files are set. If play may have gone on after the backup, running deals are dealt again, and their players are told.
cli-admin-restore-short = Put a backup back.
cli-admin-check = Check the server's data: the file, the order of its rows, and that tables replay. The command works without a server too.
cli-admin-check-short = Check the server's data.
cli-admin-journal = Show what administrators did and what came of it, the newest first. The command works without a server too.
cli-admin-journal-short = Show what administrators did.
cli-admin-reports = Show what people reported about each other, the newest first. The command works without a server too, but then shows no names.
cli-admin-reports-short = Show what people reported about each other.
cli-admin-ladder = Show who won points on the ladder in matches that were mostly played with the same other account, the most points first. A row gives the matches together out of all of the first player's, in how many of them the very same accounts sat at the table, in how many the two ended at one address, and what each won or lost. Friends play together, too, and a family at home shares its address: look at the matches before you act.
cli-admin-ladder-short = Show who keeps winning with the same player.
cli-admin-strength = Show who plays better without luck than people do, the best first: at least 100 reviewed deals by the same rules, and the whole interval of the strength two points ahead of the bot master. Nobody comes so far by luck. Somebody who asks a program for each move may; so may a very good player. Look at the matches before you act.
cli-admin-strength-short = Show who plays too well to be true.
cli-admin-bots = List bot accounts, the latest seen first. With SEARCH, only those whose name contains it, or whose id or owner it is.
cli-admin-bots-short = List bot accounts.
cli-admin-revoke-bot =
    End the token of a bot account. Its connections close, and stand-ins play its seats.

    BOT is the id from the list of bot accounts. The owner can make another token; remove-bot ends the account for good.
cli-admin-revoke-bot-short = End the token of a bot account.
cli-admin-remove-bot = Remove a bot account and its token for good. Stand-ins play its seats.
cli-admin-remove-bot-short = Remove a bot account.
opt-url = The address of the server, instead of the one in the folder.
opt-token-file = The file with the administrator's token (default: admin.token in the folder).
opt-table = The id of the table.
opt-seat = The seat, counted from 0.
opt-search = Part of a name, or an id.
opt-season = The season, as 2026-4; by default the one that runs.
opt-limit = How many to list at most (default 50).
opt-user = The id of the person.
opt-person = The id or the name of the person.
opt-yes = Do it. Without this you are only told what would happen.
opt-admin-export-out = The file to write (default: okey101-ID.json in the current folder).
opt-admin-ban-until = Ban until this date, such as 2030-01-31 or 2030-01-31T18:00.
opt-days = For this many days.
opt-reason = The reason. The person sees it, and so does the list of people.
opt-bot = The id of a bot account.
opt-source = The folder of a backup.
opt-folder = The new folder for the copies.

## Answers
stage-waiting = waiting
stage-dealing = dealing
stage-playing = playing
stage-over = over
stage-closed = closed
admin-stage-frozen = FROZEN
admin-server = okey101 { $version } at { $url }
admin-ready = ready
admin-not-ready = NOT READY: { $what }
admin-load = tables: { $tables }, connections: { $sockets }
admin-frozen = FROZEN: { $table }
admin-no-tables = There are no tables.
admin-restored = { $rows } rows are back in { $folder }.
admin-restored-whole = Nothing came after them. Tables go on where they were.
admin-restored-void = Play may have gone on after them. Open tables: { $tables }. Their running deals are dealt again at the next start.
admin-restored-erased = { $count ->
    [one] { $count } person was erased after the backup, and is now erased again.
   *[other] { $count } people were erased after the backup, and are now erased again.
}
admin-restored-kept = The old files are in { $folder }.
error-server-runs = A server is running on this folder. Stop it first.
error-restore-unsound = { $path } is damaged: { $problem }
error-restore-failed = { $path } could not be restored. Check the disk and the permissions, then try again.
admin-no-journal = No administrator has done anything yet.
admin-no-reports = Nobody has reported anybody.
admin-reason-name = name
admin-reason-phrases = phrases
admin-reason-stalling = stalling
admin-reason-together = playing together
admin-reason-other = other
admin-head-reason = why
admin-head-reported = reported
admin-head-reporters = by how many
admin-head-settled = dealt with
admin-head-by = by
admin-head-time = when
admin-head-what = what
admin-head-of = to whom
admin-head-outcome = outcome
admin-head-who = who
admin-head-address = from
admin-no-users = No people were found.
admin-head-player = player
admin-head-deals = deals
admin-head-points = points a deal
admin-head-interval = 95 % interval
admin-head-scale = rules, measured against
admin-head-with = with
admin-head-together = together
admin-head-same = same table
admin-head-near = one address
admin-head-won = won
admin-head-others = the other's
admin-head-table = table
admin-head-stage = stage
admin-head-deal = deal
admin-head-sockets = conn.
admin-head-seats = seats
admin-head-user = id
admin-head-kind = kind
admin-head-seen = last seen
admin-head-name = name
admin-head-ban = banned until
admin-kind-guest = guest
admin-kind-account = account
admin-kind-deleted = deleted
admin-for-good = for good
admin-closed = Table { $table } is closed.
admin-kicked = The person in seat { $seat } was removed from table { $table } and can't come back.
admin-banned = { $user } is banned until { $until }.
admin-banned-for-good = { $user } is banned for good.
admin-unbanned = { $user } is no longer banned.
admin-kind-moderator = moderator
admin-muted = The phrases of { $user } are hidden until { $until }.
admin-muted-for-good = The phrases of { $user } are hidden for good.
admin-unmuted = The phrases of { $user } are shown again.
admin-settled = The reports of { $user } so far are dealt with.
admin-appointed = { $user } is now a moderator. Put this token into a file that only that person can read; it is shown only now:
admin-dismissed = { $user } is no longer a moderator.
admin-person = { $name } ({ $user }), { $kind } since { $since }, last seen { $seen }
admin-person-kept = matches: { $matches }, sessions: { $sessions }, bots: { $bots }, open tables: { $tables }, mutes and friends: { $ties }
admin-not-yet = Nothing has been done yet. Add --yes to do it.
admin-reset-plan = { $sessions ->
    [0] The password ends. A code for one sign-in replaces it.
    [one] The password and { $sessions } session end. A code for one sign-in replaces the password.
   *[other] The password and { $sessions } sessions end. A code for one sign-in replaces the password.
}
admin-reset-code = The code: { $code }
admin-reset-how = Give it to that person alone. The person signs in with the name and this code, and chooses a new password. The code works once, until { $until }.
admin-erase-plan = Name, face, language, settings, password, sessions, mutes and friends are deleted for good. Seats at open tables become free; in a running match a bot plays on.
admin-erase-left = { $matches ->
    [0] No match stays behind.
    [one] { $matches } match stays, with a seat that has no name.
   *[other] { $matches } matches stay, with seats that have no name.
}
admin-erase-bots = These bots are deleted too: { $names }
admin-erased = { $name } ({ $user }) has been erased. Delete older backups once you no longer need them. If you restore one, the person is erased again.
admin-no-strong = Nobody plays too well to be true.
admin-no-pairs = Nobody keeps winning with the same player.
admin-no-bots = There are no bot accounts.
admin-head-bot = id
admin-head-token = token
admin-head-tables = tables
admin-token-there = yes
admin-token-none = none
admin-token-banned = banned
admin-kind-bot = bot
admin-bot-revoked = The token of { $bot } has ended.
admin-bot-removed = { $bot } has been removed.
admin-copied = Written: { $path }
admin-log-sound = The server's data is sound. Open tables: { $tables }

## Failures
error-server-not-running = No server is running on { $folder }. Start it with okey101 serve, or name its folder with --data.
error-bad-token-file = { $path } has no administrator's token. The token is in admin.token in the server's folder.
error-copy-of-backup = { $folder } has no log.mark, like a backup. Put it back with okey101 admin restore, start that server once, and copy its folder.
error-no-server-folder = There is no server's data in { $folder }. Name the folder or database that a server used.
error-file-exists = { $file } exists already and was not changed. Name another file.
error-two-ends = Give either --until or --days, not both.
error-bad-date = { $date } is not a date in the future. Write it like 2030-01-31.
error-log-unsound = { $count ->
    [one] { $count } thing is wrong with the server's data.
   *[other] { $count } things are wrong with the server's data.
}
