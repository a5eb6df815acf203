# The commands for whoever runs a server.

## Help
cli-admin =
    Look after a server: its tables, its people, its files.

    It uses the server of the folder (--data), or the one at --url with the token in --token-file. Exit code 4 means that no server can be reached.
cli-admin-short = Look after a server.
cli-admin-status = Tell whether the server is well, and how busy it is.
cli-admin-status-short = Tell whether the server is well.
cli-admin-tables = List the tables, with who sits there. Seats count from 0; bots stand in parentheses.
cli-admin-tables-short = List the tables.
cli-admin-close = Close a table for good; its sockets are closed too.
cli-admin-close-short = Close a table for good.
cli-admin-kick = Take a person off a seat. In a running match a bot goes on.
cli-admin-kick-short = Take a person off a seat.
cli-admin-users = List people, those last seen first; with SEARCH only those whose name contains it or whose id it is.
cli-admin-users-short = List people.
cli-admin-ban =
    Ban a person: their sockets are closed, and bots play on.

    USER is the id that the list of people shows. Without an end the ban is for good.
cli-admin-ban-short = Ban a person.
cli-admin-unban = Lift a person's ban.
cli-admin-unban-short = Lift a person's ban.
cli-admin-mute = Let nobody hear what a person says at the tables, for --days or until unmute. Moderators may do this too.
cli-admin-mute-short = Let nobody hear a person's phrases.
cli-admin-unmute = Let a person's phrases be heard again.
cli-admin-unmute-short = Let a person's phrases be heard again.
cli-admin-appoint =
    Make an account a moderator, and print a token for it.

    With the token in a file (--token-file), and --url, a moderator may use tables, kick, users, reports, mute and unmute, and nothing else. Each deed is in the journal under the moderator's id. Whoever has the token can also play as that person. A new appointment ends the token before.
cli-admin-appoint-short = Make an account a moderator.
cli-admin-dismiss = End a moderator's rights and token; the account stays.
cli-admin-dismiss-short = End a moderator's rights.
cli-admin-reset-password =
    End a forgotten password, and print a code in its place.

    PERSON is an id or a name. Whoever signs in with that name and the code is asked for a new password; then the code has ended. It lasts for seven days. All sessions of the person end at once. Without --yes nothing happens yet. It works without a server too.
cli-admin-reset-password-short = Replace a forgotten password.
cli-admin-export =
    Write all that is kept of a person into a file that only you can read.

    PERSON is an id or a name. The file is JSON and holds what the person can download on the account page. No file is overwritten. It works without a server too.
cli-admin-export-short = Write all that is kept of a person into a file.
cli-admin-erase =
    Erase a person, as the person could on the account page.

    PERSON is an id or a name. Name, password, sessions, settings and bots go; matches keep a seat without a name. A backup that is put back is erased again. Without --yes nothing happens yet. It works without a server too.
cli-admin-erase-short = Erase a person.
cli-admin-backup =
    Copy everything into a folder, while play goes on.

    Nothing is overwritten. It works without a server too. With --url the folder is one on the server's machine.
cli-admin-backup-short = Copy everything while play goes on.
cli-admin-restore =
    Put a backup back into the folder of a server that does not run.

    SOURCE is the folder of a backup. What stands there is kept beside it, and owner and modes are set. Where rows may have followed, running deals are thrown away with words.
cli-admin-restore-short = Put a backup back.
cli-admin-check = Check what is kept: the file, the order of the rows, and that tables replay. It works without a server too.
cli-admin-check-short = Check what is kept.
cli-admin-journal = Show what administrators did and what came of it, the newest first. It works without a server too.
cli-admin-journal-short = Show what administrators did.
cli-admin-reports = Show what people reported of each other, the newest first. It works without a server too, then without names.
cli-admin-reports-short = Show what people reported of each other.
cli-admin-bots = List bot accounts, the latest seen first; with SEARCH only those whose name has it, or that have this id or owner.
cli-admin-bots-short = List bot accounts.
cli-admin-revoke-bot =
    End the token of a bot account: its connections close, and its seats are played on.

    BOT is its id, as the list shows it. Its owner can make another token; remove-bot ends it for good.
cli-admin-revoke-bot-short = End the token of a bot account.
cli-admin-remove-bot = Remove a bot account and its token for good; stand-ins play its seats.
cli-admin-remove-bot-short = Remove a bot account.
opt-url = The address of the server, in place of the folder's own.
opt-token-file = The file with the administrator's token (default admin.token in the folder).
opt-table = The id of the table.
opt-seat = The seat, from 0.
opt-search = A part of a name, or an id.
opt-limit = The most to list (default 50).
opt-user = The id of the person.
opt-person = The id or the name of the person.
opt-yes = Do it: otherwise you are only told what would happen.
opt-admin-export-out = The file to write (default okey101-ID.json in the current folder).
opt-admin-ban-until = Until this date, such as 2030-01-31 or 2030-01-31T18:00.
opt-days = For how many days.
opt-reason = Why: shown to the person, and in the list of people.
opt-bot = The id of a bot account.
opt-source = The folder of a backup.
opt-folder = The folder for the copies.

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
admin-restored-whole = Nothing followed them: tables go on where they were.
admin-restored-void = Rows may have followed: the running deals of { $tables } tables are dealt anew at the next start.
admin-restored-erased = { $count ->
    [one] { $count } person who was erased after the backup is erased again.
   *[other] { $count } people who were erased after the backup are erased again.
}
admin-restored-kept = What stood there is in { $folder }.
error-server-runs = A server runs on this folder: stop it first.
error-restore-unsound = { $path } is damaged: { $problem }
error-restore-failed = { $path } could not be restored.
admin-no-journal = Nothing was done yet.
admin-no-reports = Nobody reported anybody.
admin-reason-name = name
admin-reason-phrases = phrases
admin-reason-stalling = stalling
admin-reason-together = playing together
admin-reason-other = other
admin-head-reason = why
admin-head-reported = reported
admin-head-reporters = by how many
admin-head-by = by
admin-head-time = when
admin-head-what = what
admin-head-of = to whom
admin-head-outcome = outcome
admin-head-who = who
admin-head-address = from
admin-no-users = There is nobody.
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
admin-kicked = The person in seat { $seat } is removed from table { $table } and can't come back.
admin-banned = { $user } is banned until { $until }.
admin-banned-for-good = { $user } is banned for good.
admin-unbanned = { $user } is no longer banned.
admin-kind-moderator = moderator
admin-muted = Nobody hears the phrases of { $user } for now.
admin-unmuted = The phrases of { $user } are heard again.
admin-appointed = { $user } is a moderator. This token, shown only now, goes into a file that only that person reads:
admin-dismissed = { $user } is no longer a moderator.
admin-person = { $name } ({ $user }), { $kind } since { $since }, last seen { $seen }
admin-person-kept = matches: { $matches }, sessions: { $sessions }, bots: { $bots }, open tables: { $tables }, mutes: { $mutes }
admin-not-yet = Nothing has been done. To do it, add --yes.
admin-reset-plan = { $sessions ->
    [0] The password ends. A code for one sign-in takes its place.
    [one] The password and { $sessions } session end. A code for one sign-in takes the place of the password.
   *[other] The password and { $sessions } sessions end. A code for one sign-in takes the place of the password.
}
admin-reset-code = The code: { $code }
admin-reset-how = Give it to that person alone. Signing in with the name and this code asks for a new password; it works once, until { $until }.
admin-erase-plan = Name, face, language, settings, password, sessions and mutes are removed for good. Seats at open tables become free; in a running match a bot goes on.
admin-erase-left = { $matches ->
    [0] There is no match that would stay.
    [one] { $matches } match stays, with a seat that has no name.
   *[other] { $matches } matches stay, with seats that have no name.
}
admin-erase-bots = These bots go as well: { $names }
admin-erased = { $name } ({ $user }) is erased. Delete backups from before when you no longer need them; whichever is put back is erased again.
admin-no-bots = There are no bot accounts.
admin-head-bot = id
admin-head-token = token
admin-head-tables = tables
admin-token-there = yes
admin-token-none = none
admin-token-banned = banned
admin-kind-bot = bot
admin-bot-revoked = The token of { $bot } has ended.
admin-bot-removed = { $bot } is removed.
admin-copied = written: { $path }
admin-log-sound = All that is kept is sound; open tables: { $tables }

## Failures
error-server-not-running = No server runs on { $folder }.
error-server-unreachable = The server at { $url } can't be reached: { $reason }
error-not-a-server = What answers at { $url } is not okey101.
error-bad-url = { $url } is not an address such as http://127.0.0.1:8101.
error-bad-token-file = { $path } has no administrator's token; it is in admin.token in the server's folder.
error-no-server-folder = There is no log in { $folder }.
error-file-exists = { $file } exists and stays as it is: name another file with --out.
error-two-ends = --until and --days can't be given together.
error-bad-date = { $date } is not a date in the future, such as 2030-01-31.
error-log-unsound = { $count ->
    [one] { $count } thing is wrong with what is kept.
   *[other] { $count } things are wrong with what is kept.
}
