# Arena, veri ve başkalarının botları.

## Başkalarının botları
error-bot-unloadable = { $name } botu yüklenemiyor. { $reason }
error-bot-not-named = Bu dosyada { $name } botu oynuyor. Kodunun burada çalışmasına izin veriyorsanız botu --bots ile yazın.
bot-installed = { $package } paketiyle gelir.

## Yardım: arena
cli-arena =
    Botları aynı ellerde karşılaştırır.

    İki bot verilirse ilki sırayla her yerde ikincisine karşı sınanır. Yer sayısı kadar bot verilirse bütün oturma sıraları denenir. --league ile her bot diğerlerinin hepsine karşı sınanır. Bot bir ad, module:Class ya da exec:KOMUT olabilir.
cli-arena-short = Botları aynı ellerde karşılaştırır.
opt-arena-bots = Botlar, önce sınanan.
opt-arena-deals = Kaç el (varsayılan 100).
opt-arena-seed = Ellerin tohumu: 0 ve sonrası geliştirme, 1000000 ve sonrası kapı, 2000000 ve sonrası yayın için.
opt-arena-workers = Kaç sürecin oynayacağı (varsayılan 1). Sayılar hep aynıdır.
opt-arena-league = Her bot diğerlerinin hepsine karşı sınanır.
opt-arena-gate = Sınananın daha iyi olup olmadığı kesinleşince durur. Daha iyi değilse çıkış kodu 1 olur.
opt-arena-oracle = Bütün taşları gören oracle-1 de her referans bota karşı sınanır. Bu, botun greedy ile olabilecek en iyisi arasında ne kadar yol aldığını gösterir.
opt-arena-aivat = Çekilen taşların şansından arındırılmış farkı da gösterir; böylece daha az el yeter (sim eki gerekir).
opt-arena-compiled = Botlarını tanıdığı masaları derlenmiş çekirdek (sim eki) oynar. Sayılar aynıdır, süre kısalır.
opt-arena-release = Yayımlanacak sayıları, botun her sürümü için bir kez, bu klasörde bir dosyaya yazar.
opt-arena-limit = Her seçim için süre, milisaniye (varsayılan 5000).
opt-arena-html = Raporu çizimleriyle bu dosyaya yazar.
opt-arena-resume = Oynananları bu dosyada saklar ve oradan sürdürür.

opt-arena-ray = Bu adresteki Ray kümesinde oynar (ray eki). Sayılar hep aynıdır.
error-ray-unreachable = { $address } adresinde Ray kümesi yok.

## Yanıtlar: arena
arena-playing = Oynanıyor
progress-left = { $done } / { $total } bitti, kalan yaklaşık { $minutes } dk
arena-resumed = Daha önce { $deals } el oynanmış.
arena-stopped = { $deals } elden { $done } tanesi oynandıktan sonra durduruldu. { $kept ->
    [yes] Oynananlar saklandı; sürdürmek için:
   *[no] Oynananlar saklanmadı: --resume DOSYA ile saklanır.
}
arena-title = Arena: { $bots }
arena-rules = { $preset }{ $changed ->
    [0] { "" }
   *[other] , { $changed } değişiklikle
}
arena-head = { $kind ->
    [duel] Sınanan ve referans bot
    [league] Lig
   *[seatings] Bütün oturma sıraları
}, { $rules }: { $deals } el, { $tables } masa (tohum { $seed }, { $purpose ->
    [gate] kapı
    [release] yayın
   *[development] geliştirme
})
arena-col-score = puan
arena-col-compared = kıyas
arena-col-difference = fark
arena-col-interval = %95 aralık
arena-col-bootstrap = bootstrap
arena-col-same = aynı (%)
arena-col-worst-place = en kötü yer
arena-col-share = kâhine yol (%)
arena-col-aivat = şans hariç fark
arena-col-saved = tasarruf edilen el (%)
arena-col-finished = bitti (%)
arena-col-opened = açtı (%)
arena-col-turn = tur
arena-col-fines = ceza/100
arena-col-ends = bitti / deste bitti / çift / sayılmaz (%)
arena-col-choices = seçim
arena-col-illegal = geçersiz
arena-col-crashed = çöktü
arena-col-late = geç
arena-col-endless = bitmeyen
arena-col-ms = ms/seçim
arena-col-overrun = aşım ms
arena-worst = { $bot } en kötü { $anchor } karşısında: { $difference }
arena-low-is-good = { $kind ->
    [seatings] El başına puan; düşük olan iyidir. Sıfırın altındaki fark masanın ortalamasından iyidir.
   *[other] El başına puan; düşük olan iyidir. Sıfırın altındaki fark: sınanan, aynı elin aynı yerinde referans bottan iyidir.
}
arena-command = Yeniden: { $command }
arena-gate = { $verdict ->
    [better] Sınanan daha iyi: geçti
    [no-better] Sınanan daha iyi değil: geçmedi
   *[undecided] Henüz kesin değil: geçmedi
} ({ $deals } el sonra, oranın logaritması { $ratio })
arena-gate-not-passed = Kapı geçilmedi.
arena-h-matrix = Tablo
arena-h-differences = Farklar
arena-d-differences = El başına puan ve %95 aralıkları, ellere göre kümelenmiş.
arena-h-deals = Ellere göre
arena-d-deals = Hangi farkta kaç el var.
arena-h-seats = Yerler
arena-d-seats = Oyun sırasındaki yere göre fark; önce başlayan.
arena-h-opened-melds = Perle açanlar
arena-d-opened-melds = 100 yerden kaçı, kendi kaçıncı turunda açıyor.
arena-h-opened-pairs = Çiftle açanlar
arena-d-opened-pairs = 100 yerden kaçı, kendi kaçıncı turunda açıyor.
arena-h-ends = Bitişler
arena-d-ends = 100 masadan kaçı nasıl bitiyor.
arena-end-finish = biri bitti
arena-end-stock = deste bitti
arena-end-all-pairs = herkes çift
arena-end-void = sayılmaz
arena-h-fines = Cezalar
arena-d-fines = 100 yerde kurala göre cezalar.
arena-h-numbers = Bütün sayılar
arena-h-manifest = Nasıl yapıldı
arena-manifest = Komut, özetler ve makine
error-arena-bots = İki bot, { $players } yerin her birine bir bot ya da --league verin; { $got } bot verdiniz.
error-arena-workers = Arenanın süreçleri sürekli kapanıyor. --workers ile daha azını deneyin.
error-arena-file-other = { $file } başka bir arenaya ait. Farklı olanlar: { $what }.
error-arena-file-damaged = { $file } dosyasının { $line }. satırı bozuk.
error-arena-file-busy = { $file } başka bir süreçte açık. Bitmesini bekleyin ya da başka bir dosya seçin.
error-seed-range = Bunun için tohumlar { $low } ile { $high } arasındadır ({ $purpose ->
    [gate] kapı
    [release] yayın
   *[development] geliştirme
}).
error-release-fixed = Yayın { $deals } eldir ve kapı değildir. --deals ve --gate yazmayın.
error-release-made = { $file } zaten var. Yayımlanan sayılar botun her sürümü için bir kez yapılır.
error-gate-duel = Kapı iki botu karşılaştırır. Tam iki bot verin.

## Yardım ve yanıtlar: bots check
cli-bots-check =
    Bir botun, botlardan istenenlere uyup uymadığını denetler.

    BOT bir ad, module:Class ya da exec:KOMUT olabilir. Bot, her kural setinden birkaç el oynar. Geçersiz, geç ve eksik yanıtlar kusur sayılır.
cli-bots-check-short = Kendi botunuzu denetler.
opt-bots-check-bot = Bot: bir ad, module:Class ya da exec:KOMUT.
opt-bots-check-deals = Her kural setinden kaç el (varsayılan 3).
opt-bots-check-limit = Her seçim için süre, milisaniye (varsayılan 5000).
bots-check-head = { $name }, sürüm { $version }: { $tables } masada { $choices } seçim
bots-check-illegal = geçersiz yanıt: { $count }
bots-check-crashed = çöktü ya da sona erdi: { $count }
bots-check-late = geç yanıt: { $count }
bots-check-endless = çok uzun süren tur: { $count }
bots-check-again = yeniden sorulunca başka yanıt: { $of } seçimden { $count } tanesi
bots-check-times = seçim başına { $mean } ms, en yavaşı { $slowest } ms
bots-check-reason = ilk kusur: { $reason }
error-bot-not-conforming = { $name } botlardan istenenlere uymuyor.

## Yardım ve yanıtlar: simulate ve stats
cli-simulate =
    Botların ellerini veri olarak yazar: her satırı JSON biçiminde bir maç dosyasıdır.

    Bütün yerler için bir bot ya da her yer için bir bot verin; botlar elden ele yer değiştirir. Biçimi dosyanın adı belirler: .jsonl, .jsonl.gz, .jsonl.xz ya da data ekiyle .parquet. Yanına, sağlamasıyla bir özet yazılır.
cli-simulate-short = Botların ellerini veri olarak yazar.
opt-simulate-bots = Botlar; hepsi için bir tane ya da her yer için bir tane.
opt-simulate-deals = Kaç el (varsayılan 100).
opt-simulate-out = Yazılacak dosya.
opt-simulate-transitions = Her kararı da öğrenme için bir satır olarak bu Parquet dosyasına yazar (data ve envs ekleri).
opt-simulate-seed = Ellerin tohumu, 0 (varsayılan) ile 999999 arasında.
opt-simulate-workers = Kaç sürecin oynayacağı (varsayılan 1). Dosya hep aynıdır.
opt-simulate-compiled = Botlarını tanıdığı elleri derlenmiş çekirdek (sim eki) oynar. Dosya aynıdır, süre kısalır.
opt-simulate-limit = Her seçim için süre, milisaniye (varsayılan 5000).
cli-stats = Bir veri dosyasının içindekileri gösterir ve özetiyle karşılaştırır.
cli-stats-short = Bir veri dosyasının içindekileri gösterir.
opt-stats-file = okey101 simulate komutunun yazdığı bir dosya.
data-reading = Okunuyor
data-stopped = Durduruldu. Dosya yazılmadı.
data-transitions = Yazıldı: { $file }, her karar bir satır
data-written = Yazıldı: { $file }, yanında { $summary }
data-head = { $deals } el, { $actions } hamle
data-bot = { $bot }: { $seats } yer, el başına { $mean } puan (sapma { $sd }), kazandığı { $won }, varsayılan hamle { $defaults }, cezalar { $fines }
error-data-format = Dosyanın adı bunlardan biriyle bitmelidir: { $known }.
error-same-file = { $file } iki kez verilmiş. İki dosya yazılır: ikincisi için başka bir ad verin.
error-data-line = { $line }. satır, bitmiş bir elin maç dosyası değil.
error-data-damaged = Dosya { $deals } elden sonra bozuk.
error-data-differs = Dosyanın içindekiler { $file } özetine uymuyor.

## Yardım: evaluate
cli-evaluate =
    Bir botu değişmez deneme ellerinde oynatır.

    Botla birlikte aynı türden üç rakip oturur; bot her elde sırayla bütün yerlere geçer. Dört tür rakip ve üç kural seti on iki satır eder. Her satırda botun, yerinde öyle bir rakip otursaydı yazılacak puana göre el başına farkı vardır. Düşük olan iyidir.
cli-evaluate-short = Bir botu değişmez deneme ellerinde oynatır.
opt-evaluate-bot = Bot: bir ad, module:Class ya da exec:KOMUT.
opt-evaluate-deals = Satır başına kaç el. Verilmezse denemenin tamamı (500) oynanır; verilirse sonuç bir ön denemedir.
opt-evaluate-workers = Kaç sürecin oynayacağı (varsayılan 1). Sayılar hep aynıdır.
opt-evaluate-compiled = Botlarını tanıdığı masaları derlenmiş çekirdek (sim eki) oynar. Sayılar aynıdır, süre kısalır.
opt-evaluate-limit = Her seçim için süre, milisaniye (varsayılan 5000).
opt-evaluate-resume = Oynananları bu klasörde saklar ve oradan sürdürür.
opt-evaluate-out = Sonucu JSON olarak bu dosyaya yazar.

## Yanıtlar: evaluate
evaluate-head = { $suite }: { $bot }, satır başına { $deals } el{ $complete ->
    [yes] { "" }
   *[no] { " " }(ön deneme; tamamı daha çok el)
}
evaluate-mean = ortalama
evaluate-all = Bütün satırlar: el başına { $mean } puan, { $faults ->
    [0] kusur yok.
   *[other] { $faults } kusur.
}
