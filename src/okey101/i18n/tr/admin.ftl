# Sunucuyu işletenler için komutlar.

## Yardım
cli-admin =
    Sunucuyu yönetir: masalarını, kişilerini, dosyalarını.

    Klasörün sunucusu (--data) ya da --url adresindeki sunucu kullanılır; ikincisinin anahtarı --token-file ile verilir. Çıkış kodu 4, sunucuya ulaşılamadığını gösterir.
cli-admin-short = Sunucuyu yönetir.
cli-admin-status = Sunucunun durumunu ve yükünü söyler.
cli-admin-status-short = Sunucunun durumunu söyler.
cli-admin-tables = Masaları, oturanlarla birlikte sıralar. Yerler 0 ile başlar; botlar ayraç içindedir.
cli-admin-tables-short = Masaları sıralar.
cli-admin-close = Bir masayı bütünüyle kapatır; bağlantıları da kapanır.
cli-admin-close-short = Bir masayı kapatır.
cli-admin-kick = Bir kişiyi yerinden kaldırır. Süren maçta yerine bir bot oynar.
cli-admin-kick-short = Bir kişiyi yerinden kaldırır.
cli-admin-users = Kişileri son görülenden başlayarak sıralar; SEARCH verilirse yalnızca adında o geçenleri ya da kimliği o olanı.
cli-admin-users-short = Kişileri sıralar.
cli-admin-ban =
    Bir kişinin girişini yasaklar: bağlantıları kapanır, yerlerinde botlar oynar.

    USER, kişi listesinde görünen kimliktir. Bitişi yazılmazsa yasak süresizdir.
cli-admin-ban-short = Bir kişinin girişini yasaklar.
cli-admin-unban = Bir kişinin yasağını kaldırır.
cli-admin-unban-short = Bir kişinin yasağını kaldırır.
cli-admin-mute = Bir kişinin masalarda gönderdiği mesajları --days süresince ya da unmute verilene kadar kimseye göstermez. Gözetmenler de yapabilir.
cli-admin-mute-short = Bir kişinin mesajlarını kimseye göstermez.
cli-admin-unmute = Bir kişinin mesajlarını yeniden gösterir.
cli-admin-unmute-short = Bir kişinin mesajlarını yeniden gösterir.
cli-admin-appoint =
    Bir hesabı gözetmen yapar ve bunun için bir anahtar yazdırır.

    Gözetmen, anahtarın dosyası (--token-file) ve --url ile tables, kick, users, reports, mute ve unmute komutlarını kullanabilir, başkasını değil. Yaptığı her şey yönetici kaydında kendi kimliğiyle durur. Anahtarı olan, o kişi olarak oynayabilir de. Yeni bir atama önceki anahtarı bitirir.
cli-admin-appoint-short = Bir hesabı gözetmen yapar.
cli-admin-dismiss = Bir gözetmenin yetkisini ve anahtarını bitirir; hesap kalır.
cli-admin-dismiss-short = Bir gözetmenin yetkisini bitirir.
cli-admin-reset-password =
    Unutulan parolayı iptal eder, yerine bir kod yazdırır.

    PERSON bir kimlik ya da addır. O ad ve kodla giriş yapandan yeni bir parola istenir, kod da bununla biter. Kod yedi gün geçerlidir. Kişinin bütün oturumları hemen kapanır. --yes olmadan henüz bir şey yapılmaz. Sunucu çalışmıyorken de olur.
cli-admin-reset-password-short = Unutulan parolanın yerine kod verir.
cli-admin-export =
    Bir kişiyle ilgili saklanan her şeyi, yalnızca sizin okuyabileceğiniz bir dosyaya yazar.

    PERSON bir kimlik ya da addır. Dosya JSON biçimindedir, kişinin hesap sayfasından indirebildiklerini içerir. Hiçbir dosyanın üzerine yazılmaz. Sunucu çalışmıyorken de olur.
cli-admin-export-short = Bir kişiyle ilgili saklanan her şeyi dosyaya yazar.
cli-admin-erase =
    Bir kişiyi, kendisinin hesap sayfasından silebileceği gibi siler.

    PERSON bir kimlik ya da addır. Ad, parola, oturumlar, ayarlar ve botlar silinir; maçlarda adsız bir yer kalır. Geri konan yedekte de yeniden silinir. --yes olmadan henüz bir şey yapılmaz. Sunucu çalışmıyorken de olur.
cli-admin-erase-short = Bir kişiyi siler.
cli-admin-backup =
    Oyun sürerken her şeyi bir klasöre kopyalar.

    Hiçbir dosyanın üzerine yazılmaz. Sunucu çalışmıyorken de olur. --url ile klasör, sunucunun makinesindedir.
cli-admin-backup-short = Oyun sürerken her şeyi kopyalar.
cli-admin-restore =
    Bir yedeği, çalışmayan bir sunucunun klasörüne geri koyar.

    SOURCE, bir yedeğin klasörüdür. Orada duranlar yanında saklanır, sahip ve izinler ayarlanır. Ardından satır gelmiş olabilirse oynanan eller söylenerek atılır.
cli-admin-restore-short = Bir yedeği geri koyar.
cli-admin-check = Saklananları denetler: dosyayı, satırların sırasını ve masaların yeniden oynanışını. Sunucu çalışmıyorken de olur.
cli-admin-check-short = Saklananları denetler.
cli-admin-journal = Yöneticilerin ne yaptığını ve sonucunu, en yenisi önde, gösterir. Sunucu çalışmıyorken de çalışır.
cli-admin-journal-short = Yöneticilerin yaptıklarını gösterir.
cli-admin-reports = Oyuncuların birbiriyle ilgili bildirimlerini gösterir, en yenisi başta. Sunucu çalışmıyorken de olur, o zaman adlar görünmez.
cli-admin-reports-short = Oyuncuların birbiriyle ilgili bildirimlerini gösterir.
cli-admin-bots = Bot hesaplarını son görülenden başlayarak sıralar; SEARCH verilirse yalnızca adında o geçenleri, kimliği ya da sahibi o olanları.
cli-admin-bots-short = Bot hesaplarını sıralar.
cli-admin-revoke-bot =
    Bir bot hesabının anahtarını iptal eder: bağlantıları kapanır, yerlerinde oyun sürer.

    BOT, listede görünen kimliktir. Sahibi yeni bir anahtar alabilir; remove-bot hesabı bütünüyle siler.
cli-admin-revoke-bot-short = Bir bot hesabının anahtarını iptal eder.
cli-admin-remove-bot = Bir bot hesabını anahtarıyla birlikte siler; yerlerinde yedek botlar oynar.
cli-admin-remove-bot-short = Bir bot hesabını siler.
opt-url = Klasörünki yerine kullanılacak sunucu adresi.
opt-token-file = Yöneticinin anahtarını tutan dosya (varsayılan: klasördeki admin.token).
opt-table = Masanın kimliği.
opt-seat = Yer, 0 ile başlar.
opt-search = Bir adın parçası ya da bir kimlik.
opt-limit = En çok bu kadar (varsayılan 50).
opt-user = Kişinin kimliği.
opt-person = Kişinin kimliği ya da adı.
opt-yes = İşlemi yapar; verilmezse yalnızca ne olacağı söylenir.
opt-admin-export-out = Yazılacak dosya (varsayılan: bulunulan klasörde okey101-KİMLİK.json).
opt-admin-ban-until = Şu tarihe kadar, örneğin 2030-01-31 ya da 2030-01-31T18:00.
opt-days = Bu kadar gün.
opt-reason = Nedeni; kişiye gösterilir, kişi listesinde de durur.
opt-bot = Bot hesabının kimliği.
opt-source = Bir yedeğin klasörü.
opt-folder = Kopyaların klasörü.

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
admin-restored = { $rows } satır { $folder } klasörüne geri geldi.
admin-restored-whole = Ardından bir şey gelmemişti: masalar kaldıkları yerden sürer.
admin-restored-void = Ardından satır gelmiş olabilir: { $tables } masanın oynanan eli, ilk açılışta yeniden dağıtılır.
admin-restored-erased = Yedekten sonra silinmiş { $count } kişi yeniden silindi.
admin-restored-kept = Orada duranlar { $folder } içinde.
error-server-runs = Bu klasörde bir sunucu çalışıyor: önce durdurun.
error-restore-unsound = { $path } bozuk: { $problem }
error-restore-failed = { $path } geri konamadı.
admin-no-journal = Henüz bir şey yapılmadı.
admin-no-reports = Kimse kimseyi bildirmedi.
admin-reason-name = uygunsuz ad
admin-reason-phrases = mesajlar
admin-reason-stalling = bilerek bekletme
admin-reason-together = anlaşmalı oyun
admin-reason-other = başka
admin-head-reason = neden
admin-head-reported = bildirilen
admin-head-reporters = kaç kişi
admin-head-by = bildiren
admin-head-time = ne zaman
admin-head-what = ne
admin-head-of = kime
admin-head-outcome = sonuç
admin-head-who = kim
admin-head-address = nereden
admin-no-users = Kimse yok.
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
admin-banned = { $user } girişi şu zamana kadar yasak: { $until }
admin-banned-for-good = { $user } girişi süresiz yasak.
admin-unbanned = { $user } yeniden girebilir.
admin-kind-moderator = gözetmen
admin-muted = { $user } şimdilik mesaj gönderemez.
admin-unmuted = { $user } yeniden mesaj gönderebilir.
admin-appointed = { $user } artık gözetmen. Yalnızca şimdi gösterilen bu anahtar, o kişiden başkasının okuyamayacağı bir dosyaya konur:
admin-dismissed = { $user } artık gözetmen değil.
admin-person = { $name } ({ $user }), { $kind }, ilk görülme { $since }, son görülme { $seen }
admin-person-kept = maç: { $matches }, oturum: { $sessions }, bot: { $bots }, açık masa: { $tables }, sessize alma: { $mutes }
admin-not-yet = Henüz bir şey yapılmadı. Yapmak için --yes ekleyin.
admin-reset-plan = { $sessions ->
    [0] Parola iptal edilir. Yerine tek girişlik bir kod geçer.
   *[other] Parola iptal edilir, { $sessions } oturum kapanır. Parolanın yerine tek girişlik bir kod geçer.
}
admin-reset-code = Kod: { $code }
admin-reset-how = Kodu yalnızca o kişiye verin. Adı ve bu kodla giriş yapınca yeni parola istenir; kod bir kez geçerlidir, son kullanma zamanı: { $until }.
admin-erase-plan = Ad, yüz, dil, ayarlar, parola, oturumlar ve sessize almalar geri dönüşsüz silinir. Açık masalardaki yerler boşalır; süren maçta yerine bir bot oynar.
admin-erase-left = { $matches ->
    [0] Geride kalacak maç yok.
   *[other] { $matches } maç, adsız bir yerle kalır.
}
admin-erase-bots = Şu botlar da silinir: { $names }
admin-erased = { $name } ({ $user }) silindi. Gereği kalmayınca önceki yedekleri de silin; geri konan bir yedekte kişi yeniden silinir.
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
admin-copied = yazıldı: { $path }
admin-log-sound = Saklanan her şey sağlam; açık masa: { $tables }

## Başarısızlıklar
error-server-not-running = { $folder } klasöründe çalışan bir sunucu yok.
error-server-unreachable = { $url } adresindeki sunucuya ulaşılamıyor: { $reason }
error-not-a-server = { $url } adresinde yanıt veren, okey101 değil.
error-bad-url = { $url } bir adres değil; örneği http://127.0.0.1:8101.
error-bad-token-file = { $path } dosyasında yönetici anahtarı yok; anahtar, sunucunun klasöründeki admin.token dosyasındadır.
error-no-server-folder = { $folder } klasöründe kayıt yok.
error-file-exists = { $file } zaten var ve olduğu gibi bırakıldı: --out ile başka bir dosya seçin.
error-two-ends = --until ile --days birlikte verilemez.
error-bad-date = { $date } ileri bir tarih değil; örneği 2030-01-31.
error-log-unsound = Saklananlarda { $count } sorun var.
