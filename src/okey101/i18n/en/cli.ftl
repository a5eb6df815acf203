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
    The Turkish tile game Okey 101: play matches at the terminal, solve racks exactly, check records, read the rules.

    Run okey101 COMMAND --help to learn more about a command. Exit codes: 0 ok, 1 failure, 2 usage, 3 invalid game data, 4 no server, 130 interrupted.
cli-play = Play a match against bots at the terminal, line by line.
cli-play-short = Play a match against bots at the terminal.
cli-solve =
    Find the best arrangement of a rack: sets and runs, or pairs.

    RACK is a list of tiles separated by spaces. A tile is a colour (R, Y, B or K) and a number; F is a false joker, * an okey. With - for RACK, each line of stdin is read as "B6: R7 R8 ..." and answered with a line of JSON. RACK may also be a position in one line, which stands for the rack of the seat to act, or of the seat that sees it.
cli-solve-short = Find the best arrangement of a rack.
cli-outs =
    Show what each next tile would change in a rack.

    With - for RACK, each line of stdin is read as "B6: R7 R8 ..." and answered with a line of JSON. RACK may also be a position in one line, which stands for the rack of the seat to act, or of the seat that sees it.
cli-outs-short = Show what each next tile would change.
cli-replay =
    Check a game record and show its deals with their score sheets.

    With - for FILE, the record is read from stdin. FILE may also be a position in one line, which is then shown.
cli-replay-short = Check and show a game record.
cli-verify =
    Check whether the deals in records were fair: secrets, seeds and tiles.

    A note (--commitment or --mine) may name its deal by the number, from 1; otherwise it may belong to any deal. With - for FILE, a record is read from stdin. Rounds that were thrown away are counted over all records together. Exit codes: 0 verified, 1 nothing to verify or not everything verified, 3 something differs, 4 no server (--log).
cli-verify-short = Check whether the deals were fair.
cli-rules =
    Print the rules of a rule set, with its numbers.

    NAME is altinstar (the default), pagat or wiki. With --json you get the rule set and its differences.
cli-rules-short = Print the rules of a rule set.
cli-bots = List the bots you can play against.
cli-bots-short = List the bots you can play against.
cli-bench = Measure how fast the solver and the game are on this machine.
cli-bench-short = Measure the speed on this machine.
cli-doctor = Check that everything okey101 needs is present and intact.
cli-doctor-short = Check that everything is present and intact.
cli-warm =
    Compile the kernel (extra sim), once on this machine.

    Reviews, the bots search and champion, and everything with --compiled use the kernel. Their first use compiles it, which takes about a minute. After this command they start at once.
cli-warm-short = Compile the kernel beforehand.
warm-compiling = The kernel is being compiled. This happens once on a machine and takes about a minute…
warm-done = { $what ->
    [now] Compiled in { $seconds } s. It is kept in { $folder }.
    [before] Already compiled. It is kept in { $folder }.
   *[nowhere] Compiled in { $seconds } s, but it can't be kept: set NUMBA_CACHE_DIR to a folder you can write to.
}
cli-version = Print the version.
cli-version-short = Print the version.
opt-help = Show this text and exit.
opt-lang = Language: tr or en. By default the environment decides (OKEY101_LANG, LC_ALL, LC_MESSAGES, LANG).
opt-json = Print one JSON object on stdout.
opt-as-json = { opt-json }
opt-version = Print the version and exit.
opt-show-completion = Print the script that completes commands and options, for bash, zsh, fish or powershell.
opt-rack = The rack, or - for stdin.
opt-okey = The okey: its colour and number, or F in a riziko deal.
opt-aim = What to look for: most points (default), most tiles, fewest points left, or most pairs.
opt-must = A tile that the arrangement has to use.
opt-best = Show the K best arrangements.
opt-every = Also list the tiles that gain nothing.
opt-file = The record, or - for stdin.
opt-files = The records, or - for stdin.
opt-until = Stop after N actions.
opt-commitment = A commitment that you wrote down before the deal, 64 hexadecimal digits; may be repeated.
opt-mine = A contribution that you made, 32 to 64 hexadecimal digits; may be repeated.
opt-verify-bots = Make the choices of bots, clock and fallback again, from what their seats saw.
opt-verify-strict = Fail if anything can't be proved: your notes, and the bots' choices (external bots can't be played again).
opt-verify-log = Also look for the matches in the log of the server at URL, and check that the log keeps what it showed before (as audit does).
opt-rules-name = The rule set.
opt-rules = The rule set: altinstar (default), pagat or wiki.
opt-settings = Change a field of the rule set, such as open_points=91 or rising=true; may be repeated.
opt-deals = How many scored deals the match has (default 3).
opt-players = Number of players, 2 to 4.
opt-teams = Play in teams: you and the player opposite against the other two.
opt-bots = The bots: one for all seats, or one for each seat, beginning on your right (default steady). Give names, or module:Class and exec:COMMAND for your own.
opt-seed = What decides the tiles and the bots: 64 hexadecimal digits, or any text (its SHA-256 is used).
opt-record = The file that the match is saved in.
opt-resume = Resume the match in the file, or begin a new one. Without either option you are asked.
opt-name = Your name.
opt-seconds = How many seconds each measurement takes (default 2).

## Failures
failure = okey101: { $message }
failure-at = { $place }: { $message }
failure-at-action = deal { $deal }, action { $action } ({ $text })
failure-at-line = line { $line }, column { $column }
failure-hint = See { $command } --help.
failure-token = --token-file FILE says who you are. okey101 daily play makes such a file.
error-interrupted = Interrupted.
error-internal-error = This is a bug in okey101: { $what }. Please report it to the project; set OKEY101_DEBUG=1 in the environment to get more details for the report.
error-missing-extra = This needs the extra { $extra }: pip install "okey101[{ $extra }]"
error-usage = This command can't be read. { $reason }
error-no-command = A command is missing.
error-no-such-option = There is no option { $option }.
error-no-such-command = There is no command { $command }.
error-missing-parameter = { $parameter } is missing.
error-bad-parameter = { $wanted ->
    [range] { $parameter } must be a number from { $low } to { $high }.
    [least] { $parameter } must be a number of { $low } or more.
    [folder] { $parameter } must be the path of a folder.
   *[number] { $parameter } must be a number.
}
error-bad-choice = { $parameter } must be one of these: { $choices }.
error-missing-value = The option { $option } needs a value.
error-bad-option = The option { $option } can't be used like that.
error-extra-argument = More arguments than the command takes: { $argument }.
error-missing-okey = Name the okey with --okey, such as --okey B6.
error-bad-okey = Write the okey as its colour and number, such as B6, or as F in a riziko deal.
error-one-okey-in-riziko = A riziko deal has only one okey.
error-bad-line = A line needs the okey, a colon and the rack, such as B6: R7 R8 R9.
error-line-too-long = The line is too long. Write one rack on each line.
error-must-not-in-rack = { $tile } is not in the rack, so no arrangement can use it.
error-no-arrangement = No arrangement can use { $tile }.
error-bad-setting = Write a field and its value with = between them, such as open_points=91.
error-bots-for-seats = Give one bot for all seats, or one for each of the { $wanted } seats; you gave { $got }.
error-bad-bots = Give { $wanted } bots; you gave { $got }.
error-unknown-bot = There is no bot called { $name }. Choose one of these: { $known }.
error-bad-note = Write { $option } as hexadecimal digits. You may put the number of the deal, from 1, and a colon before them.
error-rounds-thrown = More rounds were thrown away than chance explains: somebody had the tiles shuffled again.
error-not-all-proved = With --strict everything must be proved, but these checks (deal: check) prove nothing: { $checks }.
error-one-record = --commitment and --mine belong to one record. Give only one FILE.
error-nothing-to-verify = There is nothing to verify: no deal has both a commitment and its secret.
error-not-all-verified = { $count ->
    [one] { $count } finished deal can't be verified: its commitment or secret is missing, or the deal before it.
   *[other] { $count } finished deals can't be verified: their commitments or secrets are missing, or the deals before them.
}
error-file-not-found = There is no file { $file }.
error-folder-not-found = There is no folder { $folder }.
error-file-is-folder = { $file } is a folder; a file is needed.
error-folder-is-file = { $file } is a file; a folder is needed.
error-no-token = { $path } holds no token.
error-file-forbidden = You have no permission to read or write { $file }.
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
    [left] points left now: { $value }
   *[pairs] pairs now: { $value }
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
replay-unfinished = The deal was not finished.
replay-totals = Totals
## Answers: verify
verify-alone = Nobody made a commitment before this deal. Matches on a server have one; those of okey101 play have none.
verify-noted = { $state ->
    [proved] The commitment is the one you wrote down.
    [differs] The commitment is not the one you wrote down.
   *[unknown] The record alone can't show that the secret was fixed before the deal: give the commitment you wrote down with --commitment.
}
verify-secret = { $state ->
    [proved] The secret opens the commitment.
    [differs] The secret does not open the commitment.
   *[unknown] A commitment or its secret is missing.
}
verify-context = { $state ->
    [proved] Table, match and number follow on from the deal before.
    [differs] Table, match and number do not follow on from the deal before.
   *[unknown] No deal before this one has a commitment.
}
verify-terms = { $state ->
    [proved] The rules and the number of deals are those that everybody was shown.
    [differs] The rules, or the number of deals, are not those that everybody was shown.
   *[unknown] This record can't show whether the rules and the number of deals are those that everybody was shown.
}
verify-mine = { $state ->
    [proved] Your contribution is among the seats' (seat { $seats }).
    [differs] Your contribution is missing.
   *[unknown] To check that your contribution was used, give it with --mine.
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
   *[unknown] To check that you were shown the same commitments of all seats, give the transcript you wrote down with --commitment.
}
verify-opened = { $state ->
    [proved] Every contribution opens the commitment of its seat.
    [differs] A contribution does not open the commitment of its seat.
   *[unknown] The record has no contributions, so it can't show that they were fixed before any was known.
}
verify-silent = { $state ->
    [proved] No bot contributed.
    [differs] A bot contributed: whoever dealt could choose the tiles.
   *[unknown] This record can't show whether bots contributed.
}
verify-rounds = { $state ->
    [proved] { $rounds ->
        [0] The deal came from the first round.
        [one] { $rounds } round before it was abandoned: { $reasons }.
       *[other] { $rounds } rounds before it were abandoned: { $reasons }.
    }
    [differs] An abandoned round is missing, does not open what it promised, or had no reason not to be dealt.
   *[unknown] This record can't show whether rounds were abandoned before the deal.
}
verify-seed = { $state ->
    [proved] The seed follows from the secret and the contributions.
    [differs] The seed does not follow from the secret and the contributions.
   *[unknown] This record can't show where the seed comes from.
}
verify-dealer = { $state ->
    [proved] The dealer is the right one.
    [differs] The dealer is the wrong one.
   *[unknown] This record can't show whether the dealer is the right one.
}
verify-tiles = { $state ->
    [proved] Hands, stock, indicator and dice are those of the seed.
    [differs] The tiles are not those of the seed.
   *[unknown] The record has no seed to compare the tiles with.
}
verify-bots = { $state ->
    [proved] { $count ->
        [0] No bot, no clock and no fallback played.
        [one] { $count } action was chosen by no person; it follows from what its seat saw.
       *[other] { $count } actions were chosen by no person; all of them follow from what their seats saw.
    }
    [differs] Some actions of bots do not follow from what their seats saw.
   *[unknown] Not every action can show whether the bots saw more than their seats.
}
verify-bots-actors = The record does not say who played.
verify-bots-secret = The secret that the bots' choices follow from was not revealed.
verify-bots-version = The bots that played have other versions than those that sat there before the deal: { $bots }.
verify-bots-bot = This program has no such bots in these versions: { $bots }.
verify-bots-external = Not checked, because they can't be played again: { $bots }.
verify-bots-fallback = This program has another version of what the clock and the fallback play.
verify-bots-fallbacks = { $count ->
    [one] { $count } action is a fallback, played because a bot had no choice.
   *[other] { $count } actions are fallbacks, played because a bot had no choice.
}
verify-bots-needless = { $count ->
    [one] At { $count } fallback the bot has a choice when asked again: whoever ran the table could pick.
   *[other] At { $count } fallbacks the bots have a choice when asked again: whoever ran the table could pick.
}
verify-bots-more = and { $count } more
verify-bots-now = Playing the bots again
verify-tiles-before = Even before that, the tiles of this deal are not those of its seed. { $message }
verify-thrown = { $state ->
    [proved] Rounds in all: { $rounds }. Thrown away because an opening was missing: { $unopened }. Thrown away because the server's files were put back or had lost their end: { $put_back }.
   *[unknown] Rounds in all: { $rounds }. Thrown away because an opening was missing: { $unopened }. Thrown away because the server's files were put back or had lost their end: { $put_back }. Chance does not explain so many.
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
bench-bots = four { $bot } bots
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
bots-strength = Points a deal against three greedy bots, compared with greedy in the same seat: low is good ({ $preset }, 95 % intervals; docs/en/strength.md).
bot-random = Picks a legal action at random.
bot-novice = Opens when it can, lays down one tile after another, and discards its highest tile in no meld. It looks neither around nor ahead.
bot-greedy = Opens as soon as it can, lays off all it can, and discards the highest useless tile that costs no fine.
bot-steady = Weighs melds against pairs, counts outs, keeps near-melds, and avoids feeding the next player.
bot-master = Weighs each discard by what the next draws may bring, with weights tuned on many deals.
bot-neural = Asks small networks which discard or meld will cost least, and whether to take or to draw. They were trained on what champion thinks.
bot-search = Plays its choices out in hundreds of deals that fit what it sees. It is made for the arena and needs the extra sim.
bot-champion = Plays its choices out in hundreds of deals that fit what it sees, and asks networks how they end. It needs the extra sim.
