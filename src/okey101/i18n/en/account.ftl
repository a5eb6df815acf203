# The account, on a screen of its own.

page-signed-in = Your account: { $name }
page-is-guest = You are a guest called { $name }. With a password your matches stay in your account.
page-is-nobody = You can play without an account. First choose a name; with a password it becomes your account.
page-begin-guest = Go on with this name
page-have-account = I have an account
page-password = Password (at least 8 characters)
page-password-old = Current password
page-password-new = New password (at least 8 characters)
page-password-change = Change password
page-password-changed = Your password was changed. You are signed out everywhere else.
page-upgrade = Create an account
page-login = Sign in
page-logout = Sign out
page-sessions = Open sessions
page-agent-unknown = Unknown device
page-session-line = { $agent }, last seen { $when }
page-this-one = this device
page-end = End
page-export = Download my data
page-delete-me = Delete my account
page-delete-sure = Your name and your sessions will be deleted. Your matches stay, without the name. Delete the account?

# Friends, on a screen of their own.

friends-nobody = Friends need a name here, so that they find each other again. Choose one, or sign in.
friends-asks = They want to be your friends
friends-friends = Your friends
friends-asked = You have asked
friends-met = You have played with
friends-none = Nobody yet. Ask by name, or whomever you meet at a table.
friends-here = is here
friends-agree = Accept
friends-refuse = Decline
friends-part = Remove
friends-withdraw = Withdraw
friends-blocked = You have blocked
friends-block = Block
friends-unblock = Unblock
friends-block-about = You are kept apart: whoever you block never sees your tables or your challenges, meets you at no quick table, and is not told. At other tables you hear nothing of them.
friends-block-seat = Block { $name }
friends-block-sure = Block { $name }? They no longer find you or your tables, and you hear nothing of them; they are not told. This match goes on. You can undo it on the Friends page.
friends-ask = Ask
friends-show = Friends see when I am here
friends-name = Ask an account by its name
friends-added = { $name } has been asked.

# Who is reported to whoever runs the server.

page-report = Report: { $name }
page-report-name = Offensive name
page-report-phrases = Annoying messages
page-report-stalling = Stalls on purpose
page-report-together = Plays together with somebody
page-report-other = Something else
page-reported = Reported to the people who run the server.

# The profile, on a screen of its own.

profile-mine = My profile
profile-account = A profile belongs to an account: with a password your matches so far are counted too.
profile-played = { $matches ->
    [one] one match
   *[other] { $matches } matches
}, { $deals ->
    [one] one deal
   *[other] { $deals } deals
}
profile-none = There is no finished match yet.
profile-public = Others see my profile
profile-public-how = Everybody but those you have muted or blocked then finds these figures under your name. They are led only to deals in which they played themselves, or you with bots alone. You are also in the week’s list of the unluckiest.
profile-beside = Beside others
profile-beside-won = matches won
profile-beside-opened = deals opened
profile-beside-finished = deals finished
profile-beside-fines = few fines
profile-beside-skill = own play
profile-beside-luck = good luck
profile-ahead = Ahead of
profile-percent = { $percent } %
profile-people = Of how many
profile-week = The unluckiest of the week
profile-week-how = What the luck of the deals and draws has cost in the matches reviewed this week, a plus being bad luck. It has those whose profile is open.
profile-luck = Luck
profile-place = Places
profile-place-of = { $of ->
    [1] First
    [2] Second
    [3] Third
   *[other] Fourth
}
profile-finish = Finishes
profile-finish-of = { $of ->
    [plain] plain
    [okey] with the okey
    [pairs] with pairs
    [whole-hand] the whole hand at once
   *[riziko] riziko
}
profile-opening = Openings
profile-opening-of = { $of ->
    [melds] with melds
    [pairs] with pairs
   *[none] not opened
}
profile-turn = Opened in turn
profile-turn-of = { $of }
profile-fine = Fines
profile-best = Best opening
profile-best-of = { $of ->
    [pairs] pairs
   *[melds] points
}
profile-what = What
profile-count = How often
profile-latest = { profile-deal-of }, latest first
profile-deal-of = Deals
profile-deal = { $when }, deal { $deal }
profile-ledger = Ledger of luck
profile-ledger-how = { $deals ->
    [one] Where the points of one reviewed deal come from.
   *[other] Where the points of { $deals } reviewed deals come from.
} A minus is good.
profile-ledger-none = None of these matches has been reviewed. A review tells luck and play apart.
profile-luckiest = The luckiest deal: { $points }
profile-unluckiest = The unluckiest deal: { $points }
profile-strength = Strength without luck
profile-strength-how = Own play a deal in points, by the rules { $rules }, over { $deals } deals: 0 is to play as { $reference } does, a minus is better. The band holds the true value in 95 of 100 cases.
profile-strength-few = { $deals } of the { $least } reviewed deals that a strength needs.
profile-weighed = Work out my strength without luck
profile-waiting = Deals of yours that have not been weighed for it yet: { $deals }.
profile-weighing = { $how ->
    [shared] The server takes them one after the other, the newest first. A match comes sooner if you ask for its review.
   *[asked] You ask for the review of a match in the list of your matches.
}
profile-strength-table = As a table
profile-after = After deals
profile-all = In all
profile-points = Points a deal
profile-band = Band

# Who waits for oneself, on the start page; friends at a table's waiting room.

waits-friend = { $name } invites you to the table
waits-family = { $name } is waiting for you
waits-come = Take a seat
invite-friends = Invite friends
invite-friend = Invite
invite-done = Invited

# The family table, on a screen of its own.

family-mine = Your family tables
family-none = None yet. Make one, or open the link that somebody sent you.
family-new = New family table
family-about = One link for ever: whoever has it sits down, bots hold the empty seats, and the results of the week and of the year are added up. The link stays the same until you replace it.
family-account = A family table belongs to an account. Create one, or sign in.
family-name = What is it called?
family-make = Make a family table
family-open = Open
family-sit = Sit down at the table
family-sits = At the table now: { $names }
family-empty = Nobody is at the table now.
family-link = The family's link
family-regulars = Regulars
family-week = This week
family-year = This year
family-no-matches = No match yet.
family-who = Name
family-won = Wins
family-matches = Matches
family-points = Points
family-rules = Name and rules
family-rules-about = New rules hold from the next table on.
family-bot = Bots in the empty seats
family-save = Save
family-saved = Saved.
family-fresh = Replace the link
family-fresh-sure = The old link opens nothing any more. The regulars stay. Replace it?
family-leave = Leave
family-remove = Remove
family-end = End the family table
family-end-sure = The link and the totals go; the matches stay with everybody. End it?

# Told by push that somebody waits there.

push-title = When somebody waits
push-tell = Tell me on this device when somebody waits at this table
push-about = Even while the page is closed, and at most once an hour. It says no more than who waits. The push service of your browser, abroad, passes it on and can't read it.
push-quiet-from = Quiet from
push-quiet-to = Quiet until
push-off = This server sends no notifications.
push-ios = On an iPhone or iPad, first put the page on the home screen: Share, then Add to Home Screen. Open it from there and come back to this place.
push-none = This browser can't do that. It takes one that knows notifications, and a page whose address begins with https.
push-denied = Notifications of this page are blocked. Allow them in your browser's settings.
push-failed = Your browser couldn't reach its push service. Try again later.
