## The guided first deal

learn-step = { $step } / { $steps }
learn-you = New player
learn-leave = Leave the lesson
learn-skip = Skip
learn-next = Next
learn-again = Once more
learn-play = Play my first deal
learn-other = Do what stands above now, or skip this step.
learn-go-on = This step is done: press Next.
learn-okey = The open tile in the middle is the indicator. The next number of its colour is the okey, which stands for any tile: { $okey }.
learn-joker = The tile with the star is the false joker; it does not fit everywhere as the okey does. It stands only for the okey's own number: { $okey }.
learn-rack = These 21 tiles are yours. They go into sets (one number, different colours) and runs (one colour, numbers in a row). Press the lit button, Sort melds.
learn-rack-done = Sorted. Three or more tiles side by side make a meld. You can also drag tiles yourself.
learn-draw = Each turn begins with a tile. Press the lit stock to draw one.
learn-draw-done = The tile is on your rack. The number on the Open button is the sum of your melds; opening takes 101 at least.
learn-discard = The sum is not 101 yet. A turn ends with a discard. Choose this tile: { $tile }. Then press your corner, which lights up.
learn-discard-done = Now the player on your right plays, and may take your discard only to use it at once. Let us go on by a few turns.
learn-open = Some turns have gone by, and the player on your right has opened. It is your turn again, and you have taken this discard: { $tile }. Once your tiles are sorted, press Open.
learn-open-done = You have opened! A player who has not opened gets 202 at the end; one who has gets only the tiles left in hand.
learn-fine = One more turn has gone by, and two tiles are left. One of them fits a meld on the table, so it is a playable tile: { $tile }. Discarding a playable tile costs 101, and so does discarding an okey.
learn-lay = Don't discard it, lay it off. Choose this tile: { $tile }. Then press the lit meld.
learn-lay-done = Laid off. Once you have opened you may add tiles to anybody's melds.
learn-finish = One tile is left. Choose it and discard it on your corner: your last discard ends the deal.
learn-finish-done = You have finished! That takes 101 points off; players who have opened get what they hold, those who have not get 202. Fewest points win.
adviser-title = Adviser
adviser-wait = The others are playing. You can sort your tiles.
adviser-over = { $won ->
    [yes] You won! Now you know Okey 101. The score sheet says what each of you got.
   *[no] The tiles were not with you this time; the best players lose many deals too. The score sheet says what each of you got.
}
adviser-thinking = Let me see …
adviser-more = Read all of it
adviser-follow = Do it for me
adviser-end = No more advice
