# What people can say at a table: the list of them is PHRASES, server/protocol/client_messages.py.

phrase-hello = Hello!
phrase-good-luck = Good luck!
phrase-well-played = Well played!
phrase-thanks = Thank you.
phrase-sorry = Sorry.
phrase-hurry = A bit faster, please.
phrase-one-moment = One moment, please.
phrase-bad-tiles = No luck with tiles!
phrase-goodbye = See you!

# The spoken name of each picture; the picture itself ends in -sign.
phrase-emoji-smile = a smile
phrase-emoji-laugh = laughter
phrase-emoji-wow = astonishment
phrase-emoji-cry = tears
phrase-emoji-angry = anger
phrase-emoji-clap = applause
phrase-emoji-thumb = thumb up
phrase-emoji-tea = a glass of tea
phrase-emoji-nazar = a bead against the evil eye
phrase-emoji-smile-sign = 🙂️
phrase-emoji-laugh-sign = 😂️
phrase-emoji-wow-sign = 😮️
phrase-emoji-cry-sign = 😢️
phrase-emoji-angry-sign = 😠️
phrase-emoji-clap-sign = 👏️
phrase-emoji-thumb-sign = 👍️
phrase-emoji-tea-sign = ☕️
phrase-emoji-nazar-sign = 🧿️
