# Biten ellerin incelemesi: her seçimin bedeli, şans ve beceri ayrı ayrı.

## Yardım: review
cli-review =
    Biten elleri inceler: her seçimin bedeli, daha iyisi ve nedeni.

    FILE yerine - yazılırsa maç dosyası girdiden okunur. Her seçim, oturanın o anda gördüklerine uyan dünyalarda sonuna kadar oynanır. sim eki gerekir. Bir makinedeki ilk inceleme yaklaşık bir dakika derlenir. FILE tek satırlık bir konum da olabilir; o zaman sıradaki oyuncunun seçimleri tartılır.
cli-review-short = Bir maç dosyasındaki her seçimin bedelini gösterir.
opt-review-deal = Yalnızca bu el; 1 ile başlar.
opt-review-seats = Yalnızca bu yer; 0 ile başlar, yinelenebilir (varsayılan: hepsi).
opt-review-worlds = Her seçimin kaç dünyada oynandığı (varsayılan 1000). Dört katı, aralıkları yarıya indirir.
opt-review-policy = Dünyalarda oyunu sürdüren bot: master (varsayılan) ya da üçte bir sürede biten greedy.
opt-review-seed = Dünyaların geldiği sayı (varsayılan 0). Aynı sayıyla aynı sonuçlar çıkar.
opt-review-html = İncelemeyi eğrileriyle bu dosyaya da yazar.

## Yardım: strength
cli-strength =
    Birinin şanstan arınmış gücünü ölçer: referans bota göre el başına kendi oyunu.

    Maç dosyaları verildikleri sırayla okunur. verify ile FILE, daha önce --json ile yazılandır; içindeki her sayı maç dosyalarından yeniden hesaplanır. sim eki gerekir.
cli-strength-short = Birinin şanstan arınmış gücünü ölçer.
opt-strength-files = Biten ellerin maç dosyaları, oynandıkları sırayla.
opt-strength-player = Oyuncunun maç dosyalarındaki adı.
opt-strength-seat = Ad yerine oyuncunun yeri; 0 ile başlar, bütün dosyalarda aynıdır.
opt-strength-worlds = Her seçimin kaç dünyada oynandığı (varsayılan 100).
opt-strength-seed = Dünyaların geldiği sayı (varsayılan 0). Aynı sayıyla aynı sonuçlar çıkar.

## Yardım: puzzle
cli-puzzle =
    Bir seçimin açıkça en iyi olduğu bir konumu gösterir ve ne oynayacağınızı sorar.

    Konumlar botların ellerinden alınmıştır. Yanıtınızdan sonra en iyi seçimi nedeniyle, her seçimin bedelini de görürsünüz.
cli-puzzle-short = Bir konumdaki en iyi seçimi sorar.
opt-puzzle-which = Konumun numarası; 1 ile başlar (varsayılan: herhangi biri).
opt-puzzle-theme = Yalnızca bu konudakiler: discards (taş atmak), opening (açmak), holding (beklemek), laying (işlemek), pairs (çift), taking (yandan almak), end (destenin sonu).
opt-puzzle-rules = Yalnızca bu kural setindekiler: altinstar, pagat ya da wiki.
opt-puzzle-answer = Hemen yanıtlar, bir seçimin numarasıyla ya da "discard R5" gibi bir hamleyle.

## Yardım: daily
cli-daily =
    Günün ellerini gösterir: herkese aynı taşlar, herkese bir deneme.

    Oynayanların tablosunu, dört eli oynadıktan ya da gün kapandıktan sonra görürsünüz.

    play ile elleri burada oynarsınız; okey101 play gibidir, ama ipucu yoktur. Bir kez oynanır, kaldığınız yerden sürer.

    challenge ile dört yeni elin bağlantısını alırsınız. again ile bir maçınızdaki eli botlara karşı yeniden oynarsınız.
cli-daily-short = Bir sunucudaki günün ellerini ve oynayanların tablosunu gösterir.
opt-daily-words = Sunucunun adresi. Önüne play yazarsanız eller burada oynanır, verify yazarsanız denetlenir, challenge yazarsanız meydan okunur. Ardından İstanbul'daki tarih gelebilir, örneğin 2026-11-27 (varsayılan: bugün), ya da bir meydan okumanın adı. Bir eli yeniden oynamak için adresin önüne again, ardına da maçı yazın, örneğin k3wq8r5mzt2a-1.
opt-daily-over = Günün içinde bulunduğu haftanın ya da ayın tablosunu gösterir.
opt-daily-token-file = Kim olduğunuzu söyleyen anahtarınızın bulunduğu dosya. play ile, böyle bir dosya yoksa misafir olursunuz ve anahtarınız oraya yazılır.
opt-daily-bot = Diğer yerlerdeki bot. challenge ile novice, greedy, steady, master ya da neural (varsayılan: neural), again ile sunucudaki herhangi bir bot (varsayılan: greedy).
opt-daily-deal = again ile: maçın kaçıncı eli; 1 ile başlar (varsayılan: 1).
opt-daily-at = again ile: ilk N hamle olduğu gibi kalır (varsayılan: 0).

## Yardım: profile
cli-profile =
    Birinin bir sunucuda biten maçlarından çıkanları gösterir: dereceler, bitişler, el açmalar, cezalar, şans defteri ve güç.

    Ad yazmazsanız sizinkini gösterir. Başkasının profili ancak açıksa görünür.
cli-profile-short = Birinin bir sunucudaki maçlarından çıkanları gösterir.
opt-profile-url = Sunucunun adresi.
opt-profile-name = Bir hesabın adı (varsayılan: kendiniz).
opt-profile-token-file = Kim olduğunuzu söyleyen anahtarınızın bulunduğu dosya.

## Yardım: friends, families, ladder
cli-friends =
    Bir sunucudaki arkadaşlarınızı, istekleri, birlikte oynadıklarınızı ve engellediklerinizi gösterir.

    İstenirse önce biri için bir şey yapılır. Kişi adıyla ya da parantez içinde gösterilen kimliğiyle belirtilir. Engellenene bir şey söylenmez.
cli-friends-short = Bir sunucudaki arkadaşlarınızı ve engellediklerinizi gösterir, değiştirir.
opt-friends-url = Sunucunun adresi.
opt-friends-ask = Bu hesaba arkadaşlık isteği gönderir ya da onun isteğini kabul eder.
opt-friends-part = Arkadaşlıktan çıkarır, isteğinizi geri alır ya da isteğini reddeder.
opt-friends-block = Engeller.
opt-friends-unblock = Engelini kaldırır.
opt-friends-token-file = Kim olduğunuzu söyleyen anahtarınızın bulunduğu dosya.
cli-families =
    Bir sunucudaki aile masalarınızı gösterir; bağlantısını verirseniz bir masanın müdavimlerini ve sonuçlarını.

    Bağlantı bir masayı herkese gösterir, hesap gerekmez.
cli-families-short = Bir sunucudaki aile masalarını ve sonuçlarını gösterir.
opt-families-url = Sunucunun adresi.
opt-families-name = Bir aile masasının bağlantısı ya da bağlantının son parçası (varsayılan: masalarınızın listesi).
opt-families-token-file = Kim olduğunuzu söyleyen anahtarınızın bulunduğu dosya.
cli-ladder =
    Bir sunucunun sıralamasını gösterir: bir sezondaki hesapların puanları ve düzeyleri.

    İlk yüz hesap gösterilir; anahtarınızı verirseniz siz de.
cli-ladder-short = Bir sunucunun sıralamasını gösterir.
opt-ladder-url = Sunucunun adresi.
opt-ladder-name = Sezon, örneğin 2026-4 (varsayılan: süren sezon).
opt-ladder-token-file = Kim olduğunuzu söyleyen anahtarınızın bulunduğu dosya.

## Hatalar
error-deal-unfinished = { $number } numaralı el bitmedi. Yalnızca biten eller incelenir.
error-no-deals = Maç dosyasında hiç el yok.
error-review-failed = İnceleme yapılamadı. Yeniden deneyin.
error-review-late = İnceleme çok uzun sürdüğü için durduruldu. Yeniden deneyin.
error-not-to-act = Sıra bu yerde değil, bu yüzden seçim de yok.
error-bad-worlds = { $worlds } dünya olamaz. { $least } ile { $most } arasında seçin.
error-unknown-policy = { $name } adında, oyunu sürdürebilen bir bot yok. Şunlardan birini seçin: { $known }.
error-no-one-named = Bir oyuncu ya da yer (--player ya da --seat, ikisi birden değil) ve en az bir maç dosyası yazın.
error-no-such-player = { $name } adına tek bir yer yok. Adlar: { $known }.
error-mixed-rules = Bu maç dosyalarında birkaç kural seti var, her birinin ölçeği ayrıdır. Tek kural setinin dosyalarını verin.
error-deal-twice = { $number } numaralı el iki kez geçiyor.
error-other-reference = Bu sayılar { $name } ile ölçüldü. Bu programdaki { $known } yeni bir ölçek başlatır.
error-strength-differs = Bu sayı başka çıkıyor: { $path }.
error-no-such-puzzle = { $number } numaralı konum yok.
error-no-puzzles = Böyle bir konum henüz yok. Konuyu ya da kural setini çıkarın.
error-no-such-choice = 1 ile { $count } arasında bir seçim numarası ya da “discard R5” gibi bir hamle yazın.

## Ne yapıldı
review-action = { $verb ->
    [draw] yerden çekmek
    [take] yandan { $tile } almak
    [return] alınan taşı geri bırakmak
    [open] { $points } ile açmak
    [open-pairs] { $points } çiftle açmak
    [meld] { $tiles } indirmek
    [lay] { $tile } işlemek
    [back] taş geri almak
    [announce] “Gösterge bende” demek
    [pass] pas geçmek
    [indicator] göstergeyi almak
    [swap] { $tile } verip okeyi almak
   *[discard] { $tile } atmak
}

## Neden başkası daha iyiydi
review-why-open = Burada { $points } ile açabilirdiniz; gereken { $need }.
review-why-open-pairs = Burada { $points } çiftle açabilirdiniz; gereken { $need }.
review-why-open-other = Başka türlü açmak daha değerliydi: { $other }.
review-why-short = Eksik açma: { $need } gerekiyordu; cezası { $points } puan.
review-why-hold = Beklemek, şimdi açmaktan daha değerliydi.
review-why-fined = { $tile } atmanın cezası { $points } puan.
review-why-back-fined = Burada geri almanın cezası { $points } puan.
review-why-okey-thrown = Her yere uyan taşı, okeyi attınız. Ceza: { $points } puan.
review-why-take-open = Yandaki taşla ({ $tile }) açabilirdiniz: { $points } puan, gereken { $need }.
review-why-take = Yandaki taş ({ $tile }) hemen kullanılabilirdi.
review-why-draw = Yeni bir taş, yandaki taştan ({ $tile }) daha çok şey vaat ediyordu.
review-why-lay = Masaya inebilecek taş: { $other }. Elde kalırsa puanı yazılır.
review-why-keep = Elde, masada olduğundan daha değerliydi: { $tile }.
review-why-feeds = Görünene bakılırsa { $tile }, { $other } taşına göre sonraki oyuncuya ortalama { $points } puan daha çok yarar.
review-why-breaks = { $tile } gidince en iyi dizilişiniz, { $other } gittiğinden { $points } puan daha az eder.
review-why-nearer = Görünmeyen taşlardan { $tile } için { $points }, { $other } için { $need } taş per yapıyordu.
review-why-played-out = Tek bir neden yok: aynı dünyalarda oynanınca daha iyi gitti.

## Gerçek ellere bakınca
review-later-taken = Gerçek ellere bakınca: sonraki oyuncu bu taşı aldı: { $tile }.
review-later-fed = Gerçek ellere bakınca: bu taş ({ $tile }) sonrakine { $points } puan yaradı (± { $reach }).
review-later-loss = Gerçek ellere bakınca: { $points } puan (± { $reach }).

## Sayılar
review-mark-small = küçük
review-mark-large = büyük
review-term-par = bu yerin ortalaması
review-term-deal = dağıtım şansı
review-term-draws = çekiş şansı
review-term-others = diğerlerinin yaptıkları
review-term-skill = kendi oyunu
review-term-residual = hesap hatası
review-term-score = puan
review-score-team = takımın puanı
review-seat = { $player }, yer { $seat }
review-deal = El { $number }/{ $count }
review-match = Maçın tamamı
review-lost = Bulunan en iyisine göre kayıp: { $points } puan (± { $reach }). Büyük: { $large }, küçük: { $small }.
review-by-others = Bot ya da süre tarafından yapılan seçimler: { $count }, hepsi { $all }.
review-line = { $turn }: { $played }: { $loss } puan, ± { $reach } ({ $mark })
review-better = daha iyisi: { $best }
review-none = Hiçbir seçimin bedeli kendi aralığını aşmadı.
review-low-is-good = Puanlar cetveldeki gibidir: az olan iyi, artı olan kötüdür. Kendi oyunu, aynı dünyalarda { $policy } botuna göre ölçülür. Kayıp, bulunan en iyi seçime göre ölçülür. Bütün aralıklar %95, { $worlds } dünya, tohum { $seed }.
review-working = İnceleniyor
review-place = { $place ->
    [1] Kazandınız
   *[other] { $place }. oldunuz
}
review-ahead = { $count ->
    [0] İnceleme birazdan başlıyor.
   *[other] İnceleme sırada: önünüzde { $count } maç var.
}
review-whose = Yer
review-pick = Bedelini görmek için bu yerin bir hamlesini seçin.
review-marked = Belirgin hatalar
review-cost = { $points } puan, ± { $reach }
review-title = İnceleme
review-curve = Beklenen puan
review-curve-about = Her andan sonra beklenen ortalama puan, oturanın o anda gördüklerine göre. Nokta, belirgin bir hatadır.
review-h-terms = Puanlar nereden geliyor
review-h-choices = Seçimler
review-head-turn = hamle
review-head-played = oynanan
review-head-best = bulunan en iyisi
review-head-loss = kayıp
review-head-why = neden
review-written = Yazıldı: { $file }

## Sayfada
review-instead = { $verb ->
    [draw] Yerden çekseydiniz { $points } puan daha iyiydi.
    [take] Yandan { $tile } alsaydınız { $points } puan daha iyiydi.
    [return] Aldığınızı geri bıraksaydınız { $points } puan daha iyiydi.
    [open] { $worth } ile açsaydınız { $points } puan daha iyiydi.
    [open-pairs] { $worth } çiftle açsaydınız { $points } puan daha iyiydi.
    [meld] Önce per indirseydiniz { $points } puan daha iyiydi.
    [lay] Önce { $tile } işleseydiniz { $points } puan daha iyiydi.
    [back] Taşınızı geri alsaydınız { $points } puan daha iyiydi.
    [announce] “Gösterge bende” deseydiniz { $points } puan daha iyiydi.
    [pass] Pas deseydiniz { $points } puan daha iyiydi.
    [indicator] Göstergeyi alsaydınız { $points } puan daha iyiydi.
    [swap] { $tile } verip okeyi alsaydınız { $points } puan daha iyiydi.
    [discard-discard] { $played } yerine { $tile } atsaydınız { $points } puan daha iyiydi.
   *[discard] { $tile } atsaydınız { $points } puan daha iyiydi.
}
review-luck = { $deal ->
    [helped] Dağıtım size { $luck } puan kazandırdı
    [hurt] Dağıtım size { $luck } puana mal oldu
   *[even] Dağıtım size ne yardım etti ne zarar verdi
}, { $play ->
    [lost] oyununuz { $lost } puan kaybettirdi.
   *[even] oyununuz puan kaybettirmedi.
}
review-luck-of = { $name }: { $deal ->
    [helped] dağıtım { $luck } puan kazandırdı
    [hurt] dağıtım { $luck } puana mal oldu
   *[even] dağıtım ne yardım etti ne zarar verdi
}, { $play ->
    [lost] oyunu { $lost } puan kaybettirdi.
   *[even] oyunu puan kaybettirmedi.
}
review-group = { $group }. per
review-better-by = Daha iyisi: { $best }, { $points } puan.
review-worst = En pahalı hatalar
review-more = Diğer hatalar ({ $count })
review-clean = Belirgin bir hata yok.
review-go = Bu konuma git
review-details = Ayrıntı
review-how = Puanlar cetveldeki gibidir: az olan iyidir. Kendi oyunu, aynı elleri oynayan “{ $level }” düzeyindeki bota göre ölçülür. Kayıp, bulunan en iyi seçime göre ölçülür. Oturanın görmediği taşlar { $worlds } ayrı biçimde dağıtılıp denendi. ±, yüz hesaptan 95 tanesinde doğru sonucu içine alan aralıktır.
review-good-way = aşağısı iyi
review-bad-way = yukarısı kötü
review-soon = Yaklaşık { $seconds } saniye kaldı.
review-minutes = Yaklaşık { $minutes } dakika kaldı.
review-try = Sıra sizde. O zaman oynadığınız: { $played }. Daha iyisini oynayın.
review-try-best = Evet, en iyisi bu: oynadığınızdan { $points } puan daha iyi.
review-try-better = Bu, oynadığınızdan { $points } puan daha iyi, ama daha da iyisi var.
review-try-same = O zaman da bunu oynamıştınız. Daha iyisi var.
review-try-worse = Bu, oynadığınızdan { $points } puan daha kötü.
review-try-unknown = Bu hamle incelemede tartılmadı. Başka birini deneyin.
review-show-best = En iyisini göster
review-back = Tekrara dön
review-off = { $why ->
    [numba] Bu sunucuda inceleme ve güç kapalı, çünkü Numba kurulu değil. Sunucuyu işleten şöyle kurar: pip install "okey101[all]"
   *[off] Bu sunucuda inceleme ve güç kapalı: sunucuyu işleten kapatmış.
}

## Gücüm
strength-title = Gücüm, şans hariç: { $player }
strength-figure = { $deals } el sonunda el başına { $points } puan (± { $reach })
strength-like = Aşağı yukarı bu düzeydeki botlar böyle oynar: { page-bot-level }
strength-too-few = Güç için gereken { $least } elin { $deals } tanesi var. Daha azıyla söylenecek bir güç anlam taşımaz.
strength-left-out = Bu yerde bot ya da süre oynadığı için sayılmayan el: { $count }
strength-about = 0, { $reference } gibi oynamaktır. Az puan iyidir: artı, ona göre el başına o kadar puan kaybetmektir. Aralık %95 içindir; { $worlds } dünya, tohum { $seed }.
strength-same = Bütün sayılar aynı çıktı; el: { $deals }

## Ne atarsın?
puzzle-title = Konum { $number } / { $count }: { $theme }
puzzle-theme-discards = taş atmak
puzzle-theme-opening = açmak
puzzle-theme-holding = açmadan beklemek
puzzle-theme-laying = işlemek
puzzle-theme-pairs = çift
puzzle-theme-taking = yandan almak
puzzle-theme-end = destenin sonu
puzzle-theme = Konu
puzzle-any = hepsi
puzzle-heading = Kurallar: { $rules }, gösterge { $indicator }, okey { $okey }, destede { $stock } taş
puzzle-again = Kendi maçınızdan bir konum. Şimdi ne yaparsınız?
puzzle-choices = En iyi hamle hangisi?
puzzle-ask = Seçiminizin numarası:
puzzle-right = Doğru: en iyisi { $best }.
puzzle-wrong = Daha iyisi: { $best }. Sizinki ortalama { $points } puan daha çok kaybettirir (± { $reach }).
puzzle-unweighed = Daha iyisi: { $best }. Sizinki akla yakın seçimler arasında bile değil.
puzzle-shown = En iyisi: { $best }.
puzzle-give = Pes et, göster
puzzle-skip = Atla
puzzle-next = Sonraki konum
puzzle-score = Doğru: { $right } / { $all }
puzzle-rated = Ustalığınız: { $own }. Konumun zorluğu: { $position }.
puzzle-rating = { $rating } ± { $reach }
puzzle-rating-provisional = { $rating } ± { $reach } (daha kesin değil)
puzzle-about = Konu: { $theme }. Her seçimin, en iyisine göre ortalama kaç puan kaybettirdiği (1000 dünyada):

## Günün elleri
daily-title = { $date } elleri: { $state ->
    [open] gece yarısına kadar başlanabilir
    [late] başlamış olan öğleye kadar sürdürebilir
   *[closed] kapandı
}
daily-everybody = Herkes
daily-friends = Arkadaşlar
daily-players = { $count } kişi oynadı; karşılarındaki botlar: { $bots }
daily-promise = { $mixed ->
    [true] Taahhütlü ve karıştırılmış
   *[other] Taahhütlü, karıştırılmamış
}: { $digest }
daily-shared = Yarının ellerine sizden rastgele bir sayı katıldı.
daily-verify = { $date } elleri: { $count ->
    [0] taahhütlü, karıştırılmamış. Bir gün önce kimse katkı vermedi; elleri yalnız sunucu seçti
   *[other] taahhütlü ve bir gün önceki { $count } katkıyla karıştırılmış
}.
daily-verify-promised = { $state ->
    [proved] Açık kayıtta günün tek bir taahhüdü ve her elin mührü var.
   *[other] Açık kayıtta günün taahhüdü ya da bir elin mührü eksik, ya da iki taahhüt var!
}
daily-verify-mixed = { $state ->
    [proved] Katkı listesi, açık kayıtta taahhütten sonra kapatılan listedir.
   *[other] Katkı listesi, açık kayıtta taahhütten sonra kapatılan liste değil!
}
daily-verify-mine = { $state ->
    [proved] Katkınız listede.
    [differs] Katkınız listede yok!
   *[other] Bu güne bir katkınız burada bilinmiyor (nerede olduğunu --token-file söyler).
}
daily-verify-secrets = { $state ->
    [proved] Sırlar mühürleri açıyor.
    [differs] Sırlar mühürleri açmıyor!
   *[other] Sırlar gün kapanınca açılır.
}
daily-verify-deals = { $state ->
    [proved] Eller sırlardan ve katkılardan, söz verilen kurallar ve botlarla çıkıyor.
    [differs] Eller sırlardan, katkılardan ve verilen sözden çıkmıyor!
   *[other] Günün bir maçı gün kapanınca gösterilir.
}
error-day-differs = { $date } elleri söz verilenler değil.
daily-totals = { $begins } – { $ends }, { $days } gün kapandı: toplam, gün, ortalama
daily-streak = { $count } gündür üst üste oynuyorsunuz.
daily-kept = Oyununuz sunucuda saklanıyor.
daily-unkept = Yeniden oynanan elden hiçbir şey saklanmaz.
daily-challenge = Bu bağlantıyı gönderin. Alan herkes üç gün içinde aynı dört eli oynar. Burada oynamak için okey101 daily play komutuna { $name } adını verin.
daily-left = Oyununuz kaldığı yerde bekliyor; aynı komutla sürer.
daily-bot = Bot { $number }

## Maç izleme ekranları
page-no-matches = Henüz bitmiş maçınız yok.
page-show-more = Daha fazla
page-record = Maç dosyasını indir
page-indicator-short = Gösterge
page-position-show = Göster
page-replay-whose = Kimin taşları gösterilsin
page-replay-table = Masa
page-replay-look = Bu el bitti; burada yalnızca izlenir.
page-again = Buradan oyna
page-again-result = O zaman { $then } puan, şimdi { $now }: { $way ->
    [better] { $by } puan daha iyi
    [worse] { $by } puan daha kötü
   *[same] aynı
}.
page-again-apart = Taşlar maçınızdakilerdi, diğerlerini botlar oynadı. Hiçbir yerde sayılmaz.
page-again-more = Yeniden oyna
page-review-marked = Belirgin hata
page-dealt = Taşlar dağıtıldı.
page-first = Başa
page-back = Geri
page-hand-of = Eldeki taşlar: { $tiles }
page-thrown-by = Atılan taşlar: { $tiles }
page-thrown = Attıkları
page-forward = İleri
page-last = Sona
page-run = Oynat
page-pause = Durdur
