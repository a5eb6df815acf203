## What to do, and why: hints on the page

hint-opening = What can I open with?
hint-follow = Do it
hint-do =
    { $verb ->
        [draw] Draw from the stock.
        [take] Take the discard: { $tile }.
        [return] Put the taken tile back.
        [announce] Announce the indicator's twin.
        [pass] Pass.
        [indicator] Draw the indicator.
        [meld] Lay: { $tiles }.
        [open] Open with: { $tiles }.
        [open-ready] Open: the melds stand ready on your rack.
        [lay] Lay off: { $tile }.
        [swap] Take the okey from the table for: { $tile }.
        [back] Take the last tile back.
       *[discard] Discard: { $tile }.
    }
hint-why-draw-only = There is no other tile to take.
hint-why-draw-useless = The discard ({ $tile }) may only be taken to be used in the same turn, { $need ->
    [0] and it can't be laid down or laid off now.
   *[other] and it doesn't get you to an opening: melds of { $need } points are needed.
}
hint-why-draw-rather = The discard ({ $tile }) could be used, but a new tile promises more.
hint-why-take = You can use the discard ({ $tile }) at once.
hint-why-take-open = With this tile you open: { $points } points, { $need } are needed.
hint-why-take-pairs = With this tile you can open with pairs; pairs needed: { $need }.
hint-why-return = You can't use it now, and putting it back is free.
hint-why-announce = It costs nothing, and the twin pairs with any tile in an opening with pairs.
hint-why-pass = There is nothing left to win by going on.
hint-why-indicator = This tile finishes your hand.
hint-why-swap = The okey is worth more in your hand than that tile.
hint-why-back = The tile serves better elsewhere.
hint-why-open = You have { $points } points, and { $need } are enough. A hand that never opens costs 202 or more.
hint-why-open-pairs = You have { $points } pairs, and { $need } are enough. A hand that never opens costs 202 or more.
hint-why-open-finish = Opened like this, one tile is left to discard: you finish in this turn.
hint-why-meld = Tiles that leave your hand: { $points }.
hint-why-lay = It fits a meld on the table; kept, its points would count against you.
hint-why-lay-finish = This way all your tiles go, and one is left to discard.
hint-why-lay-okey = Keeping an okey costs a lot; here is a place for it.
hint-why-finish = Your last tile: it ends the deal.
hint-why-finish-okey = Your last tile is an okey: that doubles what all others get.
hint-why-fined = It costs { $points }, but by the bot's reckoning it is still the cheapest way.
hint-why-all-fined = Every tile costs a fine; this one costs { $points }.
hint-why-hold-hand = You can open, but waiting is better: with the draws to come more tiles can go down at once.
hint-why-hold-okey = Keep the okey: with it you are far likelier to finish next turn.
hint-why-shed-okey = The deal will hardly count, but an okey that is kept would.
hint-why-loose = It is of no use to any set or run, and costs no fine.
hint-why-far = Few tiles would make a meld with it, and it costs no fine.
hint-why-spare = By the bot's reckoning your hand promises more without this tile.
hint-why-light = By the bot's reckoning discarding this tile leaves you the fewest points.
hint-why-too-late = The stock will most likely run out before your next turn. The tiles of a hand that hasn't opened aren't counted, so it matters little which meld is broken.
hint-why-wait-partner = Your partner hasn't opened: finishing now would cost your team more than it brings.
hint-safe = By what lies open, the next player can't use it at once.
hint-opening-found =
    { $form ->
        [melds] Your opening is on the rack: { $points } points, { $need } are needed.
       *[pairs] Your opening is on the rack: { $points } pairs, { $need } are needed.
    }
hint-opening-short = You can't open yet. Your best arrangement has { $points } points of { $need }, and { $pairs } pairs of { $needPairs }.
hint-opening-later = You have opened; the arrangement that counts most is on the rack.
