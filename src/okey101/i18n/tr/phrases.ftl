# Masada söylenebilenler; listesi PHRASES, server/protocol/client_messages.py içindedir.

phrase-hello = Merhaba!
phrase-good-luck = Bol şans!
phrase-well-played = Güzel oynadınız!
phrase-thanks = Teşekkürler.
phrase-sorry = Kusura bakmayın.
phrase-hurry = Biraz hızlı lütfen.
phrase-one-moment = Bir dakika lütfen.
phrase-bad-tiles = Taş gelmiyor!
phrase-goodbye = Görüşürüz!

# Her resmin okunan adı; resmin kendisi -sign ile bitenlerdedir.
phrase-emoji-smile = gülümseme
phrase-emoji-laugh = kahkaha
phrase-emoji-wow = şaşkınlık
phrase-emoji-cry = gözyaşı
phrase-emoji-angry = kızgınlık
phrase-emoji-clap = alkış
phrase-emoji-thumb = beğeni
phrase-emoji-tea = bir bardak çay
phrase-emoji-nazar = nazar boncuğu
phrase-emoji-smile-sign = 🙂️
phrase-emoji-laugh-sign = 😂️
phrase-emoji-wow-sign = 😮️
phrase-emoji-cry-sign = 😢️
phrase-emoji-angry-sign = 😠️
phrase-emoji-clap-sign = 👏️
phrase-emoji-thumb-sign = 👍️
phrase-emoji-tea-sign = ☕️
phrase-emoji-nazar-sign = 🧿️
