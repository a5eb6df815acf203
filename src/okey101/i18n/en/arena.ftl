# The arena, data, and the door for other people's bots.

## Bots of others
error-bot-unloadable = The bot { $name } can't be loaded. { $reason }
error-bot-not-named = The bot { $name } plays in this file. Name it with --bots if its code may run here.
bot-installed = Comes with the package { $package }.

## Help: arena
cli-arena =
    Compare bots on duplicate deals.

    With two bots, the first challenges the second in each seat in turn. With as many bots as seats, they sit in all orders. With --league, every bot challenges every other. A bot is a name, module:Class or exec:COMMAND.
cli-arena-short = Compare bots on duplicate deals.
opt-arena-bots = The bots, the challenger first.
opt-arena-deals = How many deals (default 100).
opt-arena-seed = The seed of the deals: from 0 for development, from 1000000 for gates, from 2000000 for releases.
opt-arena-workers = How many processes play (default 1). The numbers are the same.
opt-arena-league = Every bot challenges every other one.
opt-arena-gate = Stop as soon as it is certain whether the challenger is better. Exit code 1 if it is not.
opt-arena-oracle = Also let oracle-1, which sees all tiles, challenge every anchor. It shows how far a bot gets from greedy to the best there is.
opt-arena-aivat = Also tell the difference without the luck of the draws, which needs fewer deals (extra sim).
opt-arena-compiled = Let the compiled kernel (extra sim) play the tables whose bots it knows. The numbers are the same, and come sooner.
opt-arena-release = Make the numbers to publish, once for each version of a bot, in a file in this folder.
opt-arena-limit = The time for each choice in milliseconds (default 5000).
opt-arena-html = Write the report with its plots to this file.
opt-arena-resume = Keep what was played in this file, and resume from it.

opt-arena-ray = Play on the Ray cluster at this address (extra ray). The numbers are the same.
error-ray-unreachable = There is no Ray cluster at { $address }.

## Answers: arena
arena-playing = Playing
progress-left = { $done } of { $total } done, about { $minutes } min left
arena-resumed = { $deals ->
    [one] { $deals } deal was played before.
   *[other] { $deals } deals were played before.
}
arena-stopped = Stopped after { $done } of { $deals } deals. { $kept ->
    [yes] They are kept. Resume with:
   *[no] They are not kept. Use --resume FILE to keep them.
}
arena-title = Arena: { $bots }
arena-rules = { $preset }{ $changed ->
    [0] { "" }
    [one] { " " }with { $changed } change
   *[other] { " " }with { $changed } changes
}
arena-head = { $kind ->
    [duel] Challenger and anchor
    [league] League
   *[seatings] All orders of sitting
}, { $rules }: { $deals } deals, { $tables } tables (seed { $seed }, { $purpose ->
    [gate] gate
    [release] release
   *[development] development
})
arena-col-score = points
arena-col-compared = compared
arena-col-difference = difference
arena-col-interval = 95% interval
arena-col-bootstrap = bootstrap
arena-col-same = same %
arena-col-worst-place = worst place
arena-col-share = % of oracle
arena-col-aivat = without luck
arena-col-saved = % of deals saved
arena-col-finished = won %
arena-col-opened = opened %
arena-col-turn = turn
arena-col-fines = fines/100
arena-col-ends = finish / stock / pairs / void %
arena-col-choices = choices
arena-col-illegal = illegal
arena-col-crashed = crashed
arena-col-late = late
arena-col-endless = endless
arena-col-ms = ms/choice
arena-col-overrun = overrun ms
arena-worst = { $bot } does worst against { $anchor }: { $difference }
arena-low-is-good = { $kind ->
    [seatings] Points a deal; low is good. A difference below zero is better than the mean of the table.
   *[other] Points a deal; low is good. A difference below zero means that the challenger is better than the anchor in the same seat of the same deal.
}
arena-command = Again: { $command }
arena-gate = { $verdict ->
    [better] The challenger is better: passed
    [no-better] The challenger is no better: not passed
   *[undecided] Not sure yet: not passed
} (after { $deals } deals, log of the ratio { $ratio })
arena-gate-not-passed = The gate is not passed.
arena-h-matrix = Matrix
arena-h-differences = Differences
arena-d-differences = Points a deal with their 95% intervals, clustered by deal.
arena-h-deals = Deal by deal
arena-d-deals = How many deals have which difference.
arena-h-seats = Seats
arena-d-seats = The difference by place in the order of play, the starter first.
arena-h-opened-melds = Openings with melds
arena-d-opened-melds = Of 100 seats, how many open in which turn of their own.
arena-h-opened-pairs = Openings with pairs
arena-d-opened-pairs = Of 100 seats, how many open in which turn of their own.
arena-h-ends = Ends
arena-d-ends = Of 100 tables, how many end in which way.
arena-end-finish = finished
arena-end-stock = no tiles left
arena-end-all-pairs = all pairs
arena-end-void = void
arena-h-fines = Fines
arena-d-fines = Fines of 100 seats by the rule.
arena-h-numbers = All numbers
arena-h-manifest = How it was made
arena-manifest = Command, hashes and machine
error-arena-bots = Give two bots, or one for each of the { $players } seats, or --league; you gave { $got }.
error-arena-workers = The processes of the arena keep ending. Try fewer with --workers.
error-arena-file-other = { $file } belongs to another arena. These differ: { $what }.
error-arena-file-damaged = Line { $line } of { $file } is damaged.
error-arena-file-busy = Another process has { $file } open. Wait for it, or choose another file.
error-seed-range = The seeds for this are { $low } to { $high } ({ $purpose ->
    [gate] gate
    [release] release
   *[development] development
}).
error-release-fixed = A release has { $deals } deals and is no gate. Leave out --deals and --gate.
error-release-made = { $file } exists already. Released numbers are made once for each version of a bot.
error-gate-duel = A gate compares two bots. Give exactly two.

## Help and answers: bots check
cli-bots-check =
    Check that a bot does what is asked of bots.

    BOT is a name, module:Class or exec:COMMAND. The bot plays some deals of each rule set. Illegal, late and missing answers count as faults.
cli-bots-check-short = Check a bot of your own.
opt-bots-check-bot = The bot: a name, module:Class or exec:COMMAND.
opt-bots-check-deals = How many deals of each rule set (default 3).
opt-bots-check-limit = The time for each choice in milliseconds (default 5000).
bots-check-head = { $name }, version { $version }: { $choices } choices at { $tables } tables
bots-check-illegal = illegal answers: { $count }
bots-check-crashed = failed, or ended: { $count }
bots-check-late = late answers: { $count }
bots-check-endless = turns that were too long: { $count }
bots-check-again = other answers when asked again: { $count } of { $of }
bots-check-times = { $mean } ms a choice, the slowest { $slowest } ms
bots-check-reason = the first fault: { $reason }
error-bot-not-conforming = { $name } does not do what is asked of bots.

## Help and answers: simulate and stats
cli-simulate =
    Write deals of bots as a data set: one record on each line, as JSON.

    Give one bot for all seats, or one for each; the bots change seats from deal to deal. The name of the file decides the format: .jsonl, .jsonl.gz, .jsonl.xz, or .parquet with the extra data. A summary with a checksum is written beside the file.
cli-simulate-short = Write deals of bots as a data set.
opt-simulate-bots = The bots, one for all seats or one for each.
opt-simulate-deals = How many deals (default 100).
opt-simulate-out = The file to write.
opt-simulate-transitions = Also write each decision as a row for learning, to this Parquet file (extras data and envs).
opt-simulate-seed = The seed of the deals, from 0 (default) to 999999.
opt-simulate-workers = How many processes play (default 1). The file is the same.
opt-simulate-compiled = Let the compiled kernel (extra sim) play the deals whose bots it knows. The file is the same, and comes sooner.
opt-simulate-limit = The time for each choice in milliseconds (default 5000).
cli-stats = Show what a data set holds, and compare it with its summary.
cli-stats-short = Show what a data set holds.
opt-stats-file = A file written by okey101 simulate.
data-reading = Reading
data-stopped = Stopped. No file was written.
data-transitions = Written: { $file }, a row for each decision
data-written = Written: { $file }, and { $summary } beside it
data-head = { $deals ->
    [one] { $deals } deal, { $actions } actions
   *[other] { $deals } deals, { $actions } actions
}
data-bot = { $bot }: { $seats } seats, { $mean } points a deal (deviation { $sd }), won { $won }, default moves { $defaults }, fines { $fines }
error-data-format = The name of the file must end in one of these: { $known }.
error-same-file = { $file } is named twice. Two files are written: name another for the second.
error-data-line = Line { $line } is not the record of a finished deal.
error-data-damaged = The file is damaged after { $deals } deals.
error-data-differs = The file does not hold what its summary { $file } says.

## Help: evaluate
cli-evaluate =
    Play a bot on the frozen deals of the benchmark.

    Three opponents of one kind sit with the bot, which takes each seat of every deal in turn. Four kinds of opponents and three rule sets make twelve rows. Each row has the points a deal that the bot scores less than such an opponent in its place. Low is good.
cli-evaluate-short = Play a bot on the frozen deals of the benchmark.
opt-evaluate-bot = The bot: a name, module:Class or exec:COMMAND.
opt-evaluate-deals = How many deals a row. Without this option the benchmark is played whole (500); with it the result is a trial.
opt-evaluate-workers = How many processes play (default 1). The numbers are the same.
opt-evaluate-compiled = Let the compiled kernel (extra sim) play the tables whose bots it knows. The numbers are the same, and come sooner.
opt-evaluate-limit = The time for each choice in milliseconds (default 5000).
opt-evaluate-resume = Keep what was played in this folder, and resume from it.
opt-evaluate-out = Write the result to this file as JSON.

## Answers: evaluate
evaluate-head = { $suite }: { $bot }, { $deals } deals a row{ $complete ->
    [yes] { "" }
   *[no] { " " }(a trial; the benchmark has more)
}
evaluate-mean = mean
evaluate-all = All rows: { $mean } points a deal, { $faults ->
    [0] without a fault.
    [one] with { $faults } fault.
   *[other] with { $faults } faults.
}
