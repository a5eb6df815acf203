# Sunucunun geri çevirdikleri ve masada söylenebilenler.

## Masalar
error-already-cut = Bu el için rastgele sayınızı verdiniz.
error-already-seated = Bu masada zaten oturuyorsunuz.
error-bot-plays = Yerinizde bir bot oynuyor; önce yerinizi geri alın.
error-kicked = Bu masadan çıkarıldınız.
error-match-ended = Oyun bitti; oyuncular bir oyun daha isteyince oturabilirsiniz.
error-no-bot = Yerinizde kimse oynamıyor.
error-no-deal-number = Oyunda { $number } numaralı el yok.
error-no-phrase = Böyle bir hızlı mesaj yok.
error-no-rematch = Oyun bitmedi.
error-no-seat = { $seat } numaralı yerde kimse oturmuyor ya da öyle bir yer yok.
error-no-table = Böyle bir masa yok.
error-not-cutting = Şu anda hazırlanan bir el yok.
error-not-owner = Bunu yalnızca masanın sahibi yapabilir.
error-not-playing = Şu anda oynanan bir el yok.
error-not-ready = Henüz hazır olmayan biri var.
error-not-seated = Bu masada oturmuyorsunuz.
error-not-waiting = Oyun başladı.
error-other-hand = Bu elde başka bir ıstaka gördünüz; el bitince oturabilirsiniz.
error-phrases-off = Masanın sahibi hızlı mesajları kapattı.
error-rid-used = Sayfa ile sunucu, gönderilenler konusunda uyuşmuyor; sayfayı yeniden yükleyin.
error-seat-taken = { $seat } numaralı yer dolu.
error-seats-empty = Her yerde bir kişi ya da bir bot olmalıdır.
error-spectators-off = Bu masa seyircilere kapalı.
error-table-closed = Masa kapandı.
error-table-frozen = Masa donduruldu, çünkü kaydı yeniden oynatılınca aynı duruma varmıyor. Lütfen sunucuyu işletene bildirin.
error-table-full = Bütün yerler dolu.
error-too-many-actions = Sıranızı bitirin: taş atmadan önce en çok { $limit } hamle yapılır.
error-too-many-fines = Başka türlü oynayın: bir elde en çok { $limit } ceza alınır.
error-in-match = Önce oynadığınız oyunu bitirin ya da masadan kalkın.
error-too-many-tables = Çok fazla masa açık.
error-bad-options = Masanın ayarları böyle olamaz: { $reason }

## Sunucu
error-accounts-busy = Sunucu çok meşgul; biraz sonra yeniden deneyin.
error-accounts-closed = Sunucu duruyor; biraz sonra yeniden deneyin.
error-accounts-failed = Sunucu hesapları okuyamadı ya da yazamadı; yeniden deneyin.
error-bad-message = Sunucu bu iletiyi okuyamıyor.
error-bad-request = Sunucu bu isteği okuyamıyor.
error-binary = Sunucu yalnızca metin alır.
error-body-not-json = Sunucu yalnızca JSON okur.
error-draining = Sunucu birazdan yeniden başlayacak; biraz sonra yeniden deneyin.
error-hello-first = İlk ileti hello olmalıdır.
error-internal = Sunucuda bir sorun çıktı; günlüğüne yazıldı.
error-method-not-allowed = Bu adres o yöntemi bilmiyor.
error-not-allowed = Bunun için yöneticinin anahtarı gerekir.
error-not-found = Bu adreste bir şey yok.
error-origin = Sunucu o sayfadan gelen istekleri almıyor.
error-rate-limited = Çok sık denediniz; { $seconds } saniye sonra yeniden deneyin.
error-store-failed = Sunucu bunu saklayamadı; yeniden deneyin.
error-too-large-plain = İleti çok uzun.
error-too-many-sockets = Çok fazla bağlantı var.
error-unauthorised = Oturumunuz yok; önce bir ad seçin.

## Kişiler
error-already-account = Bu zaten bir hesap.
error-bad-language = Dil kodu 1 ile 16 arası harf, rakam ve kısa çizgiden oluşur.
error-bad-login = Ad ya da parola yanlış.
error-banned = Bu sunucuya girişiniz yasaklandı.
error-mute-self = Kendinizi susturamazsınız.
error-name-bad-character = Adda şu karakter olamaz: { $character }
error-name-empty = Adda en az bir harf ya da rakam olmalıdır.
error-name-mixed-scripts = Adın harfleri tek bir alfabeden olmalıdır.
error-name-reserved = Bu ad ayrılmış; başka bir ad seçin.
error-name-taken = Bu ad bir hesabın; başka bir ad seçin.
error-name-too-long = Ad en çok { $limit } karakter olabilir.
error-name-too-short = Ad en az { $limit } karakter olmalıdır.
error-no-match = Böyle bir oyun yok.
error-no-session = Bu oturum bitti; yeniden giriş yapın.
error-no-user = Böyle biri yok.
error-not-account = Bu, parolası olmayan bir misafir.
error-password-bad-character = Parolada karakter olmayan bir şey var.
error-password-too-long = Parola en çok { $limit } karakter olabilir.
error-password-too-short = Parola en az { $limit } karakter olmalıdır.
error-settings-too-large = Ayarlar en çok { $limit } bayt tutabilir.
error-too-many-mutes = En çok { $limit } kişi susturulabilir.

## Dosyalar
error-accounts-corrupt = { $path } bozulmuş.
error-accounts-in-use = { $path } başka bir sunucu ya da program tarafından kullanılıyor.
error-accounts-newer = { $path } daha yeni bir okey101 tarafından yazılmış.
error-accounts-not-ours = { $path } okey101 dosyası değil.
error-accounts-unwritable = { $path } yazılamıyor; sunucu kişileri orada tutar.
error-backup-exists = { $path } zaten var; ona dokunulmadı.
error-backup-failed = { $path } kopyası yazılamadı.
error-backup-running = Şu anda bir kopya çıkarılıyor; bitmesini bekleyin.
error-bad-folder = { $path } tam bir yol değil.
error-folder-failed = Sunucu { $path } klasörüne yazamıyor: { $reason }.
error-store-no-space = { $path } kopyası diskte çok az yer bırakır.

## Hızlı mesajlar
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
phrase-emoji-smile-sign = 🙂️
phrase-emoji-laugh-sign = 😂️
phrase-emoji-wow-sign = 😮️
phrase-emoji-cry-sign = 😢️
phrase-emoji-angry-sign = 😠️
phrase-emoji-clap-sign = 👏️
phrase-emoji-thumb-sign = 👍️
phrase-emoji-tea-sign = ☕️

## Ayarlar
setting-host = Dinlenecek adres: 127.0.0.1 yalnızca bu makine, 0.0.0.0 bütün ağ.
setting-port = Bağlantı noktası; 0 boş birini seçer.
setting-data = Sunucunun her şeyi tuttuğu klasör.
setting-public-url = Tarayıcıların sunucuya dışarıdan ulaştığı adres, örneğin https://okey.example. Yoksa isteğin Host başlığı belirler.
setting-allowed-origins = Sunucunun kendi sayfası dışında onu çağırabilecek sayfaların adresleri; virgülle ayrılır.
setting-trusted-proxies = X-Forwarded-For ve X-Forwarded-Proto başlıklarına inanılan adresler ya da ağlar; virgülle ayrılır.
setting-secure-cookies = Çerezler yalnızca https için mi: auto (istek https ile geldiyse), always (hep), never (hiç).
setting-log-level = Günlüğe yazılanların en önemsizi: debug, info, warning, error.
setting-log-format = json, text ya da auto: terminalde metin, başka yerde JSON.
setting-metrics-token = /metrics okuyanın göstereceği anahtar; yoksa herkes okuyabilir.
setting-max-tables = Aynı anda açık masa sayısı.
setting-max-tables-per-user = Bir kişinin aynı anda açık tutabildiği masa sayısı.
setting-max-tables-per-address = Bir adresten açılmış, aynı anda açık masa sayısı.
setting-max-sockets = Aynı anda açık WebSocket sayısı.
setting-max-sockets-per-address = Bir adresten aynı anda açık WebSocket sayısı.
setting-handshakes-per-second = Bir adresin yeni WebSocket hakkı saniyede bu kadar dolar.
setting-handshake-burst = Bir adresin bir anda açabildiği WebSocket sayısı.
setting-messages-per-second = Bir kişinin (oturumsuz bir adresin) ileti hakkı saniyede bu kadar dolar.
setting-message-burst = Bir kişinin (oturumsuz bir adresin) bir anda gönderebildiği ileti sayısı.
setting-requests-per-second = Bir adresin HTTP isteği hakkı saniyede bu kadar dolar.
setting-request-burst = Bir adresin bir anda gönderebildiği HTTP isteği sayısı.
setting-guests-per-minute = Bir adresin yeni misafir hakkı dakikada bu kadar dolar.
setting-guest-burst = Bir adresten bir anda gelebilen misafir sayısı.
setting-logins-per-minute = Bir adresin parola deneme hakkı dakikada bu kadar dolar.
setting-login-burst = Bir adresten bir anda denenebilen parola sayısı.
setting-tables-per-minute = Bir kişinin yeni masa hakkı dakikada bu kadar dolar.
setting-table-burst = Bir kişinin bir anda açabildiği masa sayısı.
setting-bot-delay-ms = Bir botun düşünür göründüğü süre, milisaniye.
setting-deal-pause-s = İki el arasındaki ara, saniye; herkes hazırsa daha kısa.
setting-first-deal-wait-s = İlk elin, oyuncuların rastgele sayılarını beklediği süre, saniye.
setting-absence-s = Ayrılan birinin yerine botun oynamaya başladığı süre, saniye.
setting-idle-close-s = Başlamamış ya da bitmiş bir masanın kimse yokken kapandığı süre, saniye.
setting-drain-s = Durmanın, her şey söylenip saklanana kadar sürebildiği süre, saniye.
setting-hello-timeout-s = Yeni bir bağlantının sessiz kalabildiği süre, saniye.
