# The review of finished deals: what each choice cost, luck and skill apart.

## Help: review
cli-review =
    Review finished deals: what each choice cost, what was better and why.

    With - for FILE, the record is read from stdin. Each choice is played out in worlds drawn from what the seat saw at the time. This needs the extra sim. The first review on a machine compiles for about a minute. FILE may also be a position in one line; then the choices of the seat to act are weighed.
cli-review-short = Show what each choice of a record cost.
opt-review-deal = Only this deal, counted from 1.
opt-review-seats = Only this seat, counted from 0; may be repeated (default: all).
opt-review-worlds = In how many worlds each choice is played out (default 1000). Four times as many halve the intervals.
opt-review-policy = The bot that plays on in the worlds: master (default), or greedy, which takes a third of the time.
opt-review-seed = The number that the worlds come from (default 0). The same number gives the same figures.
opt-review-html = Also write the review with its curves to this file.

## Help: strength
cli-strength =
    Measure how strong somebody plays, with luck taken off: own play a deal, against a reference bot.

    The records are read in the order given. With verify, FILE is what --json printed before; every number in it is made again from the records. This needs the extra sim.
cli-strength-short = Measure how strong somebody plays, without luck.
opt-strength-files = Records of finished deals, in the order in which they were played.
opt-strength-player = The player's name in the records.
opt-strength-seat = The seat instead of the name, counted from 0; the same in all records.
opt-strength-worlds = In how many worlds each choice is played out (default 100).
opt-strength-seed = The number that the worlds come from (default 0). The same number gives the same figures.

## Help: puzzle
cli-puzzle =
    Show a position in which one choice is clearly best, and ask what you would play.

    The positions come from deals of bots. After your answer you see the best choice with its reason, and what each choice costs.
cli-puzzle-short = Ask you for the best choice in a position.
opt-puzzle-which = The number of the position, from 1 (default: any of them).
opt-puzzle-theme = Only positions about this: discards, opening, holding back, laying off, pairs, taking, or the stock's end.
opt-puzzle-rules = Only positions under this rule set: altinstar, pagat or wiki.
opt-puzzle-answer = Answer at once, with the number of a choice or an action such as "discard R5".

## Help: daily
cli-daily =
    Show the day's deals: the same tiles for everybody, and one try each.

    You see the table of the players once you have played all four deals, or once the day is closed.

    With play you play the deals here, as in okey101 play but without hints. You have one try, which goes on where you left it.

    With challenge you get a link to four new deals. With again you play a deal of one of your matches once more, against bots.
cli-daily-short = Show a server's deals of the day, and the table of their players.
opt-daily-words = The address of the server. Put play before it to play the deals here, verify to check them, or challenge to make a challenge. A date in Istanbul may follow, such as 2026-11-27 (default: today), or the name of a challenge. Put again before the address to play a deal again, and the match behind it, such as k3wq8r5mzt2a-1.
opt-daily-over = Show the table of the week, or the month, that the day is in.
opt-daily-token-file = The file with your token, which tells the server who you are. With play, if there is no such file, you become a guest and your token is kept there.
opt-daily-bot = The bot in the other seats. With challenge it is novice, greedy, steady, master or neural (default: neural), with again any bot of the server (default: greedy).
opt-daily-deal = With again: the deal of the match, counted from 1 (default: 1).
opt-daily-at = With again: the first N actions are as they were (default: 0).

## Help: profile
cli-profile =
    Show what somebody's finished matches on a server say: places, finishes, openings, fines, the ledger of luck, and strength.

    Without a name it is your own. Others see a profile only if it is open.
cli-profile-short = Show what somebody's matches on a server say together.
opt-profile-url = The address of the server.
opt-profile-name = The name of an account (default: your own).
opt-profile-token-file = The file with your token, which tells the server who you are.

## Help: friends, families, ladder
cli-friends =
    Show your friends on a server, who has asked whom, whom you have played with, and whom you have blocked.

    If you ask for it, something is done first. Somebody is named by name, or by the id shown in parentheses. Whoever is blocked is not told.
cli-friends-short = Show and change your friends on a server, and whom you have blocked.
opt-friends-url = The address of the server.
opt-friends-ask = Ask this account to be your friend, or accept what it has asked.
opt-friends-part = Be no friends any more, withdraw what you have asked, or decline what was asked.
opt-friends-block = Block somebody.
opt-friends-unblock = Block somebody no more.
opt-friends-token-file = The file with your token, which tells the server who you are.
cli-families =
    Show your family tables on a server, or the regulars and results of the one with a link.

    A link shows its table to everybody, without an account.
cli-families-short = Show family tables on a server, and their results.
opt-families-url = The address of the server.
opt-families-name = The link of a family table, or its last part (default: the list of yours).
opt-families-token-file = The file with your token, which tells the server who you are.
cli-ladder =
    Show the ladder of a server: the points and ranks of accounts in a season.

    You see the first hundred, and yourself if you give your token.
cli-ladder-short = Show the ladder of a server.
opt-ladder-url = The address of the server.
opt-ladder-name = The season, such as 2026-4 (default: the one that runs).
opt-ladder-token-file = The file with your token, which tells the server who you are.

## Failures
error-deal-unfinished = Deal { $number } is not finished. Only finished deals can be reviewed.
error-no-deals = The record has no deals in it.
error-review-failed = The review could not be made. Try again.
error-review-late = The review took too long and was stopped. Try again.
error-not-to-act = It is not this seat's turn, so it has no choices.
error-bad-worlds = { $worlds } worlds are not possible. Choose from { $least } to { $most }.
error-unknown-policy = No bot called { $name } can play on. Choose one of these: { $known }.
error-no-one-named = Name a player or a seat (--player or --seat, not both), and at least one record.
error-no-such-player = There is no single seat of { $name }. The names are: { $known }.
error-mixed-rules = These records have several rule sets, and each has a scale of its own. Give records of one rule set.
error-deal-twice = Deal { $number } occurs twice.
error-other-reference = These numbers were measured against { $name }. This program has { $known }, which begins a new scale.
error-strength-differs = This number comes out differently: { $path }.
error-no-such-puzzle = There is no position { $number }.
error-no-puzzles = There is no such position yet. Leave out the theme or the rule set.
error-no-such-choice = Answer with the number of a choice, from 1 to { $count }, or with an action such as “discard R5”.

## What was done
review-action = { $verb ->
    [draw] draw from the stock
    [take] take { $tile }
    [return] put the taken tile back
    [open] open with { $points }
    [open-pairs] open with { $points } pairs
    [meld] lay { $tiles }
    [lay] lay off { $tile }
    [back] take tiles back
    [announce] announce the indicator's twin
    [pass] pass
    [indicator] draw the indicator
    [swap] swap { $tile } for an okey
   *[discard] discard { $tile }
}

## Why something else was better
review-why-open = You could have opened here with { $points }; { $need } were needed.
review-why-open-pairs = You could have opened here with { $points } pairs; { $need } were needed.
review-why-open-other = Another way to open was worth more: { $other }.
review-why-short = This opening falls short of { $need } and costs a fine of { $points } points.
review-why-hold = Holding the hand back was worth more than opening now.
review-why-fined = Discarding { $tile } costs a fine of { $points } points.
review-why-back-fined = Taking back costs a fine of { $points } points here.
review-why-okey-thrown = You discarded an okey, the tile that fits everywhere. Fine: { $points } points.
review-why-take-open = With the discard { $tile } you could have opened: { $points } points, { $need } were needed.
review-why-take = The discard { $tile } could be used at once.
review-why-draw = A new tile promised more than the discard { $tile }.
review-why-lay = { $other } could have gone to the table, and would no longer count against you.
review-why-keep = { $tile } was worth more in the hand than on the table.
review-why-feeds = By what lay open, { $tile } saves the next player { $points } points more than { $other } on average.
review-why-breaks = Without { $tile } your best arrangement is worth { $points } points less than without { $other }.
review-why-nearer = Of the unseen tiles { $points } made a meld with { $tile }, and { $need } with { $other }.
review-why-played-out = There is no single reason: played out in the same worlds, it simply went better.

## Seen afterwards
review-later-taken = In the true hands, the next player took { $tile }.
review-later-fed = In the true hands, the next player took { $tile }, which was worth { $points } points to that player, give or take { $reach }.
review-later-loss = In the true hands: { $points } points, give or take { $reach }.

## The figures
review-mark-small = small
review-mark-large = large
review-term-par = average of this seat
review-term-deal = luck of the deal
review-term-draws = luck of the draws
review-term-others = what the others did
review-term-skill = own play
review-term-residual = error of the calculation
review-term-score = score
review-score-team = score of the team
review-seat = { $player }, seat { $seat }
review-deal = Deal { $number } of { $count }
review-match = The whole match
review-lost = Lost against the best found: { $points } points, give or take { $reach }. Large: { $large }, small: { $small }.
review-by-others = Choices made by a bot or the clock: { $count } of { $all }.
review-line = { $turn }: { $played }: { $loss } points, give or take { $reach } ({ $mark })
review-better = better: { $best }
review-none = No choice cost more than its interval.
review-low-is-good = Points are those of the score sheet: low is good, plus is worse. Own play is measured against the bot { $policy } in the same worlds. The loss is measured against the best choice found. All intervals are 95 %, { $worlds } worlds, seed { $seed }.
review-working = Reviewing
review-place = { $place ->
    [1] You won
    [2] You came second
    [3] You came third
   *[other] You came fourth
}
review-ahead = { $count ->
    [0] The review begins in a moment.
    [1] The review is waiting: one match is before yours.
   *[other] The review is waiting: { $count } matches are before yours.
}
review-whose = Seat
review-pick = Choose a move of this seat to see what it cost.
review-marked = Clear mistakes
review-cost = { $points } points, give or take { $reach }
review-title = Review
review-curve = Expected points
review-curve-about = Average points expected from each moment on, by what the seat saw then. A dot marks a clear mistake.
review-h-terms = Where the points come from
review-h-choices = The choices
review-head-turn = move
review-head-played = played
review-head-best = best found
review-head-loss = lost
review-head-why = why
review-written = Written: { $file }

## On the page
review-instead = { $verb ->
    [draw] Drawing
    [take] Taking { $tile }
    [return] Putting the taken tile back
    [open] Opening with { $worth }
    [open-pairs] Opening with { $worth } pairs
    [meld] Laying melds first
    [lay] Laying off { $tile } first
    [back] Taking tiles back
    [announce] Announcing the indicator's twin
    [pass] Passing
    [indicator] Taking the indicator
    [swap] Swapping { $tile } for the okey
    [discard-discard] Discarding { $tile } in place of { $played }
   *[discard] Discarding { $tile }
} would have been { $points ->
    [one] one point
   *[other] { $points } points
} better.
review-luck = { $deal ->
    [helped] The deal helped you by { $luck ->
        [one] one point
       *[other] { $luck } points
    }
    [hurt] The deal cost you { $luck ->
        [one] one point
       *[other] { $luck } points
    }
   *[even] The deal neither helped nor hurt you
}, and { $play ->
    [lost] your play lost { $lost ->
        [one] one point
       *[other] { $lost } points
    }.
   *[even] your play lost nothing.
}
review-luck-of = { $name }: { $deal ->
    [helped] the deal helped by { $luck ->
        [one] one point
       *[other] { $luck } points
    }
    [hurt] the deal cost { $luck ->
        [one] one point
       *[other] { $luck } points
    }
   *[even] the deal neither helped nor hurt
}, and { $play ->
    [lost] the play lost { $lost ->
        [one] one point
       *[other] { $lost } points
    }.
   *[even] the play lost nothing.
}
review-group = meld { $group }
review-better-by = Better: { $best }, by { $points ->
    [one] one point
   *[other] { $points } points
}.
review-worst = The costliest mistakes
review-more = Other mistakes ({ $count })
review-clean = No clear mistake.
review-go = Go to this position
review-details = Details
review-how = Points are those of the score sheet: fewer is better. Own play is measured against a bot of the level “{ $level }” that plays the same hands. The loss is measured against the best choice found. The tiles that the seat couldn't see were laid out in { $worlds } ways. ± is the range that holds 95 times of 100.
review-good-way = lower is better
review-bad-way = higher is worse
review-soon = About { $seconds } seconds left.
review-minutes = About { $minutes } minutes left.
review-try = It is your turn. What you played then: { $played }. Play something better.
review-try-best = Yes, that is the best: { $points ->
    [one] one point
   *[other] { $points } points
} better than what you played.
review-try-better = That is { $points ->
    [one] one point
   *[other] { $points } points
} better than what you played, but there is something better still.
review-try-same = That is what you played then. There is something better.
review-try-worse = That is { $points ->
    [one] one point
   *[other] { $points } points
} worse than what you played.
review-try-unknown = The review did not weigh that move. Try another.
review-show-best = Show the best
review-back = Back to the replay
review-off = { $why ->
    [numba] Reviews and strength are off here, because the server lacks Numba. Its host gets it with: pip install "okey101[all]"
   *[off] Reviews and strength are off here: the host of this server has turned them off.
}

## Strength
strength-title = Strength without luck: { $player }
strength-figure = { $points } points a deal, give or take { $reach }, after { $deals ->
    [one] one deal
   *[other] { $deals } deals
}
strength-like = Bots of this level play about like that: { page-bot-level }
strength-too-few = You have { $deals } of the { $least } deals that a strength needs. With fewer it would mean nothing.
strength-left-out = Deals left out because a bot or the clock played for this seat: { $count }
strength-about = 0 means playing as { $reference } does. Low is good: a plus loses that many points a deal against it. The interval is 95 %, { $worlds } worlds, seed { $seed }.
strength-same = All numbers come out the same. Deals: { $deals }

## Positions to solve
puzzle-title = Position { $number } of { $count }: { $theme }
puzzle-theme-discards = discards
puzzle-theme-opening = opening
puzzle-theme-holding = holding back
puzzle-theme-laying = laying off
puzzle-theme-pairs = pairs
puzzle-theme-taking = taking the discard
puzzle-theme-end = the end of the stock
puzzle-theme = About
puzzle-any = anything
puzzle-heading = Rules { $rules }, indicator { $indicator }, okey { $okey }, stock { $stock }
puzzle-again = A position from one of your own matches. What would you play now?
puzzle-choices = Which move is best?
puzzle-ask = Your choice, by its number:
puzzle-right = Right: { $best } is best.
puzzle-wrong = { $best } is better. Your choice costs { $points } points more on average, give or take { $reach }.
puzzle-unweighed = { $best } is better. Your choice is not even among the likely ones.
puzzle-shown = The best is this: { $best }.
puzzle-give = Give up and see
puzzle-skip = Skip
puzzle-next = Next position
puzzle-score = Right: { $right } of { $all }
puzzle-rated = Your rating: { $own }. The position's: { $position }.
puzzle-rating = { $rating } ± { $reach }
puzzle-rating-provisional = { $rating } ± { $reach } (provisional)
puzzle-about = About { $theme }. This is how many points more than the best each choice costs, on average over 1,000 worlds:

## The day's deals
daily-title = The deals of { $date }: { $state ->
    [open] you can begin until midnight
    [late] whoever has begun may go on until noon
   *[closed] closed
}
daily-everybody = Everybody
daily-friends = Friends
daily-players = { $count ->
    [one] { $count } person has played them
   *[other] { $count } people have played them
}, against { $bots }
daily-promise = { $mixed ->
    [true] Committed and mixed
   *[other] Committed, not mixed
}: { $digest }
daily-shared = A random number of yours goes into tomorrow's deals.
daily-verify = The deals of { $date }: { $count ->
    [0] committed, not mixed. Nobody contributed the day before, so the server alone chose them
    [one] committed, and mixed with one contribution of the day before
   *[other] committed, and mixed with { $count } contributions of the day before
}.
daily-verify-promised = { $state ->
    [proved] The public log has one promise of the day, and the commitment of each deal.
   *[other] The public log lacks the promise of the day or a commitment, or has two promises!
}
daily-verify-mixed = { $state ->
    [proved] The list of contributions is the one that the log closed, after the promise.
   *[other] The list of contributions is not the one that the log closed after the promise!
}
daily-verify-mine = { $state ->
    [proved] Your contribution is in the list.
    [differs] Your contribution is not in the list!
   *[other] No contribution of yours to this day is known here (--token-file says where it is).
}
daily-verify-secrets = { $state ->
    [proved] The secrets open the commitments.
    [differs] The secrets don't open the commitments!
   *[other] The secrets are opened when the day is closed.
}
daily-verify-deals = { $state ->
    [proved] The deals follow from the secrets and from the contributions, by the rules and bots that were promised.
    [differs] The deals don't follow from the secrets, the contributions and the promise!
   *[other] A match of the day is shown once it is closed.
}
error-day-differs = The deals of { $date } are not what was promised.
daily-totals = { $begins } to { $ends }, { $days ->
    [one] one closed day
   *[other] { $days } closed days
}: total, days, average
daily-streak = You have played { $count } days in a row.
daily-kept = The server keeps your try.
daily-unkept = Nothing is kept of a deal that is played again.
daily-challenge = Send this link. Whoever has it plays the same four deals within three days. To play them here, give the name { $name } to okey101 daily play.
daily-left = Your try waits where you left it. The same command goes on.
daily-bot = Bot { $number }

## The screens of matches
page-no-matches = You have no finished match yet.
page-show-more = Show more
page-record = Download the match file
page-indicator-short = Indicator
page-position-show = Show it
page-replay-whose = Whose tiles are shown
page-replay-table = Table
page-replay-look = This deal is over: it is only looked at here.
page-again = Play from here
page-again-result = Then { $then } points, now { $now }: { $way ->
    [better] better by { $by }
    [worse] worse by { $by }
   *[same] the same
}.
page-again-apart = The tiles were those of your match, and bots played the others. It counts nowhere.
page-again-more = Once more
page-review-marked = A clear mistake
page-dealt = The tiles are dealt.
page-first = To the beginning
page-back = Back
page-hand-of = Tiles in hand: { $tiles }
page-thrown-by = Discards: { $tiles }
page-thrown = Discards
page-forward = Forward
page-last = To the end
page-run = Play
page-pause = Pause
