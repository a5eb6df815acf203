# Oyunun sözleri: taşlar, hamleler, olanlar, cezalar ve bir şeyin neden kabul edilmediği.

## Taşlar ve perler
colour = { $colour ->
    [R] kırmızı
    [Y] sarı
    [B] mavi
   *[K] siyah
}
tile = { colour } { $number }
tile-okey = okey
tile-false-joker = sahte okey
piece-okey-as = { $tile } yerine okey
piece-okey-as-number = { $number } yerine okey
form = { $form ->
    [run] seri
    [set] grup
   *[pair] çift
}
count-tiles = { $count } taş
count-pairs = { $count } çift
count-points = { $count } puan
count-deals = { $count } el

## Oyuncunun yapabilecekleri
action-draw = yerden çek
action-take = yandan al
action-return = geri bırak
action-announce = “Gösterge bende” de
action-open = el aç
action-open-pairs = çift aç
action-meld = per indir
action-lay = işle
action-back = geri al
action-discard = taş at
action-pass = pas
action-indicator = göstergeyi al
action-swap = okeyi al
opened = { $opened ->
    [melds] { $points } puanla açtı
    [pairs] çift açtı
   *[no] açmadı
}

## Olanlar
event-deal = { $player } dağıttı. Gösterge { $indicator }, okey { $okey }.
event-deal-riziko = { $player } dağıttı. Gösterge sahte okey: riziko eli.
event-draw = { $player } yerden çekti.
event-take = { $player } yandan { $tile } aldı.
event-return = { $player } geri bıraktı: { $tile }.
event-announce = { $player } “Gösterge bende” dedi.
event-open-melds = { $player } { $points } puanla el açtı: { $groups }.
event-open-pairs = { $player } { $count } çift açtı: { $groups }.
event-short-opening = { $player } eksik açtı, taşlarını geri aldı: { $groups }.
event-meld = { $player } indirdi: { $groups }.
event-lay = { $player } { $group } numaralı pere işledi: { $piece }.
event-back = { $player } { $count } taş geri aldı.
event-discard = { $player } attı: { $tile }.
event-pass = { $player } pas geçti.
event-indicator = { $player } göstergeyi aldı.
event-swap = { $player } { $tile } verip { $group } numaralı perdeki okeyi aldı.
event-fine = { $player } için { $points } ceza puanı: { $reason }.
event-finish = { $player } eli bitirdi.
event-stock = Deste bitti, kimse bitemedi.
event-all-pairs = Herkes çift açtı; el sayılmaz.
event-deal-again = Aynı dağıtıcı yeniden dağıtır.
event-match-won = Maçı { $player } kazandı.
event-match-shared = Birinciliği paylaşanlar: { $players }.

## Cezalar, kuralının kimliğiyle
fine-P1 = okey atıldı
fine-P2 = işlek taş atıldı
fine-P3 = eksik açma
fine-P4 = arka arkaya birden çok taş geri alındı
fine-P5 = okey elde kaldı
fine-U7 = atılan taş yandan alınıp kullanıldı
fine-X4 = atılan taşla el açıldı

## Puan cetveli
factor-okey = okeyle bitti
factor-pairs = çiftle bitti
factor-whole-hand = elden bitti
factor-riziko = riziko eli
factor-own-pairs = çift açmıştı
end = { $end ->
    [finish] bitti
    [stock] deste bitti
   *[all-pairs] herkes çift açtı
}

## Neden kabul edilmedi: hamle
error-already-announced = “Gösterge bende” zaten dendi.
error-already-drawn = Şimdi taş çekemezsiniz: bu turdaki taşınız elinizde.
error-already-laid = Taş indirdikten sonra yandan alınan taş geri bırakılamaz.
error-announce-too-late = “Gösterge bende”, sıra size ilk geldiğinde ve el açmadan önce denir.
error-below-threshold = Açmak için en az { $need } gerekir, sizinki { $value }.
error-breaks-group = { $count } taş geri alınırsa geride geçersiz bir per kalır.
error-deal-over = El bitti.
error-discard-protected = Çift açmış oyuncunun attığı taş yandan alınamaz.
error-does-not-fit = { $piece }, { $group } numaralı pere uymaz.
error-draw-only = Taşı geri bıraktınız; şimdi yerden çekin.
error-false-joker-blank = Riziko elinde sahte okey hiçbir taşın yerine geçmez.
error-indicator-blank = Riziko elinde gösterge hiçbir taşın yerine geçmez.
error-indicator-no-finish = Göstergeyi yalnızca onunla bitmek için alabilirsiniz.
error-lay-off-later = El açarken taş işlenmez; sıra yeniden size gelince işleyebilirsiniz.
error-melds-only = Grup ve seriyle açan çift indiremez.
error-mixed-forms = Çiftler grup ve serilerle birlikte indirilemez.
error-must-draw-first = Önce yerden çekin ya da yandan alın.
error-must-finish = Göstergeyi aldınız; atacağınız taşla bitmek zorundasınız.
error-no-announcement = Bu kurallarda “Gösterge bende” denmez.
error-no-discard = Yandan alınacak taş yok.
error-no-group = Masada { $group } numaralı per yok.
error-no-pairs-yet = Masada çift olmadan çift indirilemez.
error-no-reclaim = Bu kurallarda okey geri alınmaz.
error-not-a-pair = Çift, rengi ve sayısı aynı iki taştır.
error-not-a-run = Seri, aynı renkten üç ya da daha çok ardışık sayıdır.
error-not-a-set = Grup, aynı sayıdan, renkleri farklı üç ya da dört taştır.
error-not-asked = Şu anda son atılan taş ya da gösterge sunulmuyor.
error-not-in-hand = Elinizde { $tile } yok.
error-not-opened = El açmadan taş işlenmez.
error-not-reclaimable = { $group } numaralı perde { $tile } yerine geçtiği kesin olan okey yok.
error-not-your-turn = Sıra sizde değil.
error-nothing-left = Atmak için bir taş bırakın.
error-nothing-taken = Yandan taş almadınız.
error-nothing-to-take-back = { $count ->
    [0] Geri alınabilecek taş yok: yalnızca sıra sizdeyken indirdikleriniz geri alınır.
   *[other] En çok { $count } taş geri alınabilir: yalnızca sıra sizdeyken indirdikleriniz geri alınır.
}
error-pairs-lay-nothing-off = Çift açtınız; taş işleyemezsiniz.
error-pairs-only = Çift açan yeni grup ya da seri indiremez.
error-return-not-allowed = Yandan aldığınız bu taş geri bırakılamaz.
error-taken-not-used = Yandan alınan taş ({ $tile }) taş atmadan önce kullanılmalıdır.
error-taken-useless = Yandan taşı yalnızca hemen kullanmak için alabilirsiniz.
error-too-short = Per için en az üç, çift için iki taş gerekir.
error-twin-not-held = Gösterge eşi elinizde değil.

## Neden kabul edilmedi: metin
did-you-mean = Şunu mu demek istediniz: { $name }?
error-bad-tile = { $tile } diye bir taş yok. Taşları R7, F ya da * gibi yazın.
error-bare-okey = Per içinde okeyin neyin yerine geçtiğini yazın: *R8 ya da *5.
error-bad-position = Bu bir konum değil: noktalı virgülle ayrılmış sekiz ya da dokuz bölüm gerekir.
error-too-many-copies = { $tile } taşından yalnızca iki tane vardır.
error-empty-group = Perlerden birinde hiç taş yok.
error-unknown-action = { $word } diye bir hamle yok.
error-bad-seat = { $seat } diye bir oturma yeri yok.
error-bad-action = Şöyle yazın: { $shape }.

## Neden kabul edilmedi: kural seti
error-teams-need-four = Eşli oyun için dört oyuncu gerekir: teams, players (G1).
error-needs-teams = { $name } yalnızca eşli oyunda olur: teams gerekir ({ $rule }).
error-two-last-tiles = Ya son atılan taş alınabilir ya da gösterge çekilebilir, ikisi birden olamaz: last_discard_takeable, indicator_is_last_tile (E2, E4).
error-unknown-preset = { $name } adında bir kural seti yok. Şunlardan birini seçin: { $known }.
error-unknown-field = Kural setinde { $fields } diye bir alan yok.
error-bad-value = { $fields } bu değeri alamaz; olabilecekler: { $allowed }.
error-bad-value-plain = Böyle bir değer olamaz.

## Neden kabul edilmedi: el, ıstaka, maç
error-bad-seed = Tohum, 64 onaltılık basamaktan oluşur.
error-bad-indicator = { $tile } gösterge olamaz.
error-wrong-hands = { $wanted } oyuncu eli gerekir, { $got } tane verilmiş.
error-empty-hand = Bir oyuncunun elinde taş yok.
error-too-many-tiles = Oyunda { $count } tane { $tile } yoktur.
error-too-many-tiles-plain = Oyunda yalnızca { $limit } taş vardır.
error-bad-deals = Maç 1 ile 1000 arası el sürer.
error-match-over = Anlaşılan bütün eller oynandı.
error-deal-running = El henüz bitmedi.
error-not-a-rack = Bu bir ıstaka değil: bir taş ikiden çok geçiyor.
error-no-kind = { $tile } taşının kendi rengi ve sayısı yok.
error-okey-face-in-rack = Okeyin kendi taşlarını okey olarak, * ile yazın.
error-other-rules = Bu el, maçın kurallarından başka kurallarla oynanmış.
error-false-joker-in-riziko = Riziko elinde sahte okey okeydir. * ile yazın.
error-not-in-rack = Istakada { $tile } yok.
error-two-layouts = Dizilişin tohumu ve dağıtıcısı zaten bellidir. Yeniden vermeyin.

## Neden kabul edilmedi: maç dosyası
error-not-json = Dosya JSON değil.
error-more-than-one = Bunun ardından bir maç daha var. Her satırı bir maç olan dosyadan tek satır verin.
error-truncated = Dosya yarım kalmış.
error-not-utf8 = Dosya UTF-8 değil.
error-too-large = Maç dosyası en çok { $limit } bayt olabilir.
error-lone-surrogate = Bir metinde bozuk bir karakter var.
error-rack-too-large = Burada bir ıstakada en çok { $limit } taş olabilir.
error-too-deep = Maç dosyası çok derin iç içe geçmiş.
error-too-long = Metin en çok { $limit } karakter olabilir.
error-duplicate-name = { $name } adı bir nesnede iki kere geçiyor.
error-unknown-name = { $name } adı burada bilinmiyor.
error-missing = { $name } eksik.
error-unexpected = team_totals için eşli oynanan bir kural seti gerekir.
error-bad-format = { $format } burada gereken dosya biçimi değil.
error-newer-format = { $format } biçimi bu programdan yeni. Daha yeni bir okey101 kurun.
error-newer-rules = Maç dosyasının kural sürümü bu programdan yeni. Daha yeni bir okey101 kurun.
error-no-deal = El için bir tohum ya da eller ve gösterge gerekir.
error-wrong-type = { $wanted ->
    [object] Burada bir nesne gerekir.
    [list] Burada bir liste gerekir.
    [integer] Burada bir tam sayı gerekir.
    [text] Burada bir metin gerekir.
    [boolean] Burada true ya da false gerekir.
   *[other] Burada { $wanted } gerekir.
}
error-wrong-count = { $wanted } öğe gerekir, { $got } tane var.
error-out-of-range = Sayı { $low } ile { $high } arasında olmalıdır.
error-too-many-deals = Maç dosyası, anlaşılan el sayısından sonra da sürüyor.
error-result-differs = Maç dosyasında { $claimed } yazıyor, ama yeniden oynanınca { $actual } çıkıyor.
error-totals-differ = Maç dosyasında { $claimed } yazıyor, ama yeniden oynanınca { $actual } çıkıyor.
error-bad-hex = 64 onaltılık basamak gerekir.
error-bad-randomness = Katkı, { $low } ile { $high } bayt arasında onaltılık basamaktır ya da boştur.
error-bad-actor = Oynayan; person, clock, fallback ya da bot:AD/SÜRÜM olabilir.
error-actor-count = Her hamle için bir oynayan, yani { $wanted } öğe gerekir; { $got } tane var.
error-bad-checkpoint = Bir özet; ad, uzunluk, kök ve imzalardan oluşur.
error-bad-secret = Gizli değer 32 bayttır.
error-bad-context = Masanın adı, maç ya da el geçerli değil.
error-no-such-deal = Maç dosyasında { $deal } numaralı el yok.
error-fair-noted = Taahhüt, elden önce not edilenden farklı.
error-fair-mine = Katkınız yerlerin katkıları arasında yok ya da yalnızca atılan turlarda var.
error-fair-commitment = Gizli değer taahhüde uymuyor.
error-fair-context = Masa, maç ve el numarası önceki elin devamı değil.
error-fair-opening = { $seat } numaralı yerin katkısı, taahhüdüne uymuyor.
error-fair-bot = { $seat } numaralı yerdeki bot katkıda bulunmuş.
error-fair-rounds = { $count } tur yarıda kalmış, ama dosyada { $told } tur var.
error-fair-round = Yarıda kalan { $round } numaralı turun gizli değeri taahhüde uymuyor.
error-fair-reason = Yarıda kalan { $round } numaralı turun dağıtılmaması için bir neden yok.
error-fair-terms = Kurallar ya da el sayısı, herkese gösterilenlerden farklı.
error-bad-terms = Koşullar; metin, tam sayı, liste ve adlı değerlerden oluşur.
error-fair-seed = Tohum, gizli değer ile katkılardan çıkmıyor.
error-fair-dealer = Dağıtıcı { $claimed } numaralı yer; { $actual } numaralı yer olmalıydı.
error-fair-actor = { $seat } numaralı yerde { $actual } oturuyordu, ama dosyada { $number }. hamle için { $claimed } yazıyor.
error-fair-bot-choice = { $number }. hamlede { $seat } numaralı yer { $claimed } oynamış. O yerde oturanın gördükleriyle { $actor } { $actual } oynar.
error-fair-tiles = Maç dosyasında { $claimed } yazıyor, ama tohumdan { $actual } çıkıyor.

## Neden kabul edilmedi: çözücüye soru
error-bad-place = Oraya taş işlenemez.
error-not-weighed = { $action } hamlesi hesaplanmadı.
