# Sunucuyu işletenler için komutlar.

## Yardım
cli-admin =
    Sunucuyu yönetir: masalarını, kişilerini, dosyalarını.

    Klasördeki sunucu (--data) ya da --url adresindeki sunucu kullanılır; ikincisi için anahtarın dosyası --token-file ile verilir. Çıkış kodu 4, sunucuya ulaşılamadığını gösterir.
cli-admin-short = Sunucuyu yönetir.
cli-admin-status = Sunucunun durumunu ve yükünü söyler.
cli-admin-status-short = Sunucunun durumunu söyler.
cli-admin-tables = Masaları ve oturanları sıralar. Yerler 0 ile başlar; botlar ayraç içindedir.
cli-admin-tables-short = Masaları sıralar.
cli-admin-close = Bir masayı bütünüyle kapatır. Bağlantıları da kapanır.
cli-admin-close-short = Bir masayı kapatır.
cli-admin-kick = Bir kişiyi yerinden kaldırır. Süren maçta yerine bir bot oynar.
cli-admin-kick-short = Bir kişiyi yerinden kaldırır.
cli-admin-users = Kişileri, son görülenden başlayarak sıralar. SEARCH verilirse yalnızca adında o geçenleri ya da kimliği o olanı gösterir.
cli-admin-users-short = Kişileri sıralar.
cli-admin-ban =
    Bir kişinin girişini yasaklar. Bağlantıları kapanır, yerlerinde botlar oynar.

    PERSON bir kimlik ya da addır. Bitişi verilmezse yasak süresizdir.
cli-admin-ban-short = Bir kişinin girişini yasaklar.
cli-admin-unban = Bir kişinin yasağını kaldırır.
cli-admin-unban-short = Bir kişinin yasağını kaldırır.
cli-admin-mute = Bir kişinin masalardaki mesajlarını --days süresince ya da unmute verilene kadar herkesten gizler. Gözetmenler de yapabilir.
cli-admin-mute-short = Bir kişinin mesajlarını herkesten gizler.
cli-admin-unmute = Bir kişinin mesajlarını yeniden herkese gösterir.
cli-admin-unmute-short = Bir kişinin mesajlarını yeniden gösterir.
cli-admin-settle = Bir kişiyle ilgili şimdiye kadarki bildirimlere bakıldığını belirtir. Yeni bir bildirim yine bekler. Gözetmenler de yapabilir.
cli-admin-settle-short = Bir kişiyle ilgili bildirimlere bakıldığını belirtir.
cli-admin-appoint =
    Bir hesabı gözetmen yapar ve ona bir anahtar yazdırır.

    Gözetmen --url ile anahtarın dosyasını (--token-file) verir. Bunlarla yalnızca tables, kick, users, reports, mute, unmute ve settle çalışır. Yaptığı her şey, yönetici kaydında kendi kimliğiyle durur. Anahtarı olan, o kişi olarak oynayabilir de. Yeni bir atama önceki anahtarı iptal eder.
cli-admin-appoint-short = Bir hesabı gözetmen yapar.
cli-admin-dismiss = Bir gözetmenin yetkisini ve anahtarını iptal eder. Hesap kalır.
cli-admin-dismiss-short = Bir gözetmenin yetkisini iptal eder.
cli-admin-reset-password =
    Unutulan parolayı iptal eder, yerine bir kod yazdırır.

    PERSON bir kimlik ya da addır. Kişi, adı ve bu kodla giriş yapar, sonra yeni bir parola seçmesi gerekir. Kod bir kez ve yedi gün geçerlidir. Kişinin bütün oturumları hemen kapanır. --yes verilmezse yalnızca ne olacağı söylenir. Sunucu çalışmıyorken de olur.
cli-admin-reset-password-short = Unutulan parolanın yerine kod verir.
cli-admin-export =
    Bir kişi hakkında saklanan her şeyi, yalnızca sizin okuyabileceğiniz bir dosyaya yazar.

    PERSON bir kimlik ya da addır. Dosya JSON biçimindedir; kişinin hesap sayfasından indirebildiklerini içerir. Var olan bir dosyanın üzerine yazılmaz. Sunucu çalışmıyorken de olur.
cli-admin-export-short = Bir kişi hakkında saklanan her şeyi dosyaya yazar.
cli-admin-erase =
    Bir kişiyi, kendisinin hesap sayfasından silebileceği gibi siler.

    PERSON bir kimlik ya da addır. Ad, parola, oturumlar, ayarlar ve botlar silinir; maçlarda adsız bir yer kalır. Daha eski bir yedek geri konursa kişi yeniden silinir. --yes verilmezse yalnızca ne olacağı söylenir. Sunucu çalışmıyorken de olur.
cli-admin-erase-short = Bir kişiyi siler.
cli-admin-backup =
    Oyun sürerken her şeyi yeni bir klasöre kopyalar.

    Var olan bir dosyanın üzerine yazılmaz. Sunucu çalışmıyorken de olur. --url ile klasör, sunucunun makinesindedir.
cli-admin-backup-short = Oyun sürerken her şeyi kopyalar.
cli-admin-restore =
    Bir yedeği, durmuş bir sunucunun klasörüne geri koyar.

    SOURCE, yedeğin klasörüdür. Eski dosyalar sunucunun klasöründe, before-restore-… altında saklanır. Yeni dosyaların sahibi ve izinleri ayarlanır. Yedekten sonra oyun sürmüş olabilirse oynanan eller yeniden dağıtılır ve oyunculara söylenir.
cli-admin-restore-short = Bir yedeği geri koyar.
cli-admin-check = Sunucunun verilerini denetler: dosyayı, satırların sırasını ve masaların yeniden oynanışını. Sunucu çalışmıyorken de olur.
cli-admin-check-short = Sunucunun verilerini denetler.
cli-admin-journal = Yöneticilerin yaptıklarını ve sonuçlarını, en yenisi başta olmak üzere gösterir. Sunucu çalışmıyorken de olur.
cli-admin-journal-short = Yöneticilerin yaptıklarını gösterir.
cli-admin-reports = Oyuncuların birbiri hakkındaki bildirimlerini, en yenisi başta olmak üzere gösterir. Sunucu çalışmıyorken de olur, ama o zaman adlar görünmez.
cli-admin-reports-short = Oyuncuların birbiri hakkındaki bildirimlerini gösterir.
cli-admin-ladder = Sıralamada puanını, çoğu aynı hesapla oynanmış maçlarda kazananları, en çok puan başta olmak üzere gösterir. Satırda, ilk oyuncunun bütün maçlarından kaçının birlikte oynandığı, bunların kaçında masada hep aynı hesapların oturduğu, kaçının sonunda ikisinin de aynı adresten bağlı olduğu ve kazandıkları ya da kaybettikleri puan yazar. Arkadaşlar da hep birlikte oynar, evdeki bir aile de aynı adresten bağlanır: bir şey yapmadan önce maçlara bakın.
cli-admin-ladder-short = Hep aynı oyuncuyla kazananları gösterir.
cli-admin-strength = Şans hariç, insanların oynadığından iyi oynayanları en iyiden başlayarak gösterir: aynı kurallarla en az 100 incelenmiş eli olup gücünün bütün aralığı master botundan iki puan iyi olanlar. Buraya şansla kimse gelemez. Her hamlesini bir programa soran gelebilir; çok iyi bir oyuncu da. Bir şey yapmadan önce maçlara bakın.
cli-admin-strength-short = İnanılmayacak kadar iyi oynayanları gösterir.
cli-admin-bots = Bot hesaplarını, son görülenden başlayarak sıralar. SEARCH verilirse yalnızca adında o geçenleri, kimliği ya da sahibi o olanları gösterir.
cli-admin-bots-short = Bot hesaplarını sıralar.
cli-admin-revoke-bot =
    Bir bot hesabının anahtarını iptal eder. Bağlantıları kapanır, yerlerinde yedek botlar oynar.

    BOT, bot listesindeki kimliktir. Sahibi yeni bir anahtar alabilir; remove-bot hesabı bütünüyle siler.
cli-admin-revoke-bot-short = Bir bot hesabının anahtarını iptal eder.
cli-admin-remove-bot = Bir bot hesabını anahtarıyla birlikte siler. Yerlerinde yedek botlar oynar.
cli-admin-remove-bot-short = Bir bot hesabını siler.
opt-url = Klasörünki yerine kullanılacak sunucu adresi.
opt-token-file = Yöneticinin anahtarını tutan dosya (varsayılan: klasördeki admin.token).
opt-table = Masanın kimliği.
opt-seat = Yer, 0 ile başlar.
opt-search = Bir adın parçası ya da bir kimlik.
opt-season = Sezon, örneğin 2026-4; verilmezse şimdiki.
opt-limit = En çok kaç satır (varsayılan 50).
opt-user = Kişinin kimliği.
opt-person = Kişinin kimliği ya da adı.
opt-yes = İşlemi yapar. Verilmezse yalnızca ne olacağı söylenir.
opt-admin-export-out = Yazılacak dosya (varsayılan: bulunulan klasörde okey101-KİMLİK.json).
opt-admin-ban-until = Yasağın biteceği tarih, örneğin 2030-01-31 ya da 2030-01-31T18:00.
opt-days = Kaç gün süreceği.
opt-reason = Nedeni. Kişi görür, kişi listesinde de durur.
opt-bot = Bot hesabının kimliği.
opt-source = Bir yedeğin klasörü.
opt-folder = Kopyalar için yeni bir klasör.

## Yanıtlar
stage-waiting = bekliyor
stage-dealing = dağıtılıyor
stage-playing = oynanıyor
stage-over = bitti
stage-closed = kapandı
admin-stage-frozen = DONDU
admin-server = okey101 { $version }, adresi { $url }
admin-ready = hazır
admin-not-ready = HAZIR DEĞİL: { $what }
admin-load = masa: { $tables }, bağlantı: { $sockets }
admin-frozen = DONDU: { $table }
admin-no-tables = Hiç masa yok.
admin-restored = { $rows } satır { $folder } klasörüne geri kondu.
admin-restored-whole = Onlardan sonra bir şey yazılmamış. Masalar kaldıkları yerden sürer.
admin-restored-void = Onlardan sonra oyun sürmüş olabilir. Açık masa: { $tables }. Oynanan eller ilk açılışta yeniden dağıtılır.
admin-restored-erased = Yedekten sonra silinmiş { $count } kişi yeniden silindi.
admin-restored-kept = Eski dosyalar şurada: { $folder }
error-server-runs = Bu klasörde bir sunucu çalışıyor. Önce onu durdurun.
error-restore-unsound = { $path } bozuk: { $problem }
error-restore-failed = { $path } geri konamadı. Diski ve izinleri denetleyip yeniden deneyin.
admin-no-journal = Yöneticiler henüz bir şey yapmadı.
admin-no-reports = Kimse kimseyi bildirmedi.
admin-reason-name = uygunsuz ad
admin-reason-phrases = mesajlar
admin-reason-stalling = bilerek bekletme
admin-reason-together = anlaşmalı oyun
admin-reason-other = başka
admin-head-reason = neden
admin-head-reported = bildirilen
admin-head-reporters = kaç kişi
admin-head-settled = bakıldı
admin-head-by = bildiren
admin-head-time = ne zaman
admin-head-what = ne
admin-head-of = kime
admin-head-outcome = sonuç
admin-head-who = kim
admin-head-address = nereden
admin-no-users = Kimse bulunamadı.
admin-head-player = oyuncu
admin-head-deals = eller
admin-head-points = el başına puan
admin-head-interval = %95 aralığı
admin-head-scale = kurallar, karşılaştırılan
admin-head-with = kiminle
admin-head-together = birlikte
admin-head-same = aynı masa
admin-head-near = tek adres
admin-head-won = kazandığı
admin-head-others = diğerinin
admin-head-table = masa
admin-head-stage = aşama
admin-head-deal = el
admin-head-sockets = bağ.
admin-head-seats = yerler
admin-head-user = kimlik
admin-head-kind = tür
admin-head-seen = son görülme
admin-head-name = ad
admin-head-ban = yasağın bitişi
admin-kind-guest = misafir
admin-kind-account = hesap
admin-kind-deleted = silinmiş
admin-for-good = süresiz
admin-closed = { $table } masası kapandı.
admin-kicked = { $table } masasının { $seat } numaralı yerindeki kişi masadan çıkarıldı, geri dönemez.
admin-banned = { $user } kişisinin girişi şu zamana kadar yasaklandı: { $until }
admin-banned-for-good = { $user } kişisinin girişi süresiz yasaklandı.
admin-unbanned = { $user } yeniden girebilir.
admin-kind-moderator = gözetmen
admin-muted = { $user } kişisinin mesajları şu zamana kadar gizlendi: { $until }
admin-muted-for-good = { $user } kişisinin mesajları süresiz gizlendi.
admin-unmuted = { $user } kişisinin mesajları yeniden görünüyor.
admin-settled = { $user } kişisiyle ilgili şimdiye kadarki bildirimlere bakıldı.
admin-appointed = { $user } artık gözetmen. Bu anahtarı yalnızca o kişinin okuyabileceği bir dosyaya koyun; bir daha gösterilmez:
admin-dismissed = { $user } artık gözetmen değil.
admin-person = { $name } ({ $user }), { $kind }, ilk görülme { $since }, son görülme { $seen }
admin-person-kept = maç: { $matches }, oturum: { $sessions }, bot: { $bots }, açık masa: { $tables }, susturulan ve arkadaş: { $ties }
admin-not-yet = Henüz bir şey yapılmadı. Yapmak için --yes ekleyin.
admin-reset-plan = { $sessions ->
    [0] Parola iptal edilir. Yerine tek girişlik bir kod geçer.
   *[other] Parola iptal edilir, { $sessions } oturum kapanır. Parolanın yerine tek girişlik bir kod geçer.
}
admin-reset-code = Kod: { $code }
admin-reset-how = Kodu yalnızca o kişiye verin. Kişi adı ve bu kodla giriş yapar, sonra yeni bir parola seçer. Kod bir kez geçerlidir; son kullanma zamanı: { $until }.
admin-erase-plan = Ad, yüz, dil, ayarlar, parola, oturumlar, susturulanlar ve arkadaş listesi geri dönüşsüz silinir. Açık masalardaki yerler boşalır; süren maçta yerine bir bot oynar.
admin-erase-left = { $matches ->
    [0] Geride kalacak maç yok.
   *[other] { $matches } maç, adsız bir yerle kalır.
}
admin-erase-bots = Şu botlar da silinir: { $names }
admin-erased = { $name } ({ $user }) silindi. Gerek kalmayınca eski yedekleri de silin. Eski bir yedek geri konursa kişi yeniden silinir.
admin-no-strong = İnanılmayacak kadar iyi oynayan yok.
admin-no-pairs = Hep aynı oyuncuyla kazanan yok.
admin-no-bots = Hiç bot hesabı yok.
admin-head-bot = kimlik
admin-head-token = anahtar
admin-head-tables = masalar
admin-token-there = var
admin-token-none = yok
admin-token-banned = yasaklı
admin-kind-bot = bot
admin-bot-revoked = { $bot } hesabının anahtarı iptal edildi.
admin-bot-removed = { $bot } silindi.
admin-copied = Yazıldı: { $path }
admin-log-sound = Sunucunun verileri sağlam. Açık masa: { $tables }

## Başarısızlıklar
error-server-not-running = { $folder } klasöründe çalışan bir sunucu yok. okey101 serve ile başlatın ya da klasörünü --data ile gösterin.
error-bad-token-file = { $path } dosyasında yönetici anahtarı yok. Anahtar, sunucunun klasöründeki admin.token dosyasındadır.
error-copy-of-backup = { $folder } klasöründe, yedeklerdeki gibi, log.mark yok. Onu okey101 admin restore ile geri koyun, o sunucuyu bir kez başlatın, sonra onun klasörünü kopyalayın.
error-no-server-folder = { $folder } içinde sunucu verisi yok. Bir sunucunun kullandığı klasörü ya da veritabanını gösterin.
error-file-exists = { $file } zaten var ve değiştirilmedi. Başka bir dosya seçin.
error-two-ends = --until ya da --days verin, ikisini birden değil.
error-bad-date = { $date } ileri bir tarih değil. 2030-01-31 gibi yazın.
error-log-unsound = Sunucunun verilerinde { $count } sorun var.
