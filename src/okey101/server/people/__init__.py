"""The people of a server: guests and accounts, their sessions, names and finished matches."""
