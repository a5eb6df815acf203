# The rules of any rule set. Every paragraph is called rule-<id>; it gets every field of the rule
# set (yes and no for true and false) and the numbers computed from them.

rules-heading = The rules of Okey 101
rules-preset = Rule set: { $preset }
rules-near-preset = { $count ->
    [one] Rule set: { $preset }, with one difference
   *[other] Rule set: { $preset }, with { $count } differences
}
rules-section-tiles = The tiles
rules-section-deal = Seats and the deal
rules-section-okey = The okey
rules-section-melds = Sets, runs and pairs
rules-section-opening = Opening
rules-section-turn = The turn
rules-section-end = The end of a deal
rules-section-scoring = Scoring
rules-section-fines = Fines
rules-section-teams = The team game
rules-section-options = Further options
rules-section-differences = How this differs from { $preset }

## 1 Tiles
rule-T1 = There are { $tiles } tiles: the numbers 1 to 13 in red, yellow, blue and black, two copies of each, and two false jokers.
rule-T2 = All backs are alike. Nobody knows a face-down tile, or a tile on another player's rack, unless it was shown.

## 2 Seats and the deal
rule-D1 = { $players ->
    [2] Two players sit at the table.
    [3] Three players sit at the table.
   *[4] Four players sit at the table.
}
rule-D2 = Play goes anticlockwise, and so does the deal from hand to hand: after each player comes the one on the right.
rule-D3 = The first dealer is drawn at random. After a scored deal, the player to the right deals next.
rule-D4 = { $starter ->
    [right_of_dealer] The player to the dealer's right gets { $starter_tiles } tiles and begins; every other player, including the dealer, gets { $hand_tiles }.
   *[dealer] The dealer gets { $starter_tiles } tiles and begins; every other player gets { $hand_tiles }.
}
rule-D5 = In the first turn of a deal nothing is drawn: the starter may open, then discards.
rule-D6 = The tiles are mixed face down and built into 15 stacks of seven; the one left over stays with the dealer. The first throw of the die picks a stack, counted from the leftmost in front of the dealer to the right; the left-over tile goes on top of it. The second throw picks a tile in that stack, counted from the bottom; it is put on top, face up, and is the indicator. The stacks then go round, beginning with the one after the picked stack and the player to the dealer's right, until each player has three; the starter takes one tile more. What is left is the stock, drawn in the same circular order, the picked stack last.
rule-D7 = The stock holds { $stock } tiles. The indicator stays face up and is not one of them.
rule-D8 = { $false_joker_indicator ->
    [riziko] If a false joker turns up as the indicator, it is a riziko deal: no numbered tile is wild, the other false joker is the only okey, and finishing by discarding it is worth twice an okey finish. { $riziko_losers ->
        [hand] The others then pay for their hands as usual, doubled in the same way.
       *[flat] Each of the others, opened or not, then pays as much as the winner is given.
    }
   *[rethrow] If a false joker turns up as the indicator, it goes back and the second throw is repeated.
}

## 3 The okey
rule-J1 = The okey is the tile one higher than the indicator, in the same colour; after 13 comes 1. Both copies are wild.{ $false_joker_indicator ->
    [riziko] {" "}In a riziko deal D8 applies instead.
   *[rethrow] {""}
}
rule-J2 = A false joker is not wild. It is an ordinary tile with the colour and number of the okey: in melds, in pairs, and when a hand is counted.{ $false_joker_indicator ->
    [riziko] {" "}In a riziko deal D8 applies instead.
   *[rethrow] {""}
}
rule-J3 = An okey stands for any tile in a set, a run or a pair, and has the value of the tile it stands for. In a set its colour stays open while two colours are free: on blue 5, red 5 and an okey, a yellow 5 or a black 5 may be laid next.
rule-J4 = { $reclaim_okey ->
    [yes] A played okey is never moved; it may be reclaimed as X2 says.
   *[no] A played okey stays where it is: it is never moved, nor reclaimed for the tile it stands for.
}

## 4 Melds
rule-M1 = A set is three or four tiles of one number, all of different colours.
rule-M2 = A run is three or more consecutive numbers in one colour. 1 is low only: 13 and 1 do not connect.
rule-M3 = A pair is two tiles of the same colour and number. A pair is never extended.
rule-M4 = A set of three can be extended by the missing colour, a run at either end.
rule-M5 = The two ways to open do not mix. A player who opened with sets and runs { $melds_lay_pairs ->
    [yes] lays pairs only once pairs lie on the table (X8).
   *[no] never lays a pair.
} A player who opened with pairs lays no new set or run, but may lay more pairs{ $pairs_lay_off ->
    [none] ; such a player lays nothing off (X6).
   *[all] , and may lay off on the sets and runs of { $teams ->
        [yes] others, including the partner's.
       *[no] others.
    }
}

## 5 Opening
rule-O1 = To open with sets and runs, lay them from the rack alone, in one turn, worth at least { $open_points } points together. A tile is worth its number, an okey what it stands for.
rule-O2 = Or open with at least { $open_pairs } pairs in one turn; their value does not matter.
rule-O3 = After opening, in the same turn and later, new sets and runs of any value (or new pairs) may be laid, and tiles laid off on the sets and runs of any player{ $lay_off_when_opening ->
    [no] ; but nobody lays off in the turn of the opening (X6).
   *[yes] .
} Tiles laid off never count toward the { $open_points } points, and nobody lays off before opening.
rule-O4 = { $whole_hand_opens ->
    [yes] Whoever lays the whole hand at once, in sets and runs from the rack, and then discards the last tile, needs no { $open_points } points, unless the last discard was taken for it.
   *[no] Laying the whole hand at once needs the { $open_points } points as well.
}
rule-O5 = { $short_opening ->
    [refuse] An opening that falls short, of points or of pairs, is refused: the tiles go back and nothing is charged.
   *[fine] An opening that falls short, of points or of pairs, goes back to the rack { $short_opening_fine ->
        [0] and costs nothing.
       *[other] and costs { $short_opening_fine } points.
    }
}
rule-O6 = { $indicator_pairs ->
    [yes] Whoever holds the other copy of the indicator may announce it in the first turn, before opening. In an opening with pairs that tile may then be paired with any tile, once. Not in a riziko deal.
   *[no] The other copy of the indicator is a tile like any other.
}
rule-O7 = { $all_pairs ->
    [void_but_okeys] When every player has opened with pairs, the deal stops at once. Nobody scores, but each okey still in a hand costs { $okey_in_hand_fine } points. The same dealer deals again, and the deal does not count.
   *[void] When every player has opened with pairs, the deal stops at once and nobody scores. The same dealer deals again, and the deal does not count.
}

## 6 The turn
rule-U1 = Draw a tile from the stock, or take the last discard of the player before you. Then meld and lay off, if you like. Then discard one tile: always, and in the last turn too.
rule-U2 = A taken discard must be used in the same turn: in the opening if you have not opened (it counts toward the { $open_points } points), else in a new meld or a lay-off. It never stays on the rack.
rule-U3 = { $return_discard ->
    [yes] A taken discard may be put back, free of penalty, and a tile drawn from the stock instead, as long as nothing has been laid since.
   *[no] A taken discard can't be put back, so it may be taken only if it can be used at once.
}
rule-U4 = You can't meld every tile: one must be left to discard.
rule-U5 = Within the turn, the last tile put down may be taken back free. Taking back two or more in a row, with none put down between, costs { $take_back_fine ->
    [0] nothing either.
   *[other] { $take_back_fine } points, once a turn.
} An opening itself is not taken back.
rule-U6 = { $pairs_discard_protected ->
    [yes] The discard of a player who opened with pairs can't be taken.
   *[no] The discard of a player who opened with pairs may be taken like any other.
}
rule-U7 = { $taken_discard_fine ->
    [0] Throwing a tile that the next player takes and uses costs nothing.
   *[other] A discard that the next player takes and uses costs the player who threw it { $taken_discard_fine } times its number: a 6 costs { $fine_of_a_six } points. A false joker or an okey counts by the okey's number.
}

## 7 The end of a deal
rule-E1 = Whoever discards the last tile finishes and wins the deal.
rule-E2 = { $last_discard_takeable ->
    [yes] When the stock is empty, the next player may still take the last discard, to use it at once; otherwise the deal ends.
   *[no] When the stock is empty, the deal ends with the discard that follows the last drawn tile.
}
rule-E3 = { $empty_stock ->
    [void_but_okeys] A deal that nobody finishes is not scored, but each okey in a hand costs { $okey_in_hand_fine } points. The same dealer deals again, and the deal does not count.
   *[count_hands] A deal that nobody finishes is scored without a winner: a player who opened with sets and runs gets the value of the hand, one who opened with pairs { $stock_pairs_doubled ->
        [no] just as much
       *[yes] twice that
    }, one who has not opened { $unopened } points, and the fines stand.
}
rule-E4 = { $indicator_is_last_tile ->
    [yes] When the player who drew the last tile of the stock has discarded, the next player is asked, and may draw the indicator if it completes the hand; the hand must then be finished.
   *[no] The indicator is never drawn.
}

## 8 Scoring
rule-C1 = Low scores are good. h is the value of the tiles left in a hand: their numbers, a false joker counting as the okey's. Finishing with the okey, finishing with pairs, and laying the whole hand in one turn while nobody else has opened double all scores; the hand of a player who opened with pairs is doubled once more. Doublings multiply.
rule-C1-fixed = When pairs finish with the okey, a hand that has not opened costs { $unopened_pairs_okey } points, one doubling less than the others.
rule-C2 = { $okey_in_hand ->
    [tile_101] An okey left in a hand counts { $okey_points } points as a tile, and is multiplied with the hand. Whoever has not opened pays the fixed amount alone.
   *[fine_101] Each okey left in a hand costs { $okey_in_hand_fine } points on top. This is not multiplied, and the okey's number is not counted. Whoever has not opened pays the fixed amount alone.
}
rule-C3 = Fines are added to the score as they are; doublings do not change them.
rule-C4 = A match has an agreed number of deals: 3, 5, 7, 9, 11 or any other. All are played; then the lowest total wins, and equal totals share the place.

table-finish = finish
table-winner = winner
table-melds = opened with melds
table-pairs = opened with pairs
table-unopened = not opened
table-melds-plain = melds, plain discard
table-melds-okey = melds, okey discarded
table-pairs-plain = pairs, plain discard
table-pairs-okey = pairs, okey discarded
table-whole-plain = whole hand in one turn, nobody else opened
table-whole-okey = the same, okey discarded
table-riziko-melds = riziko deal: melds, false joker discarded
table-riziko-pairs = riziko deal: pairs, false joker discarded

## 9 Fines
rule-P1 = { $okey_discard_fine ->
    [0] Discarding an okey costs nothing.
   *[other] Discarding an okey costs { $okey_discard_fine } points, unless it finishes the deal.
}
rule-P2 = { $playable_discard_fine ->
    [0] Discarding a tile that could be laid off costs nothing.
   *[other] Discarding a tile that could be added to a set or run on the table costs { $playable_discard_fine } points, whether you have opened or not, unless it finishes the deal. An okey is fined once, by P1.
}
rule-P3 = { $short_opening ->
    [refuse] An opening that falls short is not fined (O5).
   *[fine] { $short_opening_fine ->
        [0] An opening that falls short is not fined (O5).
       *[other] An opening that falls short costs { $short_opening_fine } points (O5), each time.
    }
}
rule-P4 = { $take_back_fine ->
    [0] Taking back more than one tile in a row costs nothing (U5).
   *[other] Taking back more than one tile in a row costs { $take_back_fine } points, once a turn (U5).
}
rule-P5 = { $okey_in_hand ->
    [tile_101] An okey kept to the end is no fine of its own: it counts with the hand (C2).
   *[fine_101] An okey kept to the end costs { $okey_in_hand_fine } points (C2).
}
rule-P6 = The fines for a discard are due even if no other discard was possible.

## 10 Teams
rule-G1 = { $teams ->
    [yes] Partners sit opposite each other: the first and the third player against the second and the fourth. A team's score is the sum of its two.
   *[no] Everybody plays alone.
}
rule-G2 = All of a player's points count for the team, including those charged for a used discard (U7, X4).
rule-G3 = A discard may serve the partner's melds too: twin tiles are alike, so the taker may lay down either.

## 12 Options
rule-X1 = { $rising ->
    [yes] Rising threshold: an opening must beat the highest opening of this deal, by one point at least, or by one pair up to seven. Points and pairs are compared apart, and only what is laid in the opening itself counts.
   *[no] The threshold does not rise: every opening of the deal needs the same.
}
rule-X2 = { $reclaim_okey ->
    [yes] A player who has opened may swap the real tile from the hand for a laid okey, if there is no doubt what it stands for (not in a set with two colours free).
   *[no] A laid okey can't be swapped for the real tile.
}
rule-X3 = The numbers of this table: { $open_points } points or { $open_pairs } pairs to open, { $okey_discard_fine } points for discarding an okey, { $playable_discard_fine } for discarding a playable tile.
rule-X4 = { $opened_with_fine ->
    [0] Throwing a tile that the next player opens with costs nothing for that.
   *[other] Throwing a tile that the next player takes and opens with costs { $opened_with_fine } points, on top of what U7 says.
}
rule-X5 = { $partner_opens ->
    [yes] Once one of two partners has opened, the other opens without a threshold, in the same way or the other. Such an opening does not raise what X1 asks for.
   *[no] Each of two partners needs the threshold.
}
rule-X6 = { $pairs_lay_off ->
    [none] A player who opened with pairs lays nothing off.
   *[all] A player who opened with pairs may lay off like any other.
} { $lay_off_when_opening ->
    [no] Nobody lays off in the turn of the opening.
   *[yes] Tiles may be laid off in the turn of the opening.
}
rule-X7 = The fines of this table: { $short_opening_fine } points for a short opening, { $take_back_fine } for taking back more than one tile in a row, { $okey_in_hand_fine } for an okey kept, where that is a fine.
rule-X8 = { $melds_lay_pairs ->
    [yes] A player who opened with sets and runs may lay pairs as well, once pairs lie on the table; never in the opening itself.
   *[no] Pairs are laid only by those who opened with pairs.
}
rule-X9 = { $partner_waived ->
    [yes] The winner's partner pays nothing for the hand, opened or not; fines stay.
   *[no] The winner's partner pays for the hand like everybody else.
}

## Differences
rules-no-difference = There is no difference.
rules-difference = { $field }: { $ours } (in { $preset }: { $theirs }).
