# Programs that play at a served table, and what `okey101 client-check` says of them.

## Errors
error-act-pending = An action of this turn has no answer yet. Wait for it first.
error-bad-address = { $address } is not the address of a server. Write it like https://okey.example or http://127.0.0.1:8101.
error-bad-day = { $day } is no day and no challenge. Write a date like 2026-11-27, or a challenge's name like 0123456789abcdef.
error-bad-audit-file = This file has nothing that okey101 audit has written.
error-deleted = Your account is deleted.
error-line-closed = The program has closed the connection itself.
error-line-failed = The program failed while it listened to the server: { $reason }.
error-log-key-changed = The log is now signed by another key, { $now }; it was { $before }. Ask the person who runs the server whether the key was changed.
error-log-lacks = { $count ->
    [one] The log lacks { $count } entry that { $file } should have there.
   *[other] The log lacks { $count } entries that { $file } should have there.
}
error-log-rewritten = Up to entry { $size } the log is not the one that was shown: somebody has changed what was written.
error-log-shortened = The log had { $size } entries and now has { $now }: its files were put back, or shortened.
error-log-strange-entry = Entry { $place } of the log is of an unknown kind.
error-log-unproved = The server does not prove that its log holds what was shown before: { $reason }.
error-log-wrong-signature = The head of the log is not signed by its key.
error-no-server = No server answers at { $address }: { $reason }.
error-not-okey101 = { $address } answers, but not as okey101.
error-other-protocol = The server speaks protocol { $theirs }, but this program speaks { $ours }. Update whichever is older.
error-replaced = The table was opened elsewhere.
error-server-moved = { $address } sends programs on to { $to }. If you trust it, name that address.
error-session-changed = The guest has become an account, or signed in to one.
error-signed-out = Your session has ended.
error-unfair-deal = The deal does not fit what was promised: { $reason }.
error-was-refused = The server refused the connection with HTTP { $status }.
error-client-faulty = { $count ->
    [one] { $count } kind of fault was found.
   *[other] { $count } kinds of faults were found.
}
error-client-not-tested = { $count ->
    [one] There was no occasion for { $count } of the trials. Play on, or play more deals.
   *[other] There was no occasion for { $count } of the trials. Play on, or play more deals.
}
error-port-taken = Port { $port } can't be used: { $reason }. Choose another with --port.

## Help and answers: client-check
cli-client-check =
    Find out what your own client does wrong on a bad line.

    URL is a running server. This command listens on an address of its own and passes everything on to the server. Let your client play a match there, against bots if you like. While it plays, the line is cut, answers come late or twice, and unknown messages come. With --bot, a bot plays through the client of okey101 instead.
cli-client-check-short = Check a client or a bot on a bad line.
opt-client-check-url = The address of a running server, such as http://127.0.0.1:8101.
opt-client-check-bot = The bot that plays: a name, module:Class or exec:COMMAND.
opt-client-check-port = The port to listen on (default: a free one).
opt-client-check-rounds = How many times each trial is made (default 2).
opt-client-check-seed = The number that the order of the trials follows from (default 0).
opt-client-check-seconds = After how many seconds the check ends (default 900).
check-connect = Let your client play at { $url } instead of { $server }. Press Ctrl-C to end the check.
check-trying = Trials
check-head = actions: { $actions }, lines: { $lines }
check-times = { $count ->
    [one] { $count } time
   *[other] { $count } times
}
check-first = for example: { $example }
check-good = Everything was tried, and nothing was wrong.

## Help and answers: audit
cli-audit =
    Follow a server's transparency log, and find what it left out or changed.

    URL is a running server. Its newest head is compared with that of your last audit, and every entry since then is read. A FILE is the record of a match played there; the log must have its entries. Exit codes: 0 all is there, 3 something was left out or changed, 4 no server.
cli-audit-short = Check that a server keeps to what it has shown.
opt-audit-url = The address of a running server, such as http://127.0.0.1:8101.
opt-audit-files = Records of matches that were played there.
opt-audit-memory = The file that keeps what was seen (default: a file of this server in the user's state folder).
opt-audit-every = Look again every S seconds, until you press Ctrl-C.
audit-same = The log holds everything that it held before: { $size } entries.
audit-counts = Matches: { $matches }. Rounds: { $rounds }, thrown away: { $thrown }.
audit-key = Signed by { $key }
audit-unsigned = The signature was not checked, because cryptography is missing (pip install "okey101[server]").
audit-kept = Kept in { $path } for the next audit.

## Trials
check-trial-action-lost = The line is cut before the server has an action
check-trial-ack-lost = The line is cut after an action, before its answer
check-trial-ack-late = The answer to an action comes late
check-trial-event-late = The event of an action comes late, after its answer
check-trial-event-again = An event comes twice
check-trial-message-halved = The line is cut in the middle of a message
check-trial-unknown-message = A message of an unknown type comes
check-trial-unknown-name = An event has unknown names
check-trial-fresh-view = After a cut a whole view comes instead of what was missed
check-trial-handshakes-refused = After a cut three tries to come back fail
check-trial-replaced = The line is closed, as another one has the seat

## What is found
check-ack-not-awaited = Wait for ack or error before you send the next action.
check-act-without-turn = Send deal and turn with an act. Otherwise the act may be done in a later turn.
check-back-after-replaced = After close code 4001, don't come back by yourself.
check-bad-message = The server could not read a message. Compare it with protocol.schema.json.
check-head-not-returned = Send the last head back in hello, along with seq.
check-hello-missing = Send hello as the first message over each socket.
check-line-dropped = The line was closed in the middle of a match.
check-move-sent-twice = A move without an answer was made again under another rid. Send the same message again, with its rid.
check-no-back-off = Wait a little before you come back, and longer each time.
check-not-back = After the line was cut, nobody came back.
check-not-resent = A command that got no answer was not sent again. Send it once more with the same rid.
check-rate-limited = The client sent more messages than a person may send.
check-refused-action = The rules refused an action that was chosen from the options of the moment.
check-rid-reused = One rid belongs to one command, after a reconnect too. Begin it with something random.
check-seq-invented = hello named a row that the client was never shown.
check-seq-not-resumed = Send the last seq in hello when you come back.
check-stale-options = An action was chosen from options that no longer held. After ack, wait for the event of its row.
check-token-in-address = Send the token as a header, never in an address.
check-turn-lost = A turn was ended by the clock, or a bot took over.
check-turn-not-played = It was the client's turn, and nothing came.
check-unknown-not-ignored = Ignore types and names that you don't know.
