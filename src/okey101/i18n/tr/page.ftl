# The page: everything that is read in the browser.

page-language = Dil
page-language-tr = Türkçe
page-language-en = English
page-your-name = Adınız
page-name-hint = Masada görünecek ad
page-guest-name = Misafir { $number }
page-play-now = Hemen oyna
page-play-friends = Arkadaşlarla
page-play-bots = Botlarla
page-day = Günün elleri
page-challenge = Meydan oku
page-challenge-table = Oynayanlar
page-bots-level = Botların düzeyi
page-level-points = { $way ->
    [better] Orta’ya göre daha güçlü (el başına ortalama { $points } puan)
    [worse] Orta’ya göre daha zayıf (el başına ortalama { $points } puan)
   *[same] Ortalama zorluk
}
page-promise = Reklam yok, çip yok, dağıtım kanıtlı.
page-felt = Yerde { $groups } per, destede { $stock } taş
page-felt-waiting = Oyuncu bekleniyor
page-felt-dealing = Taşlar dağıtılıyor
page-bot-named = Bot { $name }
page-my-tables = Oturduğum masalar
page-left-table = Kalktığım masa
page-today-players = { $players ->
    [0] Herkese aynı taşlar
   *[other] { $players } kişi oynadı
}
page-today-begun = Yarım kaldı
page-today-place = { $place }. sıradasınız
page-today-mistakes = { $count ->
    [0] Bir el, bir karar
   *[other] { $count } hatanız bekliyor
}
page-today-here = { $names }{ $more ->
    [0] { "" }
   *[other] { " " }ve { $more } kişi daha
} burada
page-today-together = Masa kur
page-today-asks = { $names }{ $more ->
    [0] { "" }
   *[other] { " " }ve { $more } kişi daha
} arkadaş olmak istiyor
page-today-answer = Yanıtla
page-back-to-table = Masaya dön
page-open-tables = Açık masalar
page-no-tables = Şu anda açık masa yok.
page-table-line = { $preset } · { $deals } el · { $stage ->
    [waiting] { $free } boş yer
   *[playing] { $free ->
        [0] maç sürüyor
       *[other] maç sürüyor, { $free } bot yeri
    }
}
page-join = Katıl
page-watch = İzle
page-my-matches = Maçlarım
page-developers = Geliştiriciler için
page-learn = Öğren
page-rules = Kurallar
page-settings = Ayarlar
page-privacy = Gizlilik
page-account = Hesap
page-replay = Maçın tekrarı
page-position = Tek satırdan konum göster
page-to-start = Ana sayfa
page-loading = Yükleniyor …
page-connecting = Bağlanıyor …
page-not-found = Böyle bir sayfa yok
page-not-found-about = Adres yanlış yazılmış ya da sayfa kaldırılmış olabilir.
page-do-leave = Kalk
page-do-open = Aç
page-cancel = Vazgeç
page-close = Kapat
page-done = Tamam.

page-new-table = Yeni masa
page-rule-set = Kural seti
page-preset-altinstar = Altınstar
page-preset-altinstar-about = Altınstar oyun sitesinin kuralları, en yaygın olanlar: baraj 101, işlek taş atmanın ve okey atmanın cezası var, alınan taş geri bırakılabilir.
page-preset-pagat = Pagat
page-preset-pagat-about = Kart ve taş oyunları derlemesi pagat.com’daki kurallar: kimse bitmezse el sayılmaz; alınan taş geri bırakılamaz; son atılan taş alınabilir.
page-preset-wiki = Riziko
page-preset-wiki-about = Vikipedi’deki kurallar: riziko eli, gösterge eşi ile çift ve atılan taşın cezası olan kurallar.
page-seconds = { $seconds } saniye
page-for-a-friend = Arkadaşa ayrıldı

page-choose-face = Yüzünüzü seçin
page-copied = Kopyalandı
page-team = { $team }. takım
page-sit-here = Otur
page-sit-for-bot = Bu botun yerine otur: { $name }
page-take-bot-seat = Bir botun yerine otur
page-invite-friend = Arkadaşını davet et
page-invite-copied = Adres kopyalandı.
page-waiting-others = Diğer oyuncular bekleniyor
page-leave = Masadan kalk
page-seat = { $seat }. yer
page-empty-seat = Boş yer
page-bot-level = { $bot ->
    [random] Rastgele
    [novice] Kolay
    [greedy] Orta
    [steady] Temkinli
    [master] Deneyimli
    [neural] Zor
    [search] Hesaplı
    [champion] Usta
   *[other] { $bot }
}
page-bot = Bot { page-bot-level }
page-rules-of-table = Kurallar: { $preset }, { $deals } el, { $clock ->
    [0] süresiz
   *[other] { $clock } saniye
}

page-title-table = Okey 101 masası
page-table = Yerdeki perler
page-rack = Istaka
page-tile = { $colour ->
    [R] kırmızı
    [Y] sarı
    [B] mavi
   *[K] siyah
} { $number }
page-tile-okey = okey
page-tile-okey-for = { $tile } yerine okey
page-tile-okey-as = okey ({ $tile })
page-tile-joker = sahte okey
page-tile-hidden = kapalı taş
page-slot = { $shelf ->
    [upper] üst raf
   *[lower] alt raf
} { $number }. yuva
page-slot-empty = boş yuva, { $place }
page-slot-tile = { $tile }, { $place }{ $state ->
    [playable] , işlenebilir
    [held] , elde
   *[plain] {""}
}
page-group = { $number }. per: { $tiles }
page-indicator = Gösterge: { $tile }
page-stock = Deste: { $count } taş
page-deal-of = El { $deal } / { $deals }
page-my-discards = Benim attıklarım, { $count } taş, en üstte { $top }. Taş atmak için buraya bırakın.
page-left-discards = Soldaki oyuncunun attıkları ({ $name }), { $count } taş, en üstte { $top }
page-discards = Atılan taşlar ({ $name }), { $count } taş, en üstte { $top }
page-pile-left = Al
page-tiles = { $count } taş
page-badge-none = Açmadı
page-badge-melds = Seri
page-badge-pairs = Çift
page-bot-plays = bot oynuyor
page-gone = bağlı değil
page-fines = { $count } ceza
page-time-left = Kalan süre

page-actions = Hamleler
page-sort-melds = Seri diz
page-sort-pairs = Çift diz
page-draw = Taş çek
page-take = Yandan al
page-pass = Pas
page-take-indicator = Göstergeyi al
page-announce = Gösterge bende
page-put-back = Geri bırak
page-throw = At
page-turn-over = Seçili taşı ters çevir
page-step-draw = Çek
page-step-lay = Diz / Aç
page-step-throw = At
page-open = Aç { $have }/{ $need }
page-open-pairs = Çift aç { $have }/{ $need }
page-lay-melds = İndir ({ $count })
page-lay-pairs = Çift indir ({ $count })
page-lay-all = İşle ({ $count })
page-take-back = Geri al
page-take-back-cost = Geri al (+{ $points })
page-more = Menü
page-command = Komut satırı
page-command-hint = at R9
page-command-help = Hamle yazın: çek, al, geri bırak, at R9, işle K5 > 3, indir R7 R8 R9, geri al, pas. Sözler: el, masa, aç, çift aç, seri diz, çift diz, işle tümü, hazır.
page-table-empty = Yerde per yok.

page-your-turn = Sıra sizde.
page-turn-of = Sıra şimdi { $name } oyuncusunda.
page-you-start = İsterseniz açın, ilk taşı siz atın.
page-nothing-arranged-melds = Istakada dizili seri ya da grup yok.
page-nothing-arranged-pairs = Istakada dizili çift yok.
page-no-group-here = Bu taş dizili bir perin içinde değil.
page-confirm-discard = { $rule ->
    [P1] Okey atana { $points } ceza yazılır.
   *[P2] İşlek taş ({ $tile }): atarsanız { $points } ceza yazılır.
} Yine de atmak istiyor musunuz?
page-confirm-leave = Maç sürüyor. Kalkarsanız yerinize bot oynar; { $back ->
    [yes] başkası oturmadıkça geri dönebilirsiniz.
   *[no] geri dönemezsiniz.
} Kalkmak istiyor musunuz?
page-confirm-short = Dizilen { $have }, gereken { $need } { $kind ->
    [pairs] çift
   *[melds] puan
}. { $points ->
    [0] Taşlar gösterilir ve geri alınır.
   *[other] Eksik açmanın cezası { $points } puandır.
} Yine de açmak istiyor musunuz?
page-choose-place = Okey hangi taşın yerine geçsin?
page-confirm-back = Bunu geri almanın cezası { $points }. Geri almak istiyor musunuz?
page-fine-P1 = okey atıldı
page-fine-P2 = işlek taş atıldı
page-fine-P3 = eksik açma
page-fine-P4 = arka arkaya birden çok taş geri alındı
page-fine-P5 = elde okey kaldı
page-fine-U7 = atılan taş yandan alınıp kullanıldı
page-fine-X4 = atılan taşla el açıldı
page-fine-log = Cezalar
page-fine-line = { $name }: +{ $points }, { $reason }
page-fined = Ceza: +{ $points }, { $reason }
page-no-fines = Bu elde ceza yok.
page-log = Hamle listesi
page-phrases = Hızlı mesajlar
page-mute = Sesi kapat
page-unmute = Sesi aç
page-last-tiles = Destede son { $count } taş.

page-did-draw = { $you ->
    [yes] Taş çektiniz.
   *[no] { $name } taş çekti.
}
page-did-take = { $you ->
    [yes] Yandan aldınız: { $tile }.
   *[no] { $name } yandan aldı: { $tile }.
}
page-did-return = { $you ->
    [yes] Taşı geri bıraktınız.
   *[no] { $name } taşı geri bıraktı.
}
page-did-meld = { $you ->
    [yes] Per indirdiniz.
   *[no] { $name } per indirdi.
}
page-did-pairs = { $you ->
    [yes] Çift indirdiniz.
   *[no] { $name } çift indirdi.
}
page-did-lay = { $you ->
    [yes] İşlediniz: { $tile }.
   *[no] { $name } işledi: { $tile }.
}
page-did-back = { $you ->
    [yes] Geri aldınız.
   *[no] { $name } geri aldı.
}
page-did-announce = { $you ->
    [yes] “Gösterge bende” dediniz.
   *[no] { $name } “Gösterge bende” dedi.
}
page-did-discard = { $you ->
    [yes] Attınız: { $tile }.
   *[no] { $name } attı: { $tile }.
}
page-did-pass = { $you ->
    [yes] Pas geçtiniz.
   *[no] { $name } pas geçti.
}
page-did-indicator = { $you ->
    [yes] Göstergeyi aldınız.
   *[no] { $name } göstergeyi aldı.
}
page-did-swap = { $you ->
    [yes] Yerdeki okeyi aldınız.
   *[no] { $name } yerdeki okeyi aldı.
}

page-lost = Bağlantı koptu, yeniden bağlanılıyor …
page-offline = İnternet bağlantısı yok. Oynamak için bağlantı gerekir; ayarlara ve okuduğunuz kurallara bakabilirsiniz.
page-part-missing = Sayfanın bu bölümü için internet gerekli; şu anda bağlantı yok.
page-kept = Hamleniz saklandı, bağlantı gelince gönderilecek.
page-silent = Sunucu yanıt vermiyor. Hamleniz saklandı, bağlantı gelince gönderilecek.
page-unanswered = Gönderildi, sunucunun yanıtı bekleniyor …
error-offline = Sunucudan yanıt gelmedi; biraz sonra yeniden deneyin.
page-frozen = Masa durduruldu: kayıtta bir tutarsızlık bulundu. Biten eller maçlarınızda duruyor. Lütfen sunucu yöneticisine haber verin.
page-ended-replaced = Masa başka bir pencerede açıldı.
page-ended-table-closed = Bu masa kapandı.
page-ended-no-table = Böyle bir masa yok.
page-ended-kicked = Bu masadan çıkarıldınız.
page-ended-banned = Bu sunucuda oynayamazsınız.
page-ended-spectators-off = Bu masada seyirci yok.
page-ended-signed-out = Oturumunuz kapandı.
page-ended-session-changed = Bu tarayıcıda başka bir hesapla giriş yapıldı. Yenilerseniz o hesapla devam edersiniz.
page-ended-refused = Sunucu çalışıyor, ama masaya bağlanmayı reddediyor. Sunucu yöneticisine sayfanın adresini bildirin.
page-ended-deleted = Hesabınız silindi.
page-play-here = Burada oyna
page-store-slow = Sunucunun diski yanıt vermiyor. Hamleler disk yanıt verene kadar bekliyor; hiçbir şey kaybolmaz.
page-void-log-truncated = Sunucunun diski son hamleleri kaybetti. Bu el sayılmıyor; taşlar yeniden dağıtılacak.
page-void-restored = Sunucu daha önceki bir ana geri döndü. Bu el sayılmıyor; taşlar yeniden dağıtılacak.
page-bot-sits = Yerinize bot oynuyor.
page-take-seat-back = Yerimi geri al
page-watching = Seyircisiniz.
page-watching-delayed = Masayı { $seconds } saniye gecikmeyle izliyorsunuz.
page-watching-turn = Her oyuncunun hamleleri, taşını attıktan sonra gösterilir.
page-unseen = Bu el bitince burada gösterilir.
page-watching-deal = Her el, bittikten sonra gösterilir.
page-left-out = Karıştırmaya katkınız geç kaldı; bu el katkınız olmadan karıştırılıyor.
page-unreadable = Sunucunun mesajı okunamıyor.
page-unfair = Sunucu, söz verdiğinden başka bir şey ya da başka bir masa gösterdi. Hiçbir şey açıklanmadı: lütfen masadakilere ve sunucu yöneticisine haber verin.
page-coming = Sonraki elden itibaren siz oynuyorsunuz; o zamana kadar yerinizde bot oynar.
page-coming-stop = Vazgeç
page-comes = sonraki el: { $name }

page-scores = Puanlar
page-moves = Hamleler
page-messages = Mesajlar
page-won = { $you ->
    [yes] Kazandınız
   *[no] { $names } kazandı
}
page-score-sheet = Puan cetveli
page-match-over = Maç bitti
page-end-winner = { $you ->
    [yes] Eli bitirdiniz.
   *[no] { $name } eli bitirdi.
}
page-finished-with = { $you ->
    [yes] Eli bitirdiniz, { $points }
   *[no] { $name } eli bitirdi, { $points }
}
page-end-stock = Deste bitti, kimse bitemedi.
page-end-all-pairs = Herkes çift açtı.
page-end-finish = El bitti.
page-end-counted = Açmayana 202, açana elinde kalan taşlara göre yazılır.
page-not-counted = El yeniden dağıtılır.
page-deal = El
page-total = Toplam
page-score-unit = p
page-place = { $place }.
page-you = Siz
page-score-finished = eli bitirdi
page-score-lowest = En az puanı olan kazanır; eksi puan iyidir: eli bitiren puan siler.
page-plus-fines = + { $points } ceza
page-factor-okey = okey
page-factor-pairs = çift
page-factor-whole-hand = elden
page-factor-riziko = riziko
page-factor-own-pairs = çift açmıştı
page-hands-left = Elde kalan taşlar
page-next-deal = Sonraki el
page-next-unhurried = Bu masada süre yok: sonraki el herkes hazır olunca başlar.
page-rematch = Yeniden oyna
page-rematch-asked = Yeniden oynamak istediniz
page-watch-replay = Maçı izle

page-profile = Profil
page-ladder = Sıralama
page-friends = Arkadaşlar
page-family = Aile masası
page-puzzle = Ne atarsın?
page-review = İncele
page-step = Hamle

page-palette-safe = Renk körlüğüne uygun
page-sound = Ses
page-no-motion = Animasyonları kapat
page-chatter = Botlar arada bir laf etsin
page-badge = Sıra bana gelince başlıkta işaret göster
page-vibration = Sıra bana gelince ve taş oynatırken titret
page-awake = Masadayken ekran açık kalsın
page-tidy = Çekilen taşı kendiliğinden diz

page-dealing = { $you ->
    [yes] Siz dağıttınız
   *[no] { $name } dağıttı
}
page-die = Zar: { $die }
page-okey-is = Okey: { $tile }
page-skip = Atla
hint-button = İpucu
page-pick-first = Önce atılacak taşı seçin.
page-left-only-taken = Buraya yalnızca az önce yandan alınan taş geri bırakılır.
page-nothing-to-lay = Elinizde işlenebilen taş yok.
page-only-okey-fits = Yalnız okeyiniz işlenebilir: onu seçip yerini gösterin.
page-back-free = Geri alındı.{ $points ->
    [0] {""}
   *[other] {" "}Araya taş indirmeden bir taş daha geri almak { $points } ceza.
}
page-said = { $name }: { $phrase }
page-said-to = { $name }, { $to } için: { $phrase }
page-said-you = { $name } size gönderdi: { $phrase }
page-send-to = Bir şey gönder: { $name }
page-told-left = { $name } masadan kalktı, yerine bot oynuyor.
page-told-away = { $name } uzakta, yerine şimdilik bot oynuyor.
page-told-back = { $name } geri döndü.
page-told-sits = { $name } oturdu.
page-tile-costs = Atarsanız { $points } ceza
page-clock-played = Süre doldu, yerinize oynandı.
page-did-open-melds = { $you ->
    [yes] Seri açtınız: { $sum }!
   *[no] { $name } seri açtı: { $sum }!
}
page-did-open-pairs = { $you ->
    [yes] Çift açtınız: { $sum } çift!
   *[no] { $name } çift açtı: { $sum } çift!
}
page-did-short = { $you ->
    [yes] Eksik açtınız.
   *[no] { $name } eksik açtı.
}
page-outdated = Sayfanın yeni bir sürümü var.
page-reload = Yenile
page-people = Masadakiler
page-owner-lines = Perin altındaki çizgi, onu indiren oyuncunun rengindedir
page-kick-seat = Masadan çıkar: { $name }
page-mute-seat = Mesajlarını gizle: { $name }
page-unmute-seat = Mesajlarını göster: { $name }
page-large-tiles = Büyük taşlar
page-teams-totals = Takımların toplamı: { $one } / { $two }
