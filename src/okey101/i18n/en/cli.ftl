# The command line: help, answers of the commands, and why one fails.

## Help
help-usage = Usage
help-options = Options
help-arguments = Arguments
help-commands = Commands
help-required = [required]
help-subcommand = COMMAND [...]
help-some-options = [OPTIONS]
cli-okey101 =
    The Turkish tile game Okey 101: a match at the terminal, an exact solver, records and rules.

    okey101 COMMAND --help tells more about a command. Exit codes: 0 ok, 1 failure, 2 usage, 3 invalid game data, 4 no server, 130 interrupted.
cli-play = Play a match at the terminal against bots, line by line.
cli-play-short = Play a match at the terminal against bots.
cli-solve =
    Arrange a rack in sets, runs or pairs in the best way there is.

    RACK is tiles separated by blanks: colour R, Y, B or K and number, F for a false joker, * for an okey. With - for RACK, racks are read from stdin, one a line as "B6: R7 R8 ...", and each is answered with a line of JSON. A position in one line will do for RACK: the rack of the seat to act, or of the view.
cli-solve-short = Arrange a rack in the best way.
cli-outs =
    Tell what each next tile would change in a rack.

    With - for RACK, racks are read from stdin, one a line as "B6: R7 R8 ...", and each is answered with a line of JSON. A position in one line will do for RACK: the rack of the seat to act, or of the view.
cli-outs-short = Tell what each next tile would change.
cli-replay =
    Check a game record and show its deals with their score sheets.

    With - for FILE the record is read from stdin. A position in one line will do for FILE: it is shown.
cli-replay-short = Check and show a game record.
cli-verify =
    Check whether the deals of records were fair: secrets, seeds and tiles.

    Rounds that were thrown away are counted over all of them. With - for FILE a record is read from stdin. A deal is named by its number, from 1; without it the note may be of any deal. Exit codes: 0 verified, 1 nothing to verify or not all, 3 something differs, 4 no server (--log).
cli-verify-short = Check whether the deals were fair.
cli-rules =
    Print the rules of a rule set, with its numbers.

    NAME is altinstar (the default), pagat or wiki. With --json: the rule set and what differs.
cli-rules-short = Print the rules of a rule set.
cli-bots = List the bots to play against.
cli-bots-short = List the bots to play against.
cli-bench = Measure how fast the solver and the game are on this machine.
cli-bench-short = Measure the speed on this machine.
cli-doctor = Check that everything okey101 needs is there and intact.
cli-doctor-short = Check that everything is there and intact.
cli-warm = Compile the kernel (extra sim), once on this machine.

    Reviews, the bots search and champion, and everything with --compiled need it. They compile it at their first use, which takes a minute; after this command they start at once.
cli-warm-short = Compile the kernel beforehand.
warm-compiling = Compiling the kernel, once on this machine: about a minute…
warm-done = { $what ->
    [now] Compiled in { $seconds } s. Kept in { $folder }.
    [before] Compiled before. It lies in { $folder }.
   *[nowhere] Compiled in { $seconds } s, but it can be kept nowhere: set NUMBA_CACHE_DIR to a folder that can be written.
}
cli-version = Print the version.
cli-version-short = Print the version.
opt-help = Show this text and exit.
opt-lang = Language: tr or en. Without it the environment decides (OKEY101_LANG, LC_ALL, LC_MESSAGES, LANG).
opt-json = Print one JSON object on stdout.
opt-as-json = { opt-json }
opt-version = Print the version and exit.
opt-show-completion = Print the script that completes commands and options: bash, zsh, fish or powershell.
opt-rack = The rack, or - for stdin.
opt-okey = The okey: its colour and number; F in a riziko deal.
opt-aim = What is wanted: most points (default), most tiles, fewest points left, or most pairs.
opt-must = A tile that has to be melded.
opt-best = The K best arrangements.
opt-every = List the tiles that gain nothing too.
opt-file = The record, or - for stdin.
opt-files = The records, or - for stdin.
opt-until = Stop after N actions.
opt-commitment = A commitment you wrote down before the deal, 64 hexadecimal digits; may be repeated.
opt-mine = A contribution of yours, 32 to 64 hexadecimal digits; may be repeated.
opt-verify-bots = Play the choices of bots, clock and fallback again, from what their seats saw.
opt-verify-strict = Take all that can't be told for a fault: of notes, and of bots (external ones can't be played again).
opt-verify-log = Look for the matches in the log of the server at URL as well, and hold it to what it has shown before (as audit does).
opt-rules-name = The rule set.
opt-rules = The rule set: altinstar (default), pagat or wiki.
opt-settings = Change a field of the rule set, such as open_points=91 or rising=true; may be repeated.
opt-deals = How many deals count (default 3).
opt-players = Seats at the table, 2 to 4.
opt-teams = Play in teams: you and the seat opposite against the others.
opt-bots = The bots, one for all seats or one for each, from the right (default steady): names, or module:Class and exec:COMMAND for your own.
opt-seed = Fixes the tiles and the bots: 64 hexadecimal digits, or any text, of which the SHA-256 is taken.
opt-record = The file the match is saved in.
opt-resume = Go on with the match in the file, or begin a new one. Without either you are asked.
opt-name = What you are called.
opt-seconds = How long each measurement takes (default 2).

## Failures
failure = okey101: { $message }
failure-at = { $place }: { $message }
failure-at-action = deal { $deal }, action { $action } ({ $text })
failure-at-line = line { $line }, column { $column }
failure-hint = See { $command } --help.
error-interrupted = Interrupted.
error-internal-error = Something went wrong that should not: { $what }. Please report it to the project; with OKEY101_DEBUG=1 in the environment there are more details to add.
error-missing-extra = This needs the extra { $extra }: pip install "okey101[{ $extra }]"
error-usage = The command can't be read. { $reason }
error-no-command = A command is missing.
error-no-such-option = There is no option { $option }.
error-no-such-command = There is no command { $command }.
error-missing-parameter = { $parameter } is missing.
error-bad-parameter = { $wanted ->
    [range] { $parameter } has to be a number from { $low } to { $high }.
    [least] { $parameter } has to be a number of { $low } or more.
    [folder] { $parameter } has to be the path of a folder.
   *[number] { $parameter } has to be a number.
}
error-bad-choice = { $parameter } can't have that value; there are: { $choices }.
error-missing-value = The option { $option } needs a value.
error-bad-option = The option { $option } is not used like that.
error-extra-argument = { $argument } is one argument too many.
error-missing-okey = Name the okey, such as --okey B6.
error-bad-okey = The okey is named by its colour and number, such as B6, or F in a riziko deal.
error-one-okey-in-riziko = A riziko deal has only one okey.
error-bad-line = A line is the okey, a colon and the rack, such as B6: R7 R8 R9.
error-line-too-long = The line is too long.
error-must-not-in-rack = { $tile } is not in the rack.
error-no-arrangement = No arrangement melds { $tile }.
error-bad-setting = Write a field and its value, such as open_points=91.
error-bots-for-seats = One bot is needed, or one for each of the { $wanted } seats, not { $got }.
error-bad-bots = { $wanted } bots are needed, not { $got }.
error-unknown-bot = There is no bot called { $name }; there are { $known }.
error-bad-note = { $option } takes hexadecimal digits, or the number of a deal from 1, a colon and the digits.
error-rounds-thrown = More rounds were thrown away than by chance: somebody had tiles shuffled again.
error-not-all-proved = With --strict all has to be proved, and this can't be told (deal: check): { $checks }.
error-one-record = --commitment and --mine belong to one record: give one FILE.
error-nothing-to-verify = There is nothing to verify: no deal has a commitment with its secret.
error-not-all-verified = { $count ->
    [one] { $count } finished deal can't be verified: its commitment or secret is missing.
   *[other] { $count } finished deals can't be verified: their commitments or secrets are missing.
}
error-file-not-found = There is no file { $file }.
error-folder-not-found = There is no folder { $folder }.
error-file-is-folder = { $file } is a folder.
error-file-forbidden = { $file } may not be read or written.
error-file-failed = { $file }: { $reason }

## Answers: solve and outs
solve-melds = { $points } points with { $tiles } tiles in { $groups ->
    [one] { $groups } meld
   *[other] { $groups } melds
}
solve-pairs = { $groups ->
    [one] { $groups } pair
   *[other] { $groups } pairs
}
solve-nothing = Nothing can be melded.
solve-left = left ({ $points }): { $tiles }
solve-none-left = nothing left
outs-now = { $aim ->
    [points] now { $value } points
    [tiles] now { $value } tiles melded
    [left] now { $value } points left
   *[pairs] now { $value } pairs
}
outs-none = No tile would help.
outs-count = { $count ->
    [one] { $count } tile would help
   *[other] { $count } tiles would help
}

## Answers: replay
replay-rules = Played by version { $version } of the rules.
replay-deal = Deal { $number } of { $count }
replay-seat = seat { $seat }
replay-name = { $name } ({ $seat })
replay-draw = { $player } draws { $tile }.
replay-unfinished = The deal is not finished.
replay-totals = Totals
## Answers: verify
verify-alone = Nobody promised this deal beforehand. Records of a server have a promise; those of okey101 play have none.
verify-noted = { $state ->
    [proved] The commitment is the one you wrote down.
    [differs] The commitment is not the one you wrote down.
   *[unknown] Whether the secret was fixed before the deal can't be told: give the commitment you wrote down with --commitment.
}
verify-secret = { $state ->
    [proved] The secret opens the commitment.
    [differs] The secret does not open the commitment.
   *[unknown] There is no commitment with its secret.
}
verify-context = { $state ->
    [proved] Table, match and number go on from the deal before.
    [differs] Table, match and number do not go on from the deal before.
   *[unknown] No deal before it has a commitment.
}
verify-terms = { $state ->
    [proved] Rules and number of deals are those that all were shown.
    [differs] Rules, or the number of deals, are not those that all were shown.
   *[unknown] Whether rules and number of deals are those that were shown can't be told from this record.
}
verify-mine = { $state ->
    [proved] Your contribution is among the seats' (seat { $seats }).
    [differs] Your contribution is missing.
   *[unknown] Whether your contribution was used can't be told: give it with --mine.
}
verify-shares = { $state ->
    [proved] { $count ->
        [one] { $count } seat contributed to the seed.
       *[other] { $count } seats contributed to the seed.
    }
   *[unknown] No seat contributed: whoever dealt could choose the secret freely.
}
verify-shown = { $state ->
    [proved] The transcript is the one you wrote down: all commitments were the ones you were shown.
   *[unknown] Whether you were shown the same commitments of all seats can't be told: give the transcript you wrote down with --commitment.
}
verify-opened = { $state ->
    [proved] Every contribution opens the commitment of its seat.
    [differs] A contribution does not open the commitment of its seat.
   *[unknown] Whether the contributions were fixed before any was known can't be told: the record has none.
}
verify-silent = { $state ->
    [proved] No bot contributed.
    [differs] A bot contributed: whoever dealt could choose the tiles.
   *[unknown] Whether bots contributed can't be told from this record.
}
verify-rounds = { $state ->
    [proved] { $rounds ->
        [0] The deal came from the first round.
        [one] { $rounds } round before it was abandoned: { $reasons }.
       *[other] { $rounds } rounds before it were abandoned: { $reasons }.
    }
    [differs] The rounds that were abandoned are not all there, don't open what they promised, or had no reason not to be dealt.
   *[unknown] Whether other rounds were abandoned before the deal can't be told from this record.
}
verify-seed = { $state ->
    [proved] The seed follows from the secret and the contributions.
    [differs] The seed does not follow from the secret and the contributions.
   *[unknown] Where the seed comes from can't be told.
}
verify-dealer = { $state ->
    [proved] The dealer is the right one.
    [differs] The dealer is the wrong one.
   *[unknown] Whether the dealer is the right one can't be told from this record.
}
verify-tiles = { $state ->
    [proved] Hands, stock, indicator and dice are those of the seed.
    [differs] The tiles are not those of the seed.
   *[unknown] There is no seed to compare the tiles with.
}
verify-bots = { $state ->
    [proved] { $count ->
        [0] No bot, no clock and no fallback played.
        [one] { $count } action that no person chose follows from what its seat saw.
       *[other] All { $count } actions that no person chose follow from what their seats saw.
    }
    [differs] Not all actions of the bots follow from what their seats saw.
   *[unknown] Whether the bots saw more than their seats can't be told of all actions.
}
verify-bots-actors = The record does not say who played.
verify-bots-secret = The secret that the bots' choices follow from is not revealed.
verify-bots-version = Another version played than sat there before the deal: { $bots }.
verify-bots-bot = This program does not have these bots in these versions: { $bots }.
verify-bots-external = Not checked, as nobody can play them again: { $bots }.
verify-bots-fallback = This program has another version of what clock and fallback play.
verify-bots-fallbacks = { $count ->
    [one] { $count } action is a fallback, which is played where a bot has no choice.
   *[other] { $count } actions are fallbacks, which are played where a bot has no choice.
}
verify-bots-needless = { $count ->
    [one] At { $count } fallback the bot, asked again, has a choice: whoever ran the table could pick.
   *[other] At { $count } fallbacks the bots, asked again, have a choice: whoever ran the table could pick.
}
verify-bots-more = and { $count } more
verify-bots-now = Playing the bots again
verify-tiles-before = Before that, the tiles of this deal are not those of its seed. { $message }
verify-thrown = { $state ->
    [proved] { $rounds } rounds in all: { $unopened } were thrown away because an opening was missing, { $put_back } because the server's files were put back or had lost their end.
   *[unknown] { $rounds } rounds in all: { $unopened } were thrown away because an opening was missing, { $put_back } because the server's files were put back or had lost their end. By chance it is not so many.
}
verify-good = { $count ->
    [one] The deal agrees with its commitment, and the record replays.
   *[other] The deals agree with their commitments, and the record replays.
}

## Answers: bench
bench-solver = solver, racks with { $okeys ->
    [one] { $okeys } okey
   *[other] { $okeys } okeys
}
bench-random = random legal play
bench-bots = four bots of the kind { $bot }
bench-median = median { $median_us } µs, 99 of 100 within { $p99_us } µs ({ $racks } racks)
bench-decisions = { $decisions_per_second } decisions a second
bench-deals = { $deals_per_second } deals a second
bench-running = measuring: { $what } ...

## Answers: doctor
doctor-python = Python
doctor-tables = tables of the solver
doctor-answers = answers of the solver
doctor-catalogues = catalogues
doctor-schema = schema of the record
doctor-state = state folder
doctor-terminal = terminal
doctor-good = ok
doctor-bad = WRONG
doctor-all-good = Everything is in order.
doctor-count = { $count ->
    [one] { $count } thing is wrong.
   *[other] { $count } things are wrong.
}
error-not-sound = okey101 is not intact: { $checks }.

## Answers: bots
bots-strength = Points a deal against three greedy, less than greedy has in the same seat: low is good ({ $preset }, 95 % intervals; docs/en/strength.md).
bot-random = Picks a legal action at random.
bot-novice = Opens when it can, puts down one tile after another, discards the highest tile in no meld; looks neither around nor ahead.
bot-greedy = Opens as soon as it can, lays off all it can, discards the highest useless tile that costs no fine.
bot-steady = Weighs melds against pairs, counts outs, keeps near-melds, and avoids feeding the next player.
bot-master = Weighs each discard by what the next draws may bring, with weights tuned on many deals.
bot-neural = Asks two small networks which discard, or whether to lay down, will cost least; trained on millions of continuations of deals.
bot-search = Plays its choices out in hundreds of deals that fit what it sees; for the arena, with the extra sim.
bot-champion = Plays its choices out in hundreds of deals that fit what it sees, and asks networks what comes of them; needs the extra sim.
