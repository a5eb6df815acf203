# Sayfada başkalarının botları: sunucunun izin verdikleri ve davet edilen bot hesapları.

bots-of-host = Bu sunucunun botları
bots-invite = Bot hesabı davet et
bots-invite-about = Bot hesapları başkalarının programlarıdır. Adını sorun; örneği: “Careful (bot, Ali)”.
bots-name = Botun adı
bots-seat = Yer
bots-send = Davet et
bots-withdraw = { $answer ->
    [refused] Listeden çıkar: { $name }
   *[other] Daveti geri al: { $name }
}
bots-withdraw-short = { $answer ->
    [refused] Listeden çıkar
   *[other] Geri al
}
bots-line = { $name }, { $seat }. yer
bots-answer-none = davet edildi, henüz yanıt yok
bots-answer-came = geldi
bots-answer-refused = gelmiyor
bots-told-none = { $name }, { $seat }. yere davet edildi.
bots-told-came = { $name } geldi.
bots-told-refused = { $name } gelmiyor.
bots-no-clock = Bot hesapları yalnızca süreli masalarda oynar.
bots-no-seat = Boş yer yok.

error-bot-is-here = Bu bot zaten masada.
error-bot-kicked = Bu bot masadan çıkarıldı; geri dönemez.
error-no-bot-account = Bu adda bir bot hesabı yok.
error-several-bots = Bu adda birkaç bot var: { $names }. Sahibinin adıyla birlikte yazın.
error-too-many-invitations = Bir masa için en çok { $limit } davet gönderilebilir.
