# Komut satırı: yardım, komutların yanıtları ve bir komutun neden başarısız olduğu.

## Yardım
help-usage = Kullanım
help-options = Seçenekler
help-arguments = Bağımsız değişkenler
help-commands = Komutlar
help-required = [zorunlu]
help-subcommand = KOMUT [...]
help-some-options = [SEÇENEKLER]
cli-okey101 =
    101 Okey: terminalde maç, kesin çözücü, maç dosyaları ve kurallar.

    Bir komutu tanımak için okey101 KOMUT --help yazın. Çıkış kodları: 0 tamam, 1 başarısız, 2 yanlış kullanım, 3 geçersiz oyun verisi, 4 sunucuya ulaşılamadı, 130 kesildi.
cli-play = Terminalde botlara karşı bir maç başlatır; komutlar satır satır yazılır.
cli-play-short = Terminalde botlara karşı bir maç başlatır.
cli-solve =
    Bir ıstakanın en iyi dizilişini bulur: grup ve seri ya da çift.

    RACK, boşlukla ayrılmış taşlardır. Taş, renk (R kırmızı, Y sarı, B mavi, K siyah) ile sayıdır; F sahte okey, * okey. RACK yerine - yazılırsa girdinin her satırı "B6: R7 R8 ..." biçiminde okunur ve bir satır JSON ile yanıtlanır. RACK tek satırlık bir konum da olabilir: o zaman sıradaki ya da konumu gören oyuncunun ıstakası alınır.
cli-solve-short = Bir ıstakanın en iyi dizilişini bulur.
cli-outs =
    Çekilecek her taşın ıstakada neyi değiştireceğini gösterir.

    RACK yerine - yazılırsa girdinin her satırı "B6: R7 R8 ..." biçiminde okunur ve bir satır JSON ile yanıtlanır. RACK tek satırlık bir konum da olabilir: o zaman sıradaki ya da konumu gören oyuncunun ıstakası alınır.
cli-outs-short = Çekilecek her taşın neyi değiştireceğini gösterir.
cli-replay =
    Bir maç dosyasını denetler; elleri puan cetvelleriyle gösterir.

    FILE yerine - yazılırsa dosya girdiden okunur. FILE tek satırlık bir konum da olabilir: o zaman konum gösterilir.
cli-replay-short = Bir maç dosyasını denetler ve gösterir.
cli-verify =
    Maç dosyalarındaki ellerin adil dağıtılıp dağıtılmadığını denetler: gizli değerler, tohumlar, taşlar.

    Bir notun (--commitment ya da --mine) hangi ele ait olduğu, 1 ile başlayan el numarasıyla yazılabilir; yazılmazsa herhangi bir ele ait olabilir. FILE yerine - yazılırsa dosya girdiden okunur. Atılan turlar bütün dosyalarda birlikte sayılır. Çıkış kodları: 0 doğrulandı, 1 doğrulanacak bir şey yok ya da hepsi doğrulanamadı, 3 uymayan bir şey var, 4 sunucu yok (--log).
cli-verify-short = Ellerin adil dağıtılıp dağıtılmadığını denetler.
cli-rules =
    Bir kural setinin kurallarını sayılarıyla yazar.

    NAME altinstar (varsayılan), pagat ya da wiki olabilir. --json ile kural setini ve farklarını verir.
cli-rules-short = Bir kural setinin kurallarını yazar.
cli-bots = Karşısında oynayabileceğiniz botları sıralar.
cli-bots-short = Karşısında oynayabileceğiniz botları sıralar.
cli-bench = Çözücünün ve oyunun bu makinede ne kadar hızlı olduğunu ölçer.
cli-bench-short = Bu makinedeki hızı ölçer.
cli-doctor = okey101 için gereken her şeyin yerinde ve sağlam olduğunu denetler.
cli-doctor-short = Her şeyin yerinde ve sağlam olduğunu denetler.
cli-warm =
    Çekirdeği (sim eki) bu makinede bir kez derler.

    İncelemeler, search ve champion botları ve --compiled ile çalışan her şey çekirdeği kullanır. İlk kullanım onu derler; bu yaklaşık bir dakika sürer. Bu komuttan sonra hepsi hemen başlar.
cli-warm-short = Çekirdeği önceden derler.
warm-compiling = Çekirdek derleniyor. Bu, bir makinede bir kez yapılır ve yaklaşık bir dakika sürer…
warm-done = { $what ->
    [now] { $seconds } saniyede derlendi. Yeri: { $folder }
    [before] Daha önce derlenmiş. Yeri: { $folder }
   *[nowhere] { $seconds } saniyede derlendi ama kaydedilemiyor: NUMBA_CACHE_DIR ile yazabileceğiniz bir klasör gösterin.
}
cli-version = Sürümü yazar.
cli-version-short = Sürümü yazar.
opt-help = Bu metni gösterir ve çıkar.
opt-lang = Dil: tr ya da en. Verilmezse ortam belirler (OKEY101_LANG, LC_ALL, LC_MESSAGES, LANG).
opt-json = Çıktıya tek bir JSON nesnesi yazar.
opt-as-json = { opt-json }
opt-version = Sürümü yazar ve çıkar.
opt-show-completion = Komutları ve seçenekleri tamamlayan betiği yazar: bash, zsh, fish ya da powershell.
opt-rack = Istaka ya da girdi için -.
opt-okey = Okey: rengi ve sayısı ya da riziko elinde F.
opt-aim = Aranan: en çok puan (varsayılan), en çok taş, elde en az puan ya da en çok çift.
opt-must = Dizilişte kullanılması gereken taş.
opt-best = En iyi K dizilişi gösterir.
opt-every = Katkısı olmayan taşları da sıralar.
opt-file = Maç dosyası ya da girdi için -.
opt-files = Maç dosyaları ya da girdi için -.
opt-until = N hamleden sonra durur.
opt-commitment = Elden önce not ettiğiniz taahhüt, 64 onaltılık basamak; yinelenebilir.
opt-mine = Sizin katkınız, 32 ile 64 arası onaltılık basamak; yinelenebilir.
opt-verify-bots = Botların seçimlerini, süre dolunca ve yedek olarak oynananları, o yerde oturanın gördükleriyle yeniden yaptırır.
opt-verify-strict = Kanıtlanamayan bir şey varsa başarısız olur: notlarınız da, botların seçimleri de (dış botlar yeniden oynatılamaz).
opt-verify-log = Maçları URL adresindeki sunucunun açık kaydında da arar ve kaydın önceden gösterdiklerini koruyup korumadığını denetler (audit gibi).
opt-rules-name = Kural seti.
opt-rules = Kural seti: altinstar (varsayılan), pagat ya da wiki.
opt-settings = Kural setinin bir alanını değiştirir, örneğin open_points=91 ya da rising=true; yinelenebilir.
opt-deals = Maçtaki puanlı el sayısı (varsayılan 3).
opt-players = Oyuncu sayısı, 2 ile 4 arası.
opt-teams = Eşli oyun: siz ve karşınızdaki, diğer iki oyuncuya karşı.
opt-bots = Botlar: hepsi için bir tane ya da sağınızdan başlayarak her yer için bir tane (varsayılan steady). Adlarını, kendi botlarınız için module:Class ya da exec:KOMUT yazın.
opt-seed = Taşları ve botları belirleyen: 64 onaltılık basamak ya da herhangi bir metin (SHA-256 özeti kullanılır).
opt-record = Maçın kaydedileceği dosya.
opt-resume = Dosyadaki maçı sürdürür ya da yenisini başlatır. İkisi de verilmezse sorulur.
opt-name = Adınız.
opt-seconds = Her ölçümün kaç saniye süreceği (varsayılan 2).

## Başarısızlıklar
failure = okey101: { $message }
failure-at = { $place }: { $message }
failure-at-action = { $deal }. el, { $action }. hamle ({ $text })
failure-at-line = { $line }. satır, { $column }. sütun
failure-hint = Yardım: { $command } --help
failure-token = Kim olduğunuzu --token-file DOSYA gösterir. Böyle bir dosyayı okey101 daily play oluşturur.
error-interrupted = Kesildi.
error-internal-error = Bu, okey101 programının bir hatası: { $what }. Lütfen projeye bildirin; bildirime eklenecek ayrıntılar için ortamda OKEY101_DEBUG=1 ayarlayın.
error-missing-extra = Bunun için { $extra } eki gerekir: pip install "okey101[{ $extra }]"
error-usage = Bu komut okunamadı. { $reason }
error-no-command = Komut eksik.
error-no-such-option = { $option } diye bir seçenek yok.
error-no-such-command = { $command } diye bir komut yok.
error-missing-parameter = { $parameter } eksik.
error-bad-parameter = { $wanted ->
    [range] { $parameter } { $low } ile { $high } arasında bir sayı olmalıdır.
    [least] { $parameter } en az { $low } olan bir sayı olmalıdır.
    [folder] { $parameter } bir klasörün yolu olmalıdır.
   *[number] { $parameter } bir sayı olmalıdır.
}
error-bad-choice = { $parameter } şunlardan biri olmalıdır: { $choices }.
error-missing-value = { $option } seçeneğine bir değer verin.
error-bad-option = { $option } seçeneği böyle kullanılmaz.
error-extra-argument = { $argument } fazladan yazılmış.
error-missing-okey = Okeyi --okey ile yazın, örneğin --okey B6.
error-bad-okey = Okeyi rengi ve sayısıyla yazın, örneğin B6; riziko elinde F.
error-one-okey-in-riziko = Riziko elinde yalnızca bir okey vardır.
error-bad-line = Satıra okeyi, iki nokta ve ıstakayı yazın, örneğin B6: R7 R8 R9.
error-line-too-long = Satır çok uzun. Her satıra bir ıstaka yazın.
error-must-not-in-rack = { $tile } ıstakada yok, bu yüzden hiçbir dizilişte kullanılamaz.
error-no-arrangement = Hiçbir dizilişte { $tile } kullanılamıyor.
error-bad-setting = Alanı ve değerini, aralarında = ile yazın, örneğin open_points=91.
error-bots-for-seats = Bütün yerler için bir bot ya da { $wanted } yerin her birine bir bot verin; { $got } bot verdiniz.
error-bad-bots = { $wanted } bot verin; { $got } tane verdiniz.
error-unknown-bot = { $name } adında bir bot yok. Şunlardan birini seçin: { $known }.
error-bad-note = { $option } için onaltılık basamaklar yazın. Önlerine 1 ile başlayan el numarası ve iki nokta koyabilirsiniz.
error-rounds-thrown = Rastlantıyla olabilecekten çok tur atılmış: biri taşları yeniden karıştırtmış.
error-not-all-proved = --strict ile her şeyin kanıtlanması gerekir; şu denetimler (el: denetim) bir şey kanıtlamıyor: { $checks }.
error-one-record = --commitment ile --mine tek bir maç dosyasına aittir. Yalnızca bir FILE verin.
error-nothing-to-verify = Doğrulanacak bir şey yok: hiçbir elde taahhüt ile gizli değeri birlikte yok.
error-not-all-verified = Bitmiş { $count } el doğrulanamıyor: taahhüdü, gizli değeri ya da önceki el eksik.
error-file-not-found = { $file } diye bir dosya yok.
error-folder-not-found = { $folder } diye bir klasör yok.
error-file-is-folder = { $file } bir klasör; dosya gerekir.
error-folder-is-file = { $file } bir dosya; klasör gerekir.
error-no-token = { $path } dosyasında anahtar yok.
error-file-forbidden = { $file } dosyasını okuma ya da yazma izniniz yok.
error-file-failed = { $file }: { $reason }

## Yanıtlar: solve ve outs
solve-melds = { $groups } perde { $tiles } taşla { $points } puan
solve-pairs = { $groups } çift
solve-nothing = Hiçbir per yok.
solve-left = elde kalan ({ $points }): { $tiles }
solve-none-left = elde taş kalmıyor
outs-now = { $aim ->
    [points] şimdi { $value } puan
    [tiles] şimdi perlerde { $value } taş
    [left] şimdi elde { $value } puan
   *[pairs] şimdi { $value } çift
}
outs-none = Hiçbir taş işe yaramaz.
outs-count = { $count } taş işe yarar

## Yanıtlar: replay
replay-rules = Kuralların { $version }. sürümüyle oynandı.
replay-deal = { $number }. el, toplam { $count } el
replay-seat = { $seat } numaralı yer
replay-name = { $name } ({ $seat })
replay-draw = { $player } çekti: { $tile }.
replay-unfinished = El bitmemiş.
replay-totals = Toplam
## Yanıtlar: verify
verify-alone = Bu elden önce bir taahhüt verilmemiş. Sunucudaki maçlarda taahhüt bulunur, okey101 play maçlarında bulunmaz.
verify-noted = { $state ->
    [proved] Taahhüt, not ettiğinizin aynısı.
    [differs] Taahhüt, not ettiğinizden farklı.
   *[unknown] Gizli değerin elden önce seçildiğini maç dosyası tek başına gösteremez: not ettiğiniz taahhüdü --commitment ile yazın.
}
verify-secret = { $state ->
    [proved] Gizli değer taahhüde uyuyor.
    [differs] Gizli değer taahhüde uymuyor.
   *[unknown] Taahhüt ya da gizli değeri eksik.
}
verify-context = { $state ->
    [proved] Masa, maç ve el numarası önceki elin devamı.
    [differs] Masa, maç ve el numarası önceki elin devamı değil.
   *[unknown] Bundan önceki hiçbir elde taahhüt yok.
}
verify-terms = { $state ->
    [proved] Kurallar ile el sayısı, herkese gösterilenlerle aynı.
    [differs] Kurallar ya da el sayısı, herkese gösterilenlerden farklı.
   *[unknown] Bu dosya, kurallar ile el sayısının herkese gösterilenlerle aynı olup olmadığını göstermiyor.
}
verify-mine = { $state ->
    [proved] Katkınız yerlerin katkıları arasında (yer { $seats }).
    [differs] Katkınız eksik.
   *[unknown] Katkınızın kullanıldığını denetlemek için onu --mine ile yazın.
}
verify-shares = { $state ->
    [proved] Tohuma { $count } yer katkıda bulundu.
   *[unknown] Hiçbir yer katkıda bulunmadı: taşları dağıtan program, gizli değeri dilediği gibi seçmiş olabilir.
}
verify-shown = { $state ->
    [proved] Tutanak, not ettiğinizin aynısı: size gösterilen taahhütlerin hepsi bunlardı.
   *[unknown] Size bütün yerlerin aynı taahhütlerinin gösterildiğini denetlemek için not ettiğiniz tutanağı --commitment ile yazın.
}
verify-opened = { $state ->
    [proved] Her katkı, yerinin taahhüdüne uyuyor.
    [differs] Bir katkı, yerinin taahhüdüne uymuyor.
   *[unknown] Dosyada katkı yok; bu yüzden hiçbiri bilinmeden seçildiklerini gösteremez.
}
verify-silent = { $state ->
    [proved] Hiçbir bot katkıda bulunmadı.
    [differs] Bir bot katkıda bulunmuş: taşları dağıtan program, taşları seçmiş olabilir.
   *[unknown] Bu dosya, botların katkıda bulunup bulunmadığını göstermiyor.
}
verify-rounds = { $state ->
    [proved] { $rounds ->
        [0] El ilk turdan dağıtıldı.
       *[other] Ondan önce { $rounds } tur yarıda kaldı: { $reasons }.
    }
    [differs] Yarıda kalan bir tur dosyada yok, taahhüdüne uymuyor ya da dağıtılmaması için bir neden yok.
   *[unknown] Bu dosya, elden önce yarıda kalan tur olup olmadığını göstermiyor.
}
verify-seed = { $state ->
    [proved] Tohum, gizli değer ile katkılardan çıkıyor.
    [differs] Tohum, gizli değer ile katkılardan çıkmıyor.
   *[unknown] Bu dosya, tohumun nereden geldiğini göstermiyor.
}
verify-dealer = { $state ->
    [proved] Dağıtıcı doğru oyuncu.
    [differs] Dağıtıcı yanlış oyuncu.
   *[unknown] Bu dosya, dağıtıcının doğru oyuncu olup olmadığını göstermiyor.
}
verify-tiles = { $state ->
    [proved] Eller, deste, gösterge ve zarlar tohumunkilerle aynı.
    [differs] Taşlar tohumunkilerden farklı.
   *[unknown] Dosyada taşları karşılaştıracak bir tohum yok.
}
verify-bots = { $state ->
    [proved] { $count ->
        [0] Bot, süre ya da yedek hamle oynamadı.
       *[other] Bir kişinin seçmediği { $count } hamlenin hepsi, o yerde oturanın gördüklerinden çıkıyor.
    }
    [differs] Botların bazı hamleleri, o yerde oturanın gördüklerinden çıkmıyor.
   *[unknown] Botların, yerlerinde oturanın gördüğünden fazlasını görüp görmediği her hamlede anlaşılmıyor.
}
verify-bots-actors = Maç dosyasında hamleleri kimin oynadığı yazmıyor.
verify-bots-secret = Botların seçimlerinin dayandığı gizli değer açıklanmamış.
verify-bots-version = Oynayan botların sürümü, elden önce oturanlarınkinden farklı: { $bots }.
verify-bots-bot = Bu programda şu botlar bu sürümleriyle yok: { $bots }.
verify-bots-external = Yeniden oynatılamadığı için denetlenmedi: { $bots }.
verify-bots-fallback = Süre dolunca ve yedek olarak oynanan, bu programda başka bir sürümdedir.
verify-bots-fallbacks = { $count } hamle yedek; bot bir hamle seçemediği için oynandı.
verify-bots-needless = { $count } yedek hamlede bot, yeniden sorulunca bir hamle seçiyor: masayı işleten ikisinden birini seçmiş olabilir.
verify-bots-more = ve { $count } tane daha
verify-bots-now = Botlar yeniden oynatılıyor
verify-tiles-before = Ondan da önce, bu elin taşları tohumunkilerden farklı. { $message }
verify-thrown = { $state ->
    [proved] Toplam tur: { $rounds }. Açılmayan bir katkı yüzünden atılan: { $unopened }. Sunucunun dosyaları geri konduğu ya da sonu kaybolduğu için atılan: { $put_back }.
   *[unknown] Toplam tur: { $rounds }. Açılmayan bir katkı yüzünden atılan: { $unopened }. Sunucunun dosyaları geri konduğu ya da sonu kaybolduğu için atılan: { $put_back }. Rastlantıyla bu kadar olmaz.
}
verify-good = { $count ->
    [one] El taahhüdüne uyuyor, dosya baştan sona oynanabiliyor.
   *[other] Eller taahhütlerine uyuyor, dosya baştan sona oynanabiliyor.
}

## Yanıtlar: bench
bench-solver = çözücü, { $okeys } okeyli ıstakalar
bench-random = rastgele geçerli oyun
bench-bots = dört { $bot } botu
bench-median = ortanca { $median_us } µs; yüz ölçümden 99 tanesi en çok { $p99_us } µs ({ $racks } ıstaka)
bench-decisions = saniyede { $decisions_per_second } karar
bench-deals = saniyede { $deals_per_second } el
bench-running = ölçülüyor: { $what } ...

## Yanıtlar: doctor
doctor-python = Python
doctor-tables = çözücünün tabloları
doctor-answers = çözücünün yanıtları
doctor-catalogues = sözlükler
doctor-schema = maç dosyası şeması
doctor-state = durum klasörü
doctor-terminal = terminal
doctor-good = tamam
doctor-bad = BOZUK
doctor-all-good = Her şey yerinde.
doctor-count = { $count } sorun var.
error-not-sound = okey101 sağlam değil: { $checks }.

## Yanıtlar: bots
bots-strength = Üç greedy’ye karşı el başına puan, greedy’nin aynı yerdeki puanına göre: az olan iyidir ({ $preset }, %95 aralık; docs/en/strength.md).
bot-random = Kurallara uyan hamlelerden birini rastgele seçer.
bot-novice = Açabildiği anda açar, taşlarını tek tek indirir, perde olmayan en büyük taşı atar. Ne çevresine ne ileriye bakar.
bot-greedy = Açabildiği anda açar, işleyebildiği her taşı işler, cezası olmayan en büyük işe yaramaz taşı atar.
bot-steady = Per ile çift arasında tartarak seçer, işine yarayacak taşları sayar, yarım perleri tutar, sonraki oyuncuya yarayacak taşı atmaz.
bot-master = Her atışı, sonraki çekişlerin getirebileceğine göre tartar; ağırlıkları çok sayıda elde ayarlanmıştır.
bot-neural = Hangi atışın ya da indirişin en ucuza geleceğini, atılanı alıp almamayı küçük ağlara sorar. Ağlar, champion botunun düşündükleriyle eğitilmiştir.
bot-search = Seçeneklerini, gördüklerine uyan yüzlerce taş dağılımında sonuna kadar oynayıp dener. Arena içindir; sim eki gerekir.
bot-champion = Seçeneklerini, gördüklerine uyan yüzlerce taş dağılımında dener, elin sonunu ağlara sorar. sim eki gerekir.
