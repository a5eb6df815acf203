# Günün elleri on the page.

day-about = Four deals, the same tiles for everybody, against the same three bots ({ $bots }). You play them once. If you stop, you can go on where you were.
day-until = You can begin until { $begin } and finish until { $close }.
day-until-late = It is too late to begin. Whoever has begun can finish until { $close }.
day-closed = This day is closed. Its matches can be watched now.
day-waits = Closing time: { $close }. Until then your place may change; matches can be watched after that.
day-begin = Play
day-go-on = Go on
day-players = { $count ->
    [one] { $count } person has finished so far.
   *[other] { $count } people have finished so far.
}
day-unranked = Accounts that are at least a day old are ranked, moderators are not. You still see your place, but you take it from nobody.
day-account = Create an account
day-place = Place { $place } of { $of }
day-percent = Score { $percent }
day-table = The table of the day
day-everybody = Everybody
day-spread = How the scores spread
day-spread-step = { $from }–{ $to }
day-spread-table = As a table
day-head-place = Place
day-head-who = Player
day-head-players = Players
day-head-deal = Deal { $number }
day-head-total = Total
day-head-percent = Score
day-how = Your score is the share of the others on the same deal that you beat; equal points count half. Few points are good.
day-instances = Not all have played your deals: each is compared with those who had the same ones.
day-skill = play { $points }
day-skill-how = Play is what your own choices made of a deal in points, without luck: a minus is good. It is there if the match was reviewed.
day-bot = Bot { $number }
day-erased = A deleted person
day-watch = Watch { $name }
day-watch-how = Touch a name to watch the match.
day-best = Watch the best match
day-own = Watch your match
day-share = Share the result
day-picture = Share as a picture
day-share-text = Okey 101, the day’s deals, { $date }: score { $percent }, place { $place } of { $of } { $marks }
day-week = Week
day-month = Month
day-head-days = Days
day-head-average = Average
day-streak = You have played { $count } days in a row.
day-totals-none = Nobody is here yet: a day counts once it is closed.
day-totals-how = The scores of the closed days that somebody played ranked are added up; a day without you adds nothing. { $days ->
    [one] One day is closed so far.
   *[other] { $days } days are closed so far.
}
day-other = The day’s deals: { $date }
day-none = The day’s deals are not played here.
day-proof = Are these deals fair?
day-proof-sealed = The server sealed the secrets of the four deals on { $when }. The seals are in the public log and can’t be changed; the secrets are opened at the close. The bots don’t know the tiles.
day-proof-opened = The server sealed the secrets of the four deals on { $when }, and opened them at the close. The bots didn’t know the tiles.
day-mixed = Mixed: the players of the day before added { $count ->
    [0] random numbers
    [one] a random number
   *[other] { $count } random numbers
} after that, and nobody could know the tiles before them. Whoever runs the server could still have added one last, to choose.
day-unmixed = Committed, not mixed: nobody added a number the day before, so whoever runs the server could know the tiles beforehand.
day-list-wrong = The list of the numbers is not the one that follows from the seal!
day-share-in = The number of this browser is among them.
day-share-missing = The number of this browser is not among them!
day-share-next = This browser has added a random number for the deals of tomorrow.
day-seal = The seal

challenge-deals = Four deals, the same tiles
challenge-from = { $name } challenges you
challenge-about = Whoever has the link plays the same four deals, against the same three bots ({ $bots }), and sees how everybody did. You play them once. If you stop, you can go on where you were.
challenge-until = You can play until { $close }.
challenge-waits = Closing time: { $close }. Until then others may play; matches can be watched after that.
challenge-closed = This challenge is closed. Its matches can be watched now.
challenge-share-text = Okey 101, challenge: score { $percent }, place { $place } of { $of } { $marks } Can you do better?
challenge-send = Send the link
challenge-new = Four new deals and a link to send: whoever opens it plays the same tiles within three days. No account is needed.
challenge-bots = Bots
challenge-make = Make a link

ladder-rank = { $rank ->
    [1] Apprentice
    [2] Journeyman
    [3] Skilled
    [4] Master
    [5] Grandmaster
   *[other] Legend
}
ladder-points = { $points } points
ladder-next = { $points } more to { $rank }
ladder-unplayed = You have no match in this season yet. Those with at least two accounts at the table count.
ladder-account = Matches count between people who have an account.
ladder-how-title = How points are counted
ladder-how = A match of at least five deals brings 10 points for each account that you leave behind and costs 10 for each ahead of you. Up to 10 more follow from how far you are from the others’ mean. Shorter matches count less. At the first ranks a loss costs a half or three quarters, at the last ones more than a win brings. Each season lasts three months and begins at zero. It says nothing of your strength, as luck is in it.
ladder-before = The season before
ladder-after = The season after
ladder-none = Nobody has played in this season yet.
ladder-listed = Others see me in the ladder
ladder-head-points = Points
ladder-head-rank = Rank
ladder-head-matches = Matches
ladder-head-won = Won
