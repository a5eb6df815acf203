# The page: everything that is read in the browser.

page-language = Language
page-language-tr = Türkçe
page-language-en = English
page-your-name = Your name
page-name-hint = The name at the table
page-guest-name = Guest { $number }
page-play-now = Play now
page-play-friends = With friends
page-play-bots = With bots
page-day = The day’s deals
page-challenge = Challenge
page-challenge-table = Who has played
page-bots-level = Level of the bots
page-level-points = { $way ->
    [better] Stronger than Medium (by { $points } points a deal)
    [worse] Weaker than Medium (by { $points } points a deal)
   *[same] Average strength
}
page-promise = No ads, no chips, every deal proven.
page-felt = { $groups ->
    [one] one group
   *[other] { $groups } groups
} on the table, { $stock ->
    [one] one tile
   *[other] { $stock } tiles
} in the stock
page-felt-waiting = Waiting for players
page-felt-dealing = The tiles are being dealt
page-bot-named = Bot { $name }
page-my-tables = My tables
page-left-table = The table I left
page-today-players = { $players ->
    [0] The same tiles for all
    [one] One player so far
   *[other] { $players } players so far
}
page-today-begun = Not finished yet
page-today-place = You are number { $place }
page-today-mistakes = { $count ->
    [0] One hand, one choice
    [one] A mistake of yours waits
   *[other] { $count } mistakes of yours wait
}
page-today-here = Here now: { $names }{ $more ->
    [0] { "" }
   *[other] { " " }and { $more } more
}
page-today-together = Open a table
page-today-asks = Friend requests: { $names }{ $more ->
    [0] { "" }
   *[other] { " " }and { $more } more
}
page-today-answer = Answer
page-back-to-table = Back to the table
page-open-tables = Open tables
page-no-tables = No table is open right now.
page-table-line = { $preset } · { $deals ->
    [one] { $deals } deal
   *[other] { $deals } deals
} · { $stage ->
    [waiting] { $free ->
        [one] { $free } free seat
       *[other] { $free } free seats
    }
   *[playing] { $free ->
        [0] running
        [one] running, { $free } bot's seat
       *[other] running, { $free } bots' seats
    }
}
page-join = Join
page-watch = Watch
page-my-matches = My matches
page-developers = For developers
page-learn = Learn
page-rules = Rules
page-settings = Settings
page-privacy = Privacy
page-account = Account
page-replay = Replay
page-position = Show a position from a line of text
page-to-start = Start page
page-loading = Loading …
page-connecting = Connecting …
page-not-found = There is no such page
page-not-found-about = The address may be mistyped, or the page is gone.
page-do-leave = Leave
page-do-open = Open
page-cancel = Cancel
page-close = Close
page-done = Done.

page-new-table = New table
page-rule-set = Rule set
page-preset-altinstar = Altınstar
page-preset-altinstar-about = The rules of the game site Altınstar, and the most common ones: the threshold is 101, discarding a playable tile or an okey is fined, and a taken discard may be put back.
page-preset-pagat = Pagat
page-preset-pagat-about = The rules in pagat.com, the collection of card and tile games: a deal that nobody finishes doesn't count; a taken discard can't be put back; the last discard may be taken.
page-preset-wiki = Riziko
page-preset-wiki-about = The rules in the encyclopedia Wikipedia, with riziko deals, pairs with the indicator's twin, and fines for discards that others use.
page-seconds = { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}
page-for-a-friend = Kept for a friend

page-choose-face = Choose your face
page-copied = Copied
page-team = team { $team }
page-sit-here = Sit
page-sit-for-bot = Sit down in place of { $name }
page-take-bot-seat = Take a bot's seat
page-invite-friend = Invite a friend
page-invite-copied = Address copied.
page-waiting-others = Waiting for the others
page-leave = Leave the table
page-seat = Seat { $seat }
page-empty-seat = Free seat
page-bot-level = { $bot ->
    [random] Random
    [novice] Easy
    [greedy] Medium
    [steady] Careful
    [master] Seasoned
    [neural] Hard
    [search] Calculating
    [champion] Expert
   *[other] { $bot }
}
page-bot = Bot { page-bot-level }
page-rules-of-table = Rules: { $preset }, { $deals ->
    [one] { $deals } deal
   *[other] { $deals } deals
}, { $clock ->
    [0] no clock
   *[other] { $clock } seconds
}

page-title-table = Okey 101 table
page-table = Melds on the table
page-rack = Rack
page-tile = { $colour ->
    [R] red
    [Y] yellow
    [B] blue
   *[K] black
} { $number }
page-tile-okey = okey
page-tile-okey-for = okey as { $tile }
page-tile-okey-as = okey ({ $tile })
page-tile-joker = false joker
page-tile-hidden = hidden tile
page-slot = { $shelf ->
    [upper] upper shelf
   *[lower] lower shelf
} slot { $number }
page-slot-empty = empty slot, { $place }
page-slot-tile = { $tile }, { $place }{ $state ->
    [playable] , playable
    [held] , held
   *[plain] {""}
}
page-group = Meld { $number }: { $tiles }
page-indicator = Indicator: { $tile }
page-stock = Stock: { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
page-deal-of = Deal { $deal } of { $deals }
page-my-discards = My discards, { $count }, on top { $top }. Drop a tile here to discard it.
page-left-discards = Discards of { $name } on the left, { $count }, on top { $top }
page-discards = Discards of { $name }, { $count }, on top { $top }
page-pile-left = Take
page-tiles = { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}
page-badge-none = Not open
page-badge-melds = Melds
page-badge-pairs = Pairs
page-bot-plays = a bot plays
page-gone = not connected
page-fines = { $count ->
    [one] { $count } fine
   *[other] { $count } fines
}
page-time-left = Time left

page-actions = Actions
page-sort-melds = Sort melds
page-sort-pairs = Sort pairs
page-draw = Draw
page-take = Take
page-pass = Pass
page-take-indicator = Take the indicator
page-announce = I hold the indicator's twin
page-put-back = Put back
page-throw = Discard
page-turn-over = Turn the selected tile over
page-step-draw = Draw
page-step-lay = Arrange / open
page-step-throw = Discard
page-open = Open { $have }/{ $need }
page-open-pairs = Open pairs { $have }/{ $need }
page-lay-melds = Lay melds ({ $count })
page-lay-pairs = Lay pairs ({ $count })
page-lay-all = Lay off ({ $count })
page-take-back = Take back
page-take-back-cost = Take back (+{ $points })
page-more = Menu
page-command = Command line
page-command-hint = discard R9
page-command-help = Type an action: draw, take, return, discard R9, lay K5 > 3, meld R7 R8 R9, back, pass. Words: hand, table, open, open pairs, sort, sort pairs, lay all, ready.
page-table-empty = Nothing lies on the table.

page-your-turn = Your turn.
page-turn-of = It is { $name }'s turn now.
page-you-start = Open if you like; you discard first.
page-nothing-arranged-melds = There is no set or run on your rack.
page-nothing-arranged-pairs = There is no pair on your rack.
page-no-group-here = This tile isn't in a group.
page-confirm-discard = { $rule ->
    [P1] Discarding an okey costs { $points } points.
   *[P2] A playable tile ({ $tile }): discarding it costs { $points } points.
} Discard it all the same?
page-confirm-leave = The match is running. If you leave, a bot plays for you, { $back ->
    [yes] and you can come back unless somebody else takes the seat.
   *[no] and you can't come back.
} Leave anyway?
page-confirm-short = Arranged { $have }, needed { $need } { $kind ->
    [pairs] pairs
   *[melds] points
}. { $points ->
    [0] The tiles are shown and go back.
   *[other] A short opening costs { $points } points.
} Open anyway?
page-choose-place = Which tile does the okey stand for?
page-confirm-back = Taking this back costs { $points }. Take it back?
page-fine-P1 = an okey was discarded
page-fine-P2 = a playable tile was discarded
page-fine-P3 = the opening was short
page-fine-P4 = more than one tile in a row was taken back
page-fine-P5 = an okey was left in hand
page-fine-U7 = the discard was taken and used
page-fine-X4 = the next player opened with the discard
page-fine-log = Fines
page-fine-line = { $name }: +{ $points }, { $reason }
page-fined = Fine: +{ $points }, { $reason }
page-no-fines = No fines in this deal.
page-log = Moves so far
page-phrases = Quick phrases
page-mute = Sound off
page-unmute = Sound on
page-last-tiles = { $count ->
    [one] { $count } tile left in the stock.
   *[other] { $count } tiles left in the stock.
}

page-did-draw = { $you ->
    [yes] You drew.
   *[no] { $name } drew.
}
page-did-take = { $you ->
    [yes] You took the discard: { $tile }.
   *[no] { $name } took the discard: { $tile }.
}
page-did-return = { $you ->
    [yes] You put the tile back.
   *[no] { $name } put the tile back.
}
page-did-meld = { $you ->
    [yes] You laid melds.
   *[no] { $name } laid melds.
}
page-did-pairs = { $you ->
    [yes] You laid pairs.
   *[no] { $name } laid pairs.
}
page-did-lay = { $you ->
    [yes] You laid off { $tile }.
   *[no] { $name } laid off { $tile }.
}
page-did-back = { $you ->
    [yes] You took back.
   *[no] { $name } took back.
}
page-did-announce = { $you ->
    [yes] You showed the indicator's twin.
   *[no] { $name } showed the indicator's twin.
}
page-did-discard = { $you ->
    [yes] You discarded { $tile }.
   *[no] { $name } discarded { $tile }.
}
page-did-pass = { $you ->
    [yes] You passed.
   *[no] { $name } passed.
}
page-did-indicator = { $you ->
    [yes] You took the indicator.
   *[no] { $name } took the indicator.
}
page-did-swap = { $you ->
    [yes] You reclaimed an okey.
   *[no] { $name } reclaimed an okey.
}

page-lost = The connection is lost; trying again …
page-offline = There is no network. Playing needs one; settings and the rules you have read are here.
page-part-missing = This part of the page needs the internet, and you are offline now.
page-kept = Your move is kept and will be sent once it is back.
page-silent = The server does not answer. Your move is kept and will be sent once it does.
page-unanswered = Sent; the server has not answered yet …
error-offline = The server did not answer; try again in a moment.
page-frozen = This table is stopped: its log does not add up. The deals that ended are kept under your matches. Tell whoever runs the server.
page-ended-replaced = The table was opened in another window.
page-ended-table-closed = This table is closed.
page-ended-no-table = There is no such table.
page-ended-kicked = You were removed from the table.
page-ended-banned = You can't play on this server.
page-ended-spectators-off = This table has no spectators.
page-ended-signed-out = Your session has ended.
page-ended-session-changed = Somebody else has signed in with this browser. Reload to go on as them.
page-ended-refused = The server is up, but refuses the connection to the table. Tell whoever runs it the address of this page.
page-ended-deleted = Your account is deleted.
page-play-here = Play here
page-store-slow = The server's disk does not answer. Moves wait until it does; nothing is lost.
page-void-log-truncated = The server's disk lost the last moves. This deal does not count; the tiles are dealt anew.
page-void-restored = The server was put back to an earlier moment. This deal does not count; the tiles are dealt anew.
page-bot-sits = A bot plays for you.
page-take-seat-back = Take my seat back
page-watching = You are watching.
page-watching-delayed = You see the table { $seconds } seconds late.
page-watching-turn = You watch one turn behind.
page-unseen = This deal is shown here once it is over.
page-watching-deal = You see each deal once it is over.
page-left-out = Your contribution to the shuffle came too late; this deal is shuffled without it.
page-unreadable = The server's message can't be read.
page-unfair = The server showed something else than it had promised, or another table. Nothing was revealed: please tell the others, and whoever runs the server.
page-coming = You play from the next deal on; until then a bot plays your seat.
page-coming-stop = Never mind
page-comes = next deal: { $name }

page-scores = Scores
page-moves = Moves
page-messages = Messages
page-won = { $you ->
    [yes] You won
   *[no] { $names } won
}
page-score-sheet = Score sheet
page-match-over = The match is over
page-end-winner = { $you ->
    [yes] You finished the deal.
   *[no] { $name } finished the deal.
}
page-finished-with = { $you ->
    [yes] You finished, { $points }
   *[no] { $name } finished, { $points }
}
page-end-stock = The stock ran out; nobody finished.
page-end-all-pairs = Everybody opened with pairs.
page-end-finish = The deal is over.
page-end-counted = Players who have not opened get 202, the others by the tiles they hold.
page-not-counted = It is dealt again.
page-deal = Deal
page-total = Total
page-score-unit = p
page-place = { $place }.
page-you = You
page-score-finished = finished
page-score-lowest = Fewest points win; minus is good: who finishes a deal takes points off.
page-plus-fines = + { $points } in fines
page-factor-okey = okey
page-factor-pairs = pairs
page-factor-whole-hand = whole hand
page-factor-riziko = riziko
page-factor-own-pairs = opened with pairs
page-hands-left = Tiles left in hand
page-next-deal = Next deal
page-next-unhurried = No clock runs at this table: the next deal begins once everybody is ready.
page-rematch = Play again
page-rematch-asked = You asked to play again
page-watch-replay = Watch the replay

page-profile = Profile
page-ladder = Ladder
page-friends = Friends
page-family = Family table
page-puzzle = What would you play?
page-review = Review
page-step = Action

page-palette-safe = Safe for colour blindness
page-sound = Sound
page-no-motion = Turn animations off
page-chatter = Bots say something now and then
page-badge = Mark the title when it is my turn
page-vibration = Vibrate on my turn and as tiles move
page-awake = Keep the screen on at the table
page-tidy = Sort what I draw

page-dealing = { $you ->
    [yes] You dealt
   *[no] { $name } dealt
}
page-die = Die: { $die }
page-okey-is = Okey: { $tile }
page-skip = Skip
hint-button = Hint
page-pick-first = Pick the tile to discard first.
page-left-only-taken = Only the tile taken this turn is put back here.
page-nothing-to-lay = You have no tile to lay off.
page-only-okey-fits = Only your okey fits: pick it up and choose its place.
page-back-free = Taken back.{ $points ->
    [0] {""}
   *[other] {" "}One more, with none laid between, costs { $points }.
}
page-said = { $name }: { $phrase }
page-said-to = { $name }, for { $to }: { $phrase }
page-said-you = { $name } sent you: { $phrase }
page-send-to = Send something to { $name }
page-told-left = { $name } left; a bot plays on.
page-told-away = { $name } is away; a bot plays meanwhile.
page-told-back = { $name } is back.
page-told-sits = { $name } sits down.
page-tile-costs = Discarding it costs { $points }
page-clock-played = Time is up; your turn was played for you.
page-did-open-melds = { $you ->
    [yes] You
   *[no] { $name }
} opened with melds: { $sum }!
page-did-open-pairs = { $you ->
    [yes] You
   *[no] { $name }
} opened with { $sum ->
    [one] one pair
   *[other] { $sum } pairs
}!
page-did-short = { $you ->
    [yes] You
   *[no] { $name }
} opened short.
page-outdated = There is a new version of this page.
page-reload = Reload
page-people = At the table
page-owner-lines = The line under a meld has its player's colour
page-kick-seat = Remove { $name }
page-mute-seat = Hide what { $name } says
page-unmute-seat = Show what { $name } says
page-large-tiles = Large tiles
page-teams-totals = Totals of the teams: { $one } / { $two }
