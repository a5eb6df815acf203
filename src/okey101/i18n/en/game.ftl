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
event-match-shared = The match is shared by { $players }.

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
error-already-announced = The indicator's twin has been announced already.
error-already-drawn = You can't draw now: you have your tile for this turn.
error-already-laid = The discard can't be put back after tiles were laid.
error-announce-too-late = The twin can be announced only in your first turn, before opening.
error-below-threshold = The opening is worth { $value }, and { $need } are needed.
error-breaks-group = Taking back { $count } would leave a group that is not legal.
error-deal-over = The deal is over.
error-discard-protected = The discard of a player who opened with pairs can't be taken.
error-does-not-fit = { $piece } does not fit group { $group }.
error-draw-only = After putting the discard back, draw from the stock.
error-false-joker-blank = In a riziko deal the false joker stands for nothing.
error-indicator-blank = In a riziko deal the indicator stands for nothing.
error-indicator-no-finish = The indicator may be drawn only to finish with it.
error-lay-off-later = You can lay off only after the turn of your opening.
error-melds-only = A player who opened with sets and runs can't lay pairs.
error-mixed-forms = Pairs can't be laid together with sets and runs.
error-must-draw-first = Draw a tile or take the discard first.
error-must-finish = After drawing the indicator you must finish in this turn.
error-no-announcement = The indicator is not announced under these rules.
error-no-discard = There is no discard to take.
error-no-group = There is no group { $group } on the table.
error-no-pairs-yet = Pairs may be laid only once pairs lie on the table.
error-no-reclaim = Okeys are not reclaimed under these rules.
error-not-a-pair = A pair is two tiles of the same colour and number.
error-not-a-run = A run is three or more consecutive numbers in one colour.
error-not-a-set = A set is three or four tiles of one number in different colours.
error-not-asked = The last discard or the indicator is not on offer now.
error-not-in-hand = You don't hold { $tile }.
error-not-opened = Lay off only after opening.
error-not-reclaimable = No okey in group { $group } certainly stands for { $tile }.
error-not-your-turn = It is not your turn.
error-nothing-left = One tile must be left to discard.
error-nothing-taken = You took no discard in this turn.
error-nothing-to-take-back = { $count ->
    [0] No tile put down in this turn can be taken back.
    [one] Only { $count } tile put down in this turn can be taken back.
   *[other] Only { $count } tiles put down in this turn can be taken back.
}
error-pairs-lay-nothing-off = You opened with pairs, so you can't lay off.
error-pairs-only = A player who opened with pairs can't lay a new set or run.
error-return-not-allowed = A taken discard can't be put back.
error-taken-not-used = The taken discard { $tile } must be used in this turn.
error-taken-useless = The discard may be taken only to be used at once.
error-too-short = A group needs three tiles, a pair two.
error-twin-not-held = You don't hold the indicator's twin.

## Why something is refused: a text
did-you-mean = Did you mean { $name }?
error-bad-tile = { $tile } is not a tile.
error-bare-okey = In a meld, write what the okey stands for: *R8 or *5.
error-bad-position = That is no position: eight parts or nine, between semicolons.
error-too-many-copies = There are only two tiles { $tile }.
error-empty-group = A group has no tiles.
error-unknown-action = { $word } is not an action.
error-bad-seat = { $seat } is not a seat.
error-bad-action = Write it like this: { $shape }.

## Why something is refused: a rule set
error-teams-need-four = The team game needs four players: teams, players (G1).
error-needs-teams = { $name } belongs to the team game: it needs teams ({ $rule }).
error-two-last-tiles = Taking the last discard and drawing the indicator exclude each other: last_discard_takeable, indicator_is_last_tile (E2, E4).
error-unknown-preset = There is no rule set called { $name }; there are { $known }.
error-unknown-field = A rule set has no field { $fields }.
error-bad-value = { $fields } can't have that value; allowed: { $allowed }.
error-bad-value-plain = That value is not possible.

## Why something is refused: a deal, a rack, a match
error-bad-seed = A seed is 64 hexadecimal digits.
error-bad-indicator = { $tile } can't be the indicator.
error-wrong-hands = { $wanted } hands are needed, not { $got }.
error-empty-hand = A hand is empty.
error-too-many-tiles = There are not { $count } tiles { $tile }.
error-bad-deals = A match has 1 to 1000 deals.
error-match-over = All agreed deals have been played.
error-deal-running = The deal has not ended.
error-not-a-rack = That is not a rack: a tile occurs more than twice.
error-okey-face-in-rack = The okey's own tiles are written as the okey, *.
error-false-joker-in-riziko = In a riziko deal the false joker is the okey, *.
error-not-in-rack = { $tile } is not in the rack.
error-two-layouts = A layout has its seed and its dealer already.

## Why something is refused: a record
error-not-json = The file is not JSON.
error-more-than-one = After the record there is another. In a file with a record on each line, give one of its lines.
error-truncated = The file ends too early.
error-not-utf8 = The file is not UTF-8.
error-too-large = A record has at most { $limit } bytes.
error-lone-surrogate = A text contains a broken character.
error-rack-too-large = A rack may have at most { $limit } tiles here.
error-too-deep = The record is nested too deeply.
error-too-long = The text has more than { $limit } characters.
error-duplicate-name = The name { $name } occurs twice in one object.
error-unknown-name = The name { $name } is not known here.
error-missing = { $name } is missing.
error-unexpected = team_totals needs a rule set with teams.
error-bad-format = The format { $format } is not that of a record.
error-newer-format = The format { $format } is newer than this program.
error-newer-rules = The rules version of the record is newer than this program.
error-no-deal = A deal needs a seed, or hands and an indicator.
error-wrong-type = { $wanted ->
    [object] An object is needed here.
    [list] A list is needed here.
    [integer] A whole number is needed here.
    [text] A text is needed here.
    [boolean] True or false is needed here.
   *[other] { $wanted } is wanted here.
}
error-wrong-count = { $wanted } entries are needed, not { $got }.
error-out-of-range = The number must be from { $low } to { $high }.
error-too-many-deals = The record goes on after the agreed number of deals.
error-result-differs = The record says { $claimed }, the play gives { $actual }.
error-totals-differ = The record says { $claimed }, the play gives { $actual }.
error-bad-hex = 64 hexadecimal digits are needed.
error-bad-randomness = A contribution is { $low } to { $high } bytes in hexadecimal digits, or nothing.
error-bad-actor = Who played an action is person, clock, fallback or bot:NAME/VERSION.
error-actor-count = { $wanted } actors are needed, one for each action, not { $got }.
error-bad-checkpoint = A checkpoint is an origin, a size, a root and signatures.
error-bad-secret = A secret is 32 bytes.
error-bad-context = The table's name, the match or the deal is not possible.
error-no-such-deal = The record has no deal { $deal }.
error-fair-noted = The commitment is not the one that was written down before the deal.
error-fair-mine = Your contribution is not among the seats' contributions, or only in rounds that were thrown away.
error-fair-commitment = The secret does not open the commitment.
error-fair-context = Table, match and number do not go on from the deal before.
error-fair-opening = What seat { $seat } contributed does not open its commitment.
error-fair-bot = The bot in seat { $seat } contributed.
error-fair-rounds = { $count } rounds were abandoned, and { $told } are told of.
error-fair-round = The secret of abandoned round { $round } does not open its commitment.
error-fair-reason = Abandoned round { $round } had no reason not to be dealt.
error-fair-terms = The rules, or the number of deals, are not those that were shown.
error-bad-terms = Terms are texts, whole numbers, lists and named values.
error-fair-seed = The seed does not follow from the secret and the contributions.
error-fair-dealer = The dealer is seat { $claimed }, and should be seat { $actual }.
error-fair-actor = { $actual } sat in seat { $seat }, and action { $number } is said to be of: { $claimed }.
error-fair-bot-choice = Action { $number } of seat { $seat } is { $claimed }; from what the seat saw, { $actor } plays { $actual }.
error-fair-tiles = The record says { $claimed }, the seed gives { $actual }.

## Why something is refused: a question to the solver
error-bad-place = You can't lay off there.
error-not-weighed = { $action } was not weighed.
