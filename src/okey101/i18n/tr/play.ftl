# Terminalde oyun; metin olarak ıstaka, masa ve puan cetveli.

## Istaka, masa ve puan cetveli
text-none = yok
text-shelf-melds = Perler
text-shelf-pairs = Çiftler
text-shelf-rest = Kalan
text-table = Masa:
text-table-empty = Masada henüz per yok.
text-group = { $number }. { $tiles } ({ $form }, { $owner })
text-group-fits = { $number }. { $tiles } ({ $form }, { $owner }; uyan: { $fits })
text-fine = { $points } puan ({ $rule }, { $reason })
text-sheet-heading = Elin puan cetveli:
text-total = toplam { $points }
text-totals = Toplam
text-void = sayılmaz
text-team = { $first } ve { $second }
text-place = { $place }. { $player }: { $points } puan

## Kim nerede oturuyor
play-you = Siz
play-seat = { $place ->
    [right] Sağdaki
    [left] Soldaki
   *[across] Karşıdaki
}
play-bot-name = { $player } ({ $bot })
play-partner = { $player }, eşiniz

## Oyun
play-welcome =
    Terminalde 101 Okey. Komutlar için yardım, masanın durumu için Enter, bırakmak için çık yazın; her şey kaydedilir.
    Sıra sağa doğru döner; sizden önceki oyuncunun attığı taşı yandan alabilirsiniz.
play-aim =
    Amaç elinizdeki taşları bitirmektir. Son taşını atan biter; diğerlerine ellerinde kalanlar puan olarak yazılır ve puanı en az olan kazanır.
    Sıranız gelince yerden ya da yandan bir taş alır, per indirir, bir taş atarsınız. Per ya gruptur (farklı renklerden aynı sayı, üç ya da dört taş) ya seri (aynı renkten en az üç ardışık sayı).
    El açmak için tek seferde toplamı { $points } puan eden perler ya da { $pairs } çift indirirsiniz. Ondan sonra her peri indirebilir, masadaki perlere taş işleyebilirsiniz.
play-ask-words = Taşlar R7 gibi yazılır: R kırmızı, Y sarı, B mavi, K siyah. Bunun yerine kırmızı 7 yazılmasını ister misiniz? Sözlü komutu bunu sonradan değiştirir.
play-ask-adviser = İlk elde bir yardımcının, her hamlenizden önce ne yapacağınızı söylemesini ister misiniz?
play-adviser-ends = Yardımcı ayrıldı. Ne yapacağınızı sormak için ipucu yazın.
play-more = (Enter: devamı, h: yeter)
play-resumed = { $path } dosyasındaki maça devam ediliyor.
play-ask-resume = Bitmemiş bir maç var. Devam etmek istiyor musunuz?
play-moved-aside = Oradaki dosyanın yeni adı: { $path }
play-yes-no = (e: evet, h: hayır)
play-bot-failed = { $bot } botu geçerli bir hamle vermedi; yerine varsayılan hamle oynanıyor.
play-left = Maç kaydedildi: { $path }. Devam etmek için:
play-saved = Kaydedildi: { $path }
play-not-saved = Kaydedilemedi: { $path }: { $error }
play-file-exists = { $path } zaten var ve değiştirilmedi. Başka bir dosya seçin ya da o maça devam edin: --resume
play-file-in-use = { $path } başka bir pencerede oynanıyor. Başka bir dosya seçin: --record
play-no-file = { $path } dosyasında kayıtlı maç yok.
play-damaged = { $path } kullanılamıyor ({ $code }): { $message } Dosya değiştirilmedi.
play-record-kept = Maç dosyası: { $path }

## El
play-heading = El { $number }/{ $deals }. Gösterge { $indicator }, okey { $okey } (*). Destede { $stock } taş var.
play-heading-riziko = El { $number }/{ $deals }. Gösterge sahte okey: riziko eli; sayılı taşlardan hiçbiri okey değil, diğer sahte okey okeydir (*). Destede { $stock } taş var.
play-dealer = Dağıtıcı: { $player }.
play-starter = 22 taşla başlayan: { $player }.
play-dice = Zarlar: { $throws }. Sütun { $stack }, alttan { $tile }. taş gösterge oldu.
play-dice-again = { $count ->
    [1] Sahte okey çıktığı için zar bir kez daha atıldı.
   *[other] Sahte okey çıktığı için zar { $count } kez daha atıldı.
}

## Durum
play-opened = { $opened ->
    [melds] perle açtı
    [pairs] çift açtı
   *[no] açmadı
}
play-last-discard = son attığı { $tile }
play-last-discard-yours = son attığı { $tile }, alabilirsiniz
play-announced = “Gösterge bende” dedi
play-known = elinde olduğu bilinen: { $tiles }
play-fined-so-far = bu elde { $points } ceza
play-piles = Atılan taşlar, en eskisi önde:
play-rack = Istakanız, { $count } taş:
play-sum = En iyi diziliş: puan { $points }/{ $need }, çift { $pairs }/{ $need_pairs }.
play-sum-open = Elinizdeki taşlar { $hand } puan.
play-sum-open-melds = Elinizdeki taşlar { $hand } puan; perleri inince { $left } puan kalır.
play-sum-open-pairs = Elinizdeki taşlar { $hand } puan; çiftleri inince { $left } puan kalır.
play-prompt = { $phase ->
    [draw] Sıra sizde, yerden çekin ya da yandan alın
    [must-draw] Sıra sizde, yerden çekin
    [last-discard] Son taşı alın ya da pas geçin
    [last-indicator] Göstergeyi alın ya da pas geçin
   *[play] Sıra sizde
}

## Yapılabilecekler
play-may = Yapabilecekleriniz: { $list }.
play-may-draw = yerden çek (ç)
play-may-take = yandan { $tile } al (y)
play-may-return = geri bırak (g)
play-may-announce = “Gösterge bende” de (söyle)
play-may-open = { $points } puanla aç (a)
play-may-open-pairs = { $count } çift aç (ça)
play-may-meld = per indir (indir)
play-may-meld-pairs = çift indir (indir)
play-may-lay = işle: { $list } (i; hepsi: it)
play-may-swap = okeyi al: { $list } (değiş)
play-may-back = son taşı geri al, cezasız (ga)
play-may-back-fined = son taşı geri al, cezası { $points } (ga)
play-may-pass = pas geç (pas)
play-may-indicator = göstergeyi alıp bit (gösterge)
play-may-discard = taş at (at TAŞ)
play-must-use = Yandan { $tile } aldınız; taş atmadan önce kullanmalısınız.
play-must-finish = Göstergeyi aldınız; atacağınız taşla bitmelisiniz.
play-no-costs = Hangi taşı atarsanız atın ceza yok.
play-risk = { $rule ->
    [P1] okey
    [P2] işlek taş
   *[P4] arka arkaya birden çok taşı geri almak
}
play-cost = { $tiles }: { $points } puan ({ $rule }, { $reason })
play-costs = Atılırsa ceza yazılan taşlar: { $list }.
play-all-cost = Hangi taşı atarsanız atın ceza yazılır: { $list }.
play-points-short = Perle açmak için { $points } puan daha gerekir.
play-offer-open = { $tile } ile en iyi dizilişiniz { $points } puan, { $pairs } çift olur: açabilirsiniz.
play-offer-short = { $tile } ile en iyi dizilişiniz { $points } puan, { $pairs } çift olur: açmaya yetmez.
play-offer-use = { $tile } hemen kullanılabilir.
play-offer-useless = { $tile } şu anda kullanılamaz.
play-not-yet = El açınca işleyebilecekleriniz: { $tiles }.
play-melds = İndirebileceğiniz perler: { $groups }.

## Sorular ve yanıtlar
play-confirm-fine = { $action }: cezası { $points } puan ({ $rule }: { $reason }). Yapmak istiyor musunuz?
play-confirm-short = Eksik açma: { $value } puan var, { $need } gerekir; { $points ->
    [0] taşlar size döner ve herkes onları görmüş olur.
   *[other] taşlar size döner ve { $points } ceza yazılır (P3).
} Yapmak istiyor musunuz?
play-confirm-short-pairs = Eksik açma: { $value } çift var, { $need } gerekir; { $points ->
    [0] taşlar size döner ve herkes onları görmüş olur.
   *[other] taşlar size döner ve { $points } ceza yazılır (P3).
} Yapmak istiyor musunuz?
play-not-done = Vazgeçildi; hiçbir şey değişmedi.
play-refused = { $message } ({ $rule })
play-at = { $message } (karakter { $position }: { $rest })
play-typed = { $word ->
    [draw] çek
    [take] al
    [return] geri bırak
    [meld] indir
    [lay] işle
    [back] geri al
    [announce] söyle
    [discard] at
    [pass] pas
    [indicator] gösterge
   *[swap] değiş
}
play-hint = İpucu: { $action }. { $reason }
play-auto = oto: { $action }
play-log-empty = Henüz bir şey olmadı.
play-words-on = Taşlar artık sözle yazılıyor. Komutlarda ikisi de olur: at kırmızı 7, at R7.
play-words-off = Taşlar artık R7 gibi kısa yazılıyor.

## Olanlar: diğer oyuncular
play-did-draw = yerden çekti
play-did-take = yandan { $tile } aldı
play-did-return = { $tile } geri bıraktı
play-did-announce = “Gösterge bende” dedi
play-did-open-melds = { $points } puanla açtı ({ $groups })
play-did-open-pairs = { $count } çift açtı ({ $groups })
play-did-short-opening = eksik açtı, taşlarını geri aldı ({ $groups })
play-did-meld = { $groups } indirdi
play-did-lay = { $group } numaralı pere { $piece } işledi ({ $tiles })
play-did-back = { $count } taş geri aldı
play-did-discard = { $tile } attı
play-did-pass = pas geçti
play-did-indicator = göstergeyi aldı
play-did-swap = { $tile } verip { $group } numaralı perdeki okeyi aldı
play-did-finish = eli bitirdi
play-did-fined = { $points } puan ceza aldı ({ $rule }, { $reason })

## Olanlar: siz
play-you-draw = yerden { $tile } çektiniz
play-you-take = yandan { $tile } aldınız
play-you-return = { $tile } geri bıraktınız
play-you-announce = “Gösterge bende” dediniz
play-you-open-melds = { $points } puanla açtınız ({ $groups })
play-you-open-pairs = { $count } çift açtınız ({ $groups })
play-you-short-opening = eksik açtınız, taşlarınızı geri aldınız ({ $groups })
play-you-meld = { $groups } indirdiniz
play-you-lay = { $group } numaralı pere { $piece } işlediniz ({ $tiles })
play-you-back = { $count } taş geri aldınız
play-you-discard = { $tile } attınız
play-you-pass = pas geçtiniz
play-you-indicator = göstergeyi aldınız
play-you-swap = { $tile } verip { $group } numaralı perdeki okeyi aldınız
play-you-finish = bittiniz
play-you-fined = { $points } puan ceza aldınız ({ $rule }, { $reason })

## Son
play-end-deal = El { $number } bitti. { $outcome }
play-end-finish = Bitiren: { $player }.
play-kept = Elde kalan, { $player }: { $tiles } ({ $points } puan).
play-kept-okey = Elde kalan, { $player }: { $tiles } (okey dışında { $points } puan).
play-void = Bu el sayılmaz.
play-end-match = Maç bitti.
play-won = Maçı siz kazandınız!
play-won-team = Maçı kazananlar: { $players }.

## Neden kabul edilmedi
error-unknown-command = { $word } diye bir komut yok. Komutları görmek için yardım yazın.
error-already-opened = Zaten açtınız. Yeni perleri indir komutuyla indirin.
error-cannot-open = En iyi dizilişiniz { $value } puan; en az { $need } gerekir.
error-cannot-open-pairs = Açabileceğiniz çift { $value }; en az { $need } gerekir.
error-no-meld = Elinizde indirilecek per yok.
error-nothing-to-lay = Elinizdeki hiçbir taş masadaki perlere uymuyor.
error-fits-nowhere = { $piece } masadaki hiçbir pere uymaz.
error-fits-several = { $piece } birden çok pere uyar: { $groups }. Hangisi olduğunu yazın: i { $piece } > numara.
error-no-such-rule = { $rule } diye bir kural yok.
error-not-a-save = Bu dosya okey101 play komutunun kaydettiği bir maç değil.
error-save-differs = İçindeki eller maçın tohumuna uymuyor.
error-save-over = İçindeki maç bitmiş.
error-too-many-saves = O klasörde çok fazla kayıtlı maç var. Bazılarını silin.

## Komutlar
play-help =
    Taşlar: R kırmızı, Y sarı, B mavi, K siyah, yanında sayısı: R7. F sahte okey, * okey; okey per içinde neyin yerine geçtiğini söyler: *R8 ya da *5.
    ç, çek: yerden çek
    y, al: yandan al, yani sizden önceki oyuncunun attığı taşı
    g, geri bırak: yandan alınan taşı geri bırak
    a, aç: en iyi dizilişle el aç
    ça, çift aç: çift aç
    indir R7 R8 R9 / K11 Y11 *B11: bu perleri indir, açarken ya da sonra; açtıktan sonra yalnız indir, inebilenlerin hepsini indirir
    i K5 > 3 ya da i K5 3: K5 taşını 3 numaralı pere işle; tek per uyuyorsa i K5 yeter
    it, işle tümü: uyan bütün taşları işle, okey dışında
    at R9: R9 taşını at ve sırayı bitir; son taşı atan biter
    ga, geri al: son indirdiğiniz taşı, taş atmadan önce geri al; ga 2 iki taş geri alır; biri cezasız, arka arkaya ikisi bir kez { $points }
    değiş R8 > 3: kurallar izin veriyorsa R8 verip 3 numaralı perdeki okeyi al
    söyle: “Gösterge bende” de; pas: son taşı ya da göstergeyi bırak; gösterge: göstergeyi alıp bit
    diz, çd, rd: ıstakayı perlere, çiftlere, renklere göre diz
    ne, neden: şu anda ne yapılabilir, ne eksik
    ip, ipucu: iyi bir oyuncu ne yapardı; oto: onu yap; oto 5: beş hamle
    masa: bütün masa ve atılan taşlar; ıstaka: ıstakanız; olanlar: bu elde olanlar
    puan: puan cetveli; kural: kurallar; kural P2: tek bir kural
    sözlü: taşları kısa yazım yerine sözle yaz; yeniden yazınca kapanır
    kaydet: dosyayı yeniden yaz; kaydet DOSYA: bir kopyasını yaz
    çık: bırak; maç kaydedilir, --resume ile devam eder
    ?, yardım: bu satırlar; Enter: masanın durumu yeniden
    İngilizce komutlar da çalışır.
