## The rules as picture cards

cards-ids = Show the numbers of the rules
cards-title = The rules in cards
cards-all = All rules, one by one
cards-good = Right
cards-bad = Wrong
cards-to = becomes:
cards-tiles = The tiles
cards-tiles-text = Four colours, numbers from 1 to 13, two of each tile; and two false jokers. Each colour has a shape as well: circle, diamond, triangle, square.
cards-okey = The okey
cards-okey-text = The open tile is the indicator. The next number of its colour is the okey, which stands for any tile. Above 13 comes 1.
cards-joker = The false joker
cards-joker-text = A false joker is not wild: it counts as the okey's own tile.
cards-set = A set
cards-set-text = Three or four tiles of one number, all of different colours. No colour twice.
cards-run = A run
cards-run-text = Three tiles or more of one colour, in a row. 1 stands at the beginning only: 13 and 1 do not touch.
cards-open = Opening
cards-open-text = The first melds need { $points } points at least. These four are worth exactly 102. If they are worth less, the tiles go back{ $fine ->
    [0] .
   *[other] {" "}and { $fine } points are charged.
}
cards-pairs = Opening with pairs
cards-pairs-text = Or with { $pairs } pairs at least: two tiles of a kind each. After opening with pairs you lay no new sets or runs.
cards-turn = Your turn
cards-turn-text = Draw from the stock, or take the left player's discard. A tile that you take has to be used in that turn. Then open, lay off, and discard a tile.
cards-lay = Laying off
cards-lay-text = Once you have opened you may add tiles to the sets and runs on the table, whoever laid them.
cards-fines = Fines of 101
cards-fines-text = Discarding an okey, or a tile that fits a meld on the table, costs 101 points. The tile that finishes costs nothing.
cards-finish = Finishing
cards-finish-text = Discarding your last tile ends the deal. It takes 101 points off your score. A player who has opened gets what is left in hand; one who has not gets 202. If the last tile is an okey, everything doubles. The same holds if the winner opened with pairs. Fewest points win.
cards-unopened = Why 202?
cards-unopened-text = Whoever has not opened when the deal ends, by a finish or an empty stock, gets 202, whatever the tiles: twice 101. A finish with an okey or with pairs doubles that as well: 404.
cards-kept = An okey that is kept
cards-kept-text = An okey that you still hold when the deal ends costs 101 points, but nothing extra if you have not opened.
