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
friends-ask = Ask
friends-show = Friends see when I am here
friends-name = Ask an account by its name
friends-added = { $name } has been asked.
