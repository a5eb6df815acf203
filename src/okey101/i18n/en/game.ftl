# The words of the game: tiles, actions, what happened, fines, and why something is refused.

## Tiles and melds
colour = { $colour ->
    [R] red
    [Y] yellow
    [B] blue
   *[K] black
}
tile = { colour } { $number }
tile-okey = okey
tile-false-joker = false joker
piece-okey-as = okey as { $tile }
piece-okey-as-number = okey as { $number }
form = { $form ->
    [run] run
    [set] set
   *[pair] pair
}
count-tiles = { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
count-pairs = { $count ->
    [one] { $count } pair
   *[other] { $count } pairs
}
count-points = { $count ->
    [one] { $count } point
   *[other] { $count } points
}
count-deals = { $count ->
    [one] { $count } deal
   *[other] { $count } deals
}

## What a seat may do
action-draw = draw from the stock
action-take = take the discard
action-return = put it back
action-announce = announce the indicator's twin
action-open = open
action-open-pairs = open with pairs
action-meld = meld
action-lay = lay off
action-back = take back
action-discard = discard
action-pass = pass
action-indicator = draw the indicator
action-swap = reclaim the okey
opened = { $opened ->
    [melds] opened with { $points } points
    [pairs] opened with pairs
   *[no] not opened
}

## What happened
event-deal = { $player } deals. The indicator is { $indicator }, the okey { $okey }.
event-deal-riziko = { $player } deals. A false joker is the indicator: a riziko deal.
event-draw = { $player } draws from the stock.
event-take = { $player } takes the discard { $tile }.
event-return = { $player } puts { $tile } back.
event-announce = { $player } announces the indicator's twin.
event-open-melds = { $player } opens with { $points } points: { $groups }.
event-open-pairs = { $player } opens with { $count ->
    [one] { $count } pair
   *[other] { $count } pairs
}: { $groups }.
event-short-opening = { $player } shows a short opening and takes it back: { $groups }.
event-meld = { $player } lays { $groups }.
event-lay = { $player } lays off { $piece } on group { $group }.
event-back = { $player } takes back { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}.
event-discard = { $player } discards { $tile }.
event-pass = { $player } passes.
event-indicator = { $player } draws the indicator.
event-swap = { $player } swaps { $tile } for the okey of group { $group }.
event-fine = { $player } is fined { $points } points: { $reason }.
event-finish = { $player } finishes.
event-stock = The stock is empty; nobody has finished.
event-all-pairs = Everybody has opened with pairs; the deal does not count.
event-deal-again = The same dealer deals again.
event-match-won = { $player } wins the match.
event-match-shared = First place is shared by { $players }.

## Fines, by the id of their rule
fine-P1 = an okey was discarded
fine-P2 = a playable tile was discarded
fine-P3 = the opening fell short
fine-P4 = more than one tile in a row was taken back
fine-P5 = an okey was kept
fine-U7 = the discard was taken and used
fine-X4 = the next player opened with the discard

## The score sheet
factor-okey = finished with the okey
factor-pairs = finished with pairs
factor-whole-hand = the whole hand in one turn
factor-riziko = riziko deal
factor-own-pairs = opened with pairs
end = { $end ->
    [finish] finished
    [stock] the stock ran out
   *[all-pairs] everybody opened with pairs
}

## Why something is refused: an action
error-already-announced = The indicator's twin has already been announced.
error-already-drawn = You can't draw now: you already have your tile for this turn.
error-already-laid = You can't put the discard back after you have laid tiles.
error-announce-too-late = You can announce the twin only in your first turn, before you open.
error-below-threshold = Your opening is worth { $value }, but { $need } are needed.
error-breaks-group = Taking back { $count } would leave an illegal group on the table.
error-deal-over = The deal is over.
error-discard-protected = You can't take the discard of a player who opened with pairs.
error-does-not-fit = { $piece } does not fit group { $group }.
error-draw-only = You put the discard back, so draw from the stock now.
error-false-joker-blank = In a riziko deal the false joker stands for nothing.
error-indicator-blank = In a riziko deal the indicator stands for nothing.
error-indicator-no-finish = You may draw the indicator only to finish with it.
error-lay-off-later = You can't lay off in the turn in which you open.
error-melds-only = A player who opened with sets and runs can't lay pairs.
error-mixed-forms = Pairs can't be laid together with sets and runs.
error-must-draw-first = First draw a tile or take the discard.
error-must-finish = You drew the indicator, so you must finish in this turn.
error-no-announcement = These rules do not let you announce the indicator's twin.
error-no-discard = There is no discard to take.
error-no-group = There is no group { $group } on the table.
error-no-pairs-yet = You may lay pairs only once pairs lie on the table.
error-no-reclaim = These rules do not let you reclaim an okey.
error-not-a-pair = A pair is two tiles of the same colour and number.
error-not-a-run = A run is three or more consecutive numbers in one colour.
error-not-a-set = A set is three or four tiles of one number in different colours.
error-not-asked = The last discard or the indicator is not offered to you now.
error-not-in-hand = You don't hold { $tile }.
error-not-opened = You can lay off only after you have opened.
error-not-reclaimable = No okey in group { $group } certainly stands for { $tile }.
error-not-your-turn = It is not your turn.
error-nothing-left = Keep one tile to discard.
error-nothing-taken = You have taken no discard in this turn.
error-nothing-to-take-back = { $count ->
    [0] No tile put down in this turn can be taken back.
    [one] Only { $count } tile put down in this turn can be taken back.
   *[other] Only { $count } tiles put down in this turn can be taken back.
}
error-pairs-lay-nothing-off = You opened with pairs, so you can't lay off.
error-pairs-only = A player who opened with pairs can't lay a new set or run.
error-return-not-allowed = You can't put this discard back.
error-taken-not-used = You took { $tile }, so you must use it in this turn.
error-taken-useless = You may take the discard only to use it at once.
error-too-short = A group needs three tiles, a pair two.
error-twin-not-held = You don't hold the indicator's twin.

## Why something is refused: a text
did-you-mean = Did you mean { $name }?
error-bad-tile = { $tile } is not a tile. Write tiles like R7, F or *.
error-bare-okey = In a meld, write what the okey stands for: *R8 or *5.
error-bad-position = This is not a position: it needs eight or nine parts, separated by semicolons.
error-too-many-copies = There are only two { $tile } tiles.
error-empty-group = A group has no tiles in it.
error-unknown-action = { $word } is not an action.
error-bad-seat = { $seat } is not a seat.
error-bad-action = Write it like this: { $shape }.

## Why something is refused: a rule set
error-teams-need-four = The team game needs four players: teams, players (G1).
error-needs-teams = { $name } belongs to the team game: it needs teams ({ $rule }).
error-two-last-tiles = Either the last discard may be taken or the indicator may be drawn, not both: last_discard_takeable, indicator_is_last_tile (E2, E4).
error-unknown-preset = There is no rule set called { $name }. Choose one of these: { $known }.
error-unknown-field = A rule set has no field { $fields }.
error-bad-value = { $fields } can't have that value; allowed: { $allowed }.
error-bad-value-plain = That value is not possible.

## Why something is refused: a deal, a rack, a match
error-bad-seed = A seed is 64 hexadecimal digits.
error-bad-indicator = { $tile } can't be the indicator.
error-wrong-hands = { $wanted } hands are needed, not { $got }.
error-empty-hand = A hand is empty.
error-too-many-tiles = The game does not have { $count } { $tile } tiles.
error-too-many-tiles-plain = There are only { $limit } tiles to play with.
error-bad-deals = A match has 1 to 1000 deals.
error-match-over = All agreed deals have been played.
error-deal-running = The deal has not ended yet.
error-not-a-rack = This is not a rack: a tile occurs more than twice.
error-no-kind = { $tile } has no colour and no number of its own.
error-okey-face-in-rack = Write the okey's own tiles as the okey, *.
error-other-rules = The deal was played by other rules than the match has.
error-false-joker-in-riziko = In a riziko deal the false joker is the okey. Write it as *.
error-not-in-rack = { $tile } is not in the rack.
error-two-layouts = A layout already has its seed and its dealer. Don't give them again.

## Why something is refused: a record
error-not-json = The file is not JSON.
error-more-than-one = Another record follows this one. From a file with a record on each line, give only one line.
error-truncated = The file ends too early.
error-not-utf8 = The file is not UTF-8.
error-too-large = A record may have at most { $limit } bytes.
error-lone-surrogate = A text contains a broken character.
error-rack-too-large = A rack may have at most { $limit } tiles here.
error-too-deep = The record is nested too deeply.
error-too-long = The text has more than { $limit } characters.
error-duplicate-name = The name { $name } occurs twice in one object.
error-unknown-name = The name { $name } is not known here.
error-missing = { $name } is missing.
error-unexpected = team_totals needs a rule set with teams.
error-bad-format = { $format } is not the format that is needed here.
error-newer-format = The format { $format } is newer than this program. Install a newer okey101.
error-newer-rules = The rules version of the record is newer than this program. Install a newer okey101.
error-no-deal = A deal needs a seed, or hands and an indicator.
error-wrong-type = { $wanted ->
    [object] An object is needed here.
    [list] A list is needed here.
    [integer] A whole number is needed here.
    [text] A text is needed here.
    [boolean] True or false is needed here.
   *[other] { $wanted } is needed here.
}
error-wrong-count = { $wanted } entries are needed, not { $got }.
error-out-of-range = The number must be between { $low } and { $high }.
error-too-many-deals = The record goes on beyond the agreed number of deals.
error-result-differs = The record says { $claimed }, but the play gives { $actual }.
error-totals-differ = The record says { $claimed }, but the play gives { $actual }.
error-bad-hex = 64 hexadecimal digits are needed.
error-bad-randomness = A contribution is { $low } to { $high } bytes in hexadecimal digits, or nothing.
error-bad-actor = An actor is person, clock, fallback or bot:NAME/VERSION.
error-actor-count = { $wanted } actors are needed, one for each action, not { $got }.
error-bad-checkpoint = A checkpoint is an origin, a size, a root and signatures.
error-bad-secret = A secret is 32 bytes.
error-bad-context = The table's name, the match or the deal is not valid.
error-no-such-deal = The record has no deal { $deal }.
error-fair-noted = The commitment is not the one that was written down before the deal.
error-fair-mine = Your contribution is missing among the seats' contributions, or stands only in rounds that were thrown away.
error-fair-commitment = The secret does not open the commitment.
error-fair-context = Table, match and number do not follow on from the deal before.
error-fair-opening = The contribution of seat { $seat } does not open its commitment.
error-fair-bot = The bot in seat { $seat } contributed.
error-fair-rounds = { $count } rounds were abandoned, but the record lists { $told }.
error-fair-round = The secret of abandoned round { $round } does not open its commitment.
error-fair-reason = Abandoned round { $round } had no reason not to be dealt.
error-fair-terms = The rules, or the number of deals, are not those that everybody was shown.
error-bad-terms = Terms are texts, whole numbers, lists and named values.
error-fair-seed = The seed does not follow from the secret and the contributions.
error-fair-dealer = The dealer is seat { $claimed }, but should be seat { $actual }.
error-fair-actor = { $actual } sat in seat { $seat }, but the record gives action { $number } to: { $claimed }.
error-fair-bot-choice = In action { $number }, seat { $seat } played { $claimed }. From what the seat saw, { $actor } plays { $actual }.
error-fair-tiles = The record says { $claimed }, but the seed gives { $actual }.

## Why something is refused: a question to the solver
error-bad-place = You can't lay off there.
error-not-weighed = { $action } was not weighed.
