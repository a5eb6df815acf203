# The game at the terminal, and tables and score sheets as text.

## Racks, tables and score sheets
text-none = none
text-shelf-melds = Melds
text-shelf-pairs = Pairs
text-shelf-rest = Rest
text-table = Table:
text-table-empty = The table is empty.
text-group = { $number }. { $tiles } ({ $form }, { $owner })
text-group-fits = { $number }. { $tiles } ({ $form }, { $owner }; fits: { $fits })
text-fine = { $points } points ({ $rule }, { $reason })
text-sheet-heading = Score sheet of the deal:
text-total = total { $points }
text-totals = Total
text-void = not counted
text-team = { $first } and { $second }
text-place = { $place }. { $player }: { $points ->
    [one] { $points } point
   *[other] { $points } points
}

## Who sits where
play-you = You
play-seat = { $place ->
    [right] Right
    [left] Left
   *[across] Across
}
play-bot-name = { $player } ({ $bot })
play-partner = { $player }, your partner

## The match
play-welcome =
    Okey 101 at the terminal. Type help for the commands, Enter for the position, quit to stop; everything is saved.
    Play goes to the right; you may take the discards of the player before you.
play-aim =
    The aim is to get rid of your tiles. Whoever discards the last one finishes; what the others still hold counts as points, and the fewest points win.
    In your turn you draw or take a tile, lay melds and discard a tile. A meld is a set (three or four tiles of one number, all colours different) or a run (three or more of one colour in a row).
    To open, lay melds worth { $points } points at once, or { $pairs } pairs of equal tiles. From then on you may lay any meld, and lay tiles off on those of the table.
play-ask-words = Tiles are written R7: R red, Y yellow, B blue, K black. Would you rather see red 7? The command words changes it later.
play-ask-adviser = In the first deal, should an adviser tell you before each move what to do?
play-adviser-ends = The adviser leaves now. Type hint to ask what to do.
play-more = (Enter: more, n: stop)
play-resumed = Resuming the match in { $path }.
play-ask-resume = There is an unfinished match. Go on with it?
play-moved-aside = The file that was there is now { $path }.
play-yes-no = (y: yes, n: no)
play-bot-failed = The bot { $bot } gave no legal action; a default move is played for it.
play-left = The match is saved in { $path }. Resume it with:
play-saved = Saved in { $path }.
play-not-saved = Not saved: { $path }: { $error }
play-file-exists = { $path } exists already and was not changed. Choose another file, or resume its match: --resume
play-file-in-use = { $path } is being played in another window. Choose another file: --record
play-no-file = There is no saved match in { $path }.
play-damaged = { $path } can't be used ({ $code }): { $message } The file was not changed.
play-record-kept = The record of the match is in { $path }.

## The deal
play-heading = Deal { $number } of { $deals }. Indicator { $indicator }, okey { $okey } (*). Stock: { $stock ->
    [one] { $stock } tile
   *[other] { $stock } tiles
}.
play-heading-riziko = Deal { $number } of { $deals }. The indicator is a false joker: a riziko deal; no numbered tile is wild, the other false joker is the okey (*). Stock: { $stock ->
    [one] { $stock } tile
   *[other] { $stock } tiles
}.
play-dealer = Dealer: { $player }.
play-starter = Begins with 22 tiles: { $player }.
play-dice = Dice: { $throws }: stack { $stack }, tile { $tile } from the bottom is the indicator.
play-dice-again = A false joker came up, so the die was thrown again ({ $count ->
    [one] once
   *[other] { $count } times
}).

## The position
play-opened = { $opened ->
    [melds] opened with melds
    [pairs] opened with pairs
   *[no] not opened
}
play-last-discard = last discard { $tile }
play-last-discard-yours = last discard { $tile }, you may take it
play-announced = announced the indicator's twin
play-known = known to hold { $tiles }
play-fined-so-far = fined { $points } in this deal
play-piles = Discards, oldest first:
play-rack = Your rack, { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}:
play-sum = Best arrangement: { $points } of { $need } points; pairs: { $pairs } of { $need_pairs }.
play-sum-open = Your hand counts { $hand }.
play-sum-open-melds = Your hand counts { $hand }; once its melds are laid, { $left }.
play-sum-open-pairs = Your hand counts { $hand }; once its pairs are laid, { $left }.
play-prompt = { $phase ->
    [draw] Your turn, draw or take
    [must-draw] Your turn, draw from the stock
    [last-discard] Take the last discard or pass
    [last-indicator] Draw the indicator or pass
   *[play] Your move
}

## What may be done
play-may = You may: { $list }.
play-may-draw = draw (d)
play-may-take = take { $tile } (t)
play-may-return = put it back (r)
play-may-announce = announce the indicator's twin (announce)
play-may-open = open with { $points } points (o)
play-may-open-pairs = open with { $count ->
    [one] { $count } pair
   *[other] { $count } pairs
} (op)
play-may-meld = meld (m)
play-may-meld-pairs = lay pairs (m)
play-may-lay = lay off { $list } (l, all: la)
play-may-swap = reclaim an okey: { $list } (swap)
play-may-back = take back the last tile, free (b)
play-may-back-fined = take back the last tile, costs { $points } (b)
play-may-pass = pass (p)
play-may-indicator = draw the indicator and finish (indicator)
play-may-discard = discard (x TILE)
play-must-use = You took { $tile } and must use it in this turn.
play-must-finish = You drew the indicator and must finish in this turn.
play-no-costs = No discard costs a fine.
play-risk = { $rule ->
    [P1] an okey
    [P2] a playable tile
   *[P4] taking back more than one tile in a row
}
play-cost = { $tiles }: { $points } points ({ $rule }, { $reason })
play-costs = Discards that cost a fine: { $list }.
play-all-cost = Every discard costs a fine: { $list }.
play-points-short = To open with sets and runs you need { $points ->
    [one] { $points } more point
   *[other] { $points } more points
}.
play-offer-open = With { $tile } your best arrangement would be { $points } points, pairs { $pairs }: you could open.
play-offer-short = With { $tile } your best arrangement would be { $points } points, pairs { $pairs }: not enough to open.
play-offer-use = You could use { $tile } at once.
play-offer-useless = You could not use { $tile } now.
play-not-yet = Once you have opened you could lay off: { $tiles }.
play-melds = Groups you may lay: { $groups }.

## Questions and answers
play-confirm-fine = { $action } costs { $points } points ({ $rule }: { $reason }). Do it?
play-confirm-short = That is { $value } points, but { $need } are needed: { $points ->
    [0] you would get the tiles back, and everybody would have seen them.
   *[other] you would get the tiles back, and a fine of { $points } (P3).
} Do it?
play-confirm-short-pairs = That is { $value ->
    [one] { $value } pair
   *[other] { $value } pairs
}, but { $need } are needed: { $points ->
    [0] you would get the tiles back, and everybody would have seen them.
   *[other] you would get the tiles back, and a fine of { $points } (P3).
} Do it?
play-not-done = Not done; nothing has changed.
play-refused = { $message } ({ $rule })
play-at = { $message } (at character { $position }: { $rest })
play-typed = { $word ->
    [draw] draw
    [take] take
    [return] return
    [meld] meld
    [lay] lay
    [back] back
    [announce] announce
    [discard] discard
    [pass] pass
    [indicator] indicator
   *[swap] swap
}
play-hint = Hint: { $action }. { $reason }
play-auto = auto: { $action }
play-log-empty = Nothing has happened yet.
play-words-on = Tiles are now written in words. Commands take both: x red 7, x R7.
play-words-off = Tiles are now written in short, such as R7.

## What happened: others
play-did-draw = drew from the stock
play-did-take = took the discard { $tile }
play-did-return = put { $tile } back
play-did-announce = announced the indicator's twin
play-did-open-melds = opened with { $points } points ({ $groups })
play-did-open-pairs = opened with { $count ->
    [one] { $count } pair
   *[other] { $count } pairs
} ({ $groups })
play-did-short-opening = showed a short opening and took it back ({ $groups })
play-did-meld = laid { $groups }
play-did-lay = laid off { $piece } on group { $group } ({ $tiles })
play-did-back = took back { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
play-did-discard = discarded { $tile }
play-did-pass = passed
play-did-indicator = drew the indicator
play-did-swap = gave { $tile } for the okey of group { $group }
play-did-finish = finished
play-did-fined = was fined { $points } points ({ $rule }, { $reason })

## What happened: you
play-you-draw = drew { $tile } from the stock
play-you-take = took the discard { $tile }
play-you-return = put { $tile } back
play-you-announce = announced the indicator's twin
play-you-open-melds = opened with { $points } points ({ $groups })
play-you-open-pairs = opened with { $count ->
    [one] { $count } pair
   *[other] { $count } pairs
} ({ $groups })
play-you-short-opening = showed a short opening and took it back ({ $groups })
play-you-meld = laid { $groups }
play-you-lay = laid off { $piece } on group { $group } ({ $tiles })
play-you-back = took back { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
play-you-discard = discarded { $tile }
play-you-pass = passed
play-you-indicator = drew the indicator
play-you-swap = gave { $tile } for the okey of group { $group }
play-you-finish = finished
play-you-fined = were fined { $points } points ({ $rule }, { $reason })

## The end
play-end-deal = End of deal { $number }: { $outcome }
play-end-finish = { $player } finished.
play-kept = { $player } still held { $tiles } ({ $points ->
    [one] { $points } point
   *[other] { $points } points
}).
play-kept-okey = { $player } still held { $tiles } ({ $points } without the okey).
play-void = The deal does not count.
play-end-match = The match is over.
play-won = You won the match!
play-won-team = The winners are { $players }.

## Why something is refused
error-unknown-command = { $word } is not a command. Type help to list them.
error-already-opened = You have already opened. Lay new groups with meld.
error-cannot-open = Your best arrangement is { $value } points, but { $need } are needed.
error-cannot-open-pairs = You can lay { $value } pairs, but { $need } are needed.
error-no-meld = You hold nothing to meld.
error-nothing-to-lay = None of your tiles fits a group on the table.
error-fits-nowhere = { $piece } fits no group on the table.
error-fits-several = { $piece } fits the groups { $groups }. Say which: l { $piece } > number.
error-no-such-rule = There is no rule { $rule }.
error-not-a-save = This is not a match saved by okey101 play.
error-save-differs = The deals in it are not those of its seed.
error-save-over = The match in it is over.
error-too-many-saves = That folder has too many saved matches. Delete some of them.

## The commands
play-help =
    Tiles: R red, Y yellow, B blue, K black, with the number: R7. F is a false joker, * an okey. In a meld, write what the okey stands for: *R8, or *5.
    d, draw: draw from the stock
    t, take: take the discard of the player before you
    r, return: put the taken discard back
    o, open: open with the best arrangement
    op: open with pairs
    m R7 R8 R9 / K11 Y11 *B11: lay these groups, to open or later; once you have opened, m alone lays all it can
    l K5 > 3 or l K5 3: lay K5 off on group 3; l K5 is enough if only one group fits
    la: lay off all that fits, except okeys
    x R9, discard R9: discard R9 and end the turn; whoever discards the last tile finishes
    b, undo: take back the last tile put down in this turn; b 2 takes back two; one is free, two in a row cost { $points }, once a turn
    swap R8 > 3: take the okey of group 3 for R8, if the rules allow it
    announce: announce the indicator's twin; pass, p: leave the last discard or the indicator; indicator: draw it and finish
    s, sp, sc: sort the rack by melds, by pairs, by colour
    w, why: what you may do now, and what is missing
    h, hint: what a good player would do; auto: do it; auto 5: five actions
    table: the whole table with all discards; rack: your rack; log: what has happened in this deal
    score: the score sheet; rules: the rules; rules P2: one rule
    words: write tiles in words or in short
    save: write the file again; save FILE: write a copy of it
    q, quit: stop; the match is saved, and --resume goes on with it
    ?, help: these lines; Enter: the position once more
    The Turkish commands work too.
