## The guided first deal

learn-step = { $step } / { $steps }
learn-you = You
learn-leave = Leave the lesson
learn-skip = Skip
learn-next = Next
learn-again = Once more
learn-play = Start playing
learn-other = That is not part of the lesson; try what stands above, or skip it.
learn-go-on = This step is done: press Next.
learn-rack = Below is your rack; only you see your 21 tiles. Sort them into sets (one number, different colours) and runs (one colour, numbers in a row). Press the button that sorts by melds.
learn-rack-done = Sorted. Three or more tiles side by side make a meld. You can also drag tiles yourself.
learn-draw = Each turn begins with a tile. Press the face-down stock in the middle to draw. The left player's discard may be taken only to be used at once.
learn-draw-done = The tile is on your rack. Look at the number on the Open button: the sum of your melds. To open you need 101 at least.
learn-discard = The sum is not 101 yet. A turn ends with a discard: choose this tile, then press your corner at the lower right: { $tile }.
learn-discard-done = Now the player on your right plays. While you wait you may sort your tiles. Let us go on by a few turns.
learn-open = It is your turn again, and you have taken the left player's discard. Sort by melds and see whether the sum has reached 101. Then press Open.
learn-open-done = You have opened: your melds lie on the table. Who never opens gets 202 in the end; who has opened only what is left. Let us go on again.
learn-fine = Two tiles are left. One of them fits a meld on the table, it is playable: { $tile }. Throwing a playable tile costs 101. So does throwing an okey. The page asks before such a tile is thrown.
learn-lay = Lay it off instead: choose { $tile }, then press the meld it fits. The Lay off button does it too.
learn-lay-done = Laid off. Once you have opened you may add tiles to anybody's melds like this.
learn-finish = One tile is left. Who throws the last tile ends the deal: throw it on your corner at the lower right.
learn-finish-done = You have finished! That takes 101 points off; the others get what they hold. Fewest points win.
learn-end = That is all. The picture cards have all the rules; best of all, play a deal against bots now.
