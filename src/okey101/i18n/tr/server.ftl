# Sunucunun geri çevirdikleri ve ayarları.

## Masalar
error-already-committed = Bu el için taahhüdünüzü zaten verdiniz.
error-already-revealed = Bu el için rastgele sayınızı zaten açıkladınız.
error-already-seated = Bu masada zaten oturuyorsunuz.
error-bot-plays = Yerinizde bir bot oynuyor. Önce yerinizi geri alın.
error-kicked = Bu masadan çıkarıldınız.
error-left-often = Bir saat içinde { $count } hızlı masadan kalktınız. { $seconds } saniye sonra yeniden deneyin.
error-left-out = Bu elin bir turunu yarıda bıraktınız. Sonraki elde yeniden katılırsınız.
error-log-truncated = Sunucunun diski bu masayı kaybetti. Lütfen sunucu yöneticisine bildirin.
error-match-ended = Maç bitti ya da son eli oynanıyor. Oyuncuları bir maç daha başlatınca oturabilirsiniz.
error-no-bot = Yerinizde oynayan bir bot yok.
error-log-not-ready = Açık kaydın ilk özeti hazırlanıyor. Biraz sonra yeniden deneyin.
error-no-entry = Açık kaydın bu uzunlukta bir özeti yok.
error-no-reviews = { review-off }
error-reviews-busy = İncelenmeyi bekleyen çok maç var. Biraz sonra yeniden deneyin.
error-no-profile = Bu adda bir profil yok ya da açık değil.
error-no-season = Sezon yılın bir çeyreğidir, örneğin 2026-4.
error-no-day = Burada böyle eller yok.
error-day-over = Bu ellere artık başlanamaz.
error-day-played = Bu elleri zaten oynadınız.
error-day-table = Günün elleri masasında bu yapılamaz.
error-day-twice = Hesabınız bu elleri zaten oynamış. Önce oynadığınız elleri bitirin.
error-day-unplayed = Önce bütün elleri oynayın.
error-no-deal-number = Maçta { $number } numaralı el yok.
error-no-hints = Bu masada ipucu yok.
error-no-phrase = Böyle bir hızlı mesaj yok.
error-no-rematch = Maç henüz bitmedi.
error-no-seat = { $seat } numaralı yerde kimse oturmuyor ya da öyle bir yer yok.
error-no-table = Böyle bir masa yok.
error-not-committed = Bu turda taahhüt vermediniz.
error-not-committing = Şu anda taahhüt alınmıyor.
error-not-revealing = Şu anda açıklanacak bir şey yok.
error-not-owner = Bunu yalnızca masanın sahibi yapabilir.
error-not-playing = Şu anda oynanan bir el yok.
error-not-ready = Henüz hazır olmayan biri var.
error-not-seated = Bu masada oturmuyorsunuz.
error-not-waiting = Maç zaten başladı.
error-other-hand = Bu elde başka bir ıstaka gördünüz. El bitince oturabilirsiniz.
error-phrases-off = Bu masanın sahibi hızlı mesajları kapattı.
error-rid-used = Sayfa ile sunucu, gönderilenler konusunda uyuşmuyor. Lütfen sayfayı yeniden yükleyin.
error-seat-taken = { $seat } numaralı yer dolu.
error-seats-empty = Her yerde bir kişi ya da bir bot olmalıdır.
error-spectators-off = Bu masa seyircilere kapalı.
error-table-closed = Masa kapandı.
error-table-frozen = Masa durduruldu: kayıtta bir tutarsızlık bulundu. Lütfen sunucu yöneticisine bildirin.
error-table-full = Bütün yerler dolu.
error-wrong-opening = Açıkladığınız sayı taahhüdünüze uymuyor.
error-too-many-actions = Bu turda en çok { $limit } hamle yapılabilir. Bir taş atın.
error-too-many-changes = Bu masada çok fazla değişiklik yapıldı. Maça başlayın ya da yeni bir masa açın.
error-too-many-fines = Bir elde en çok { $limit } ceza alınır. Başka türlü oynayın.
error-turn-over = Hamleniz sunucuya ulaşmadan sıranız bitti. Hiçbir şey yapılmadı.
error-in-match = Önce oynadığınız maçı bitirin ya da masadan kalkın.
error-overloaded = Sunucu şu anda çok yoğun. Lütfen biraz sonra yeniden deneyin.
error-too-many-tables = { $limit ->
    [max-tables-per-user] Çok fazla açık masanız var. Önce birini kapatın.
    [max-tables-per-address] Bu ağdan açılmış çok fazla masa var. Önce birinin kapanması gerekir.
   *[other] Çok fazla masa açık. Lütfen biraz sonra yeniden deneyin.
}
error-bad-options = Masanın ayarları böyle olamaz: { $reason }

## Sunucu
error-accounts-busy = Sunucu çok yoğun. Biraz sonra yeniden deneyin.
error-accounts-closed = Sunucu duruyor. Biraz sonra yeniden deneyin.
error-accounts-failed = Sunucu hesapları okuyamadı ya da yazamadı. Yeniden deneyin.
error-bad-message = Sunucu bu mesajı okuyamıyor.
error-bad-request = Sunucu bu isteği okuyamıyor: { $reason }
error-binary = Sunucu yalnızca metin alır.
error-body-not-json = Sunucu yalnızca JSON okur.
error-draining = Sunucu birazdan yeniden başlayacak. Biraz sonra yeniden deneyin.
error-hello-first = İlk mesaj olarak hello gönderin.
error-internal = Sunucuda bir sorun çıktı. Ne olduğu kaydında yazar.
error-method-not-allowed = Bu adres o yöntemi kabul etmiyor.
error-not-allowed = Bunun için yöneticinin anahtarı gerekir.
error-no-notice = Bu sunucunun aydınlatma metni yok.
error-not-found = Bu adreste bir şey yok.
error-origin = Sunucu o sayfadan gelen istekleri kabul etmiyor.
error-unknown-host = Sunucu { $host } adına yanıt vermiyor. Sunucuyu çalıştıran, bu ada --allowed-host ile izin verebilir ya da adresini --public-url ile belirtebilir.
error-rate-limited = { $limit ->
    [guests-per-minute] Bu ağdan aynı anda çok kişi geldi.
    [requests-per-second] Bu ağdan aynı anda çok fazla istek geldi.
    [handshakes-per-second] Bu ağdan aynı anda çok fazla bağlantı kuruldu.
    [logins-per-minute] Bu ağdan çok sık parola denendi.
    [logins-of-network] Bu ağdan çok sık parola denendi.
    [logins-of-account] Bu hesabın parolası çok sık denendi.
    [tables-of-address] Bu ağdan çok fazla masa açıldı.
   *[other] Çok sık denediniz.
} { $seconds } saniye sonra yeniden deneyin.
error-store-failed = Sunucu bunu saklayamadı. Yeniden deneyin.
error-too-large-plain = Mesaj çok uzun.
error-too-many-sockets = { $limit ->
    [max-sockets-per-address] Bu ağdan çok fazla cihaz bağlı.
   *[other] Çok fazla cihaz bağlı. Lütfen biraz sonra yeniden deneyin.
}
error-unauthorised = Oturumunuz yok. Önce bir ad seçin.

## Kişiler
error-already-account = Bu zaten bir hesap.
error-bad-face = { $first } ile { $last } arasında bir yüz seçin.
error-bad-language = Dil kodu 1 ile 16 arası harf, rakam ve kısa çizgiden oluşur.
error-bad-login = Ad ya da parola yanlış.
error-bad-push = Bu sunucu tarayıcınızın bildirim hizmetini tanımıyor.
error-banned = Bu sunucuya girişiniz yasaklandı.
error-muted = Bir gözetmen mesajlarınızı kapattı, bu mesajı kimse görmez.
error-friend-self = Kendinizi arkadaş olarak ekleyemezsiniz.
error-mute-self = Kendinizi susturamaz ya da engelleyemezsiniz.
error-name-bad-character = Adda şu karakter olamaz: { $character }
error-name-empty = Adda en az bir harf ya da rakam olmalıdır.
error-name-mixed-scripts = Adın harfleri tek bir alfabeden olmalıdır.
error-name-refused = Bu sunucu bu adı kabul etmiyor. Başka bir ad seçin.
error-name-reserved = Bu ad ayrılmış. Başka bir ad seçin.
error-name-taken = Bu ad bir hesaba ait. Başka bir ad seçin.
error-name-too-long = Ad en çok { $limit } karakter olabilir.
error-name-too-short = Ad en az { $limit } karakter olmalıdır.
error-new-password-needed = Bu kod yalnızca bir kez geçerlidir. Yeni bir parola da seçin.
error-no-family = Böyle bir aile masası yok.
error-no-match = Böyle bir maç yok.
error-no-session = Bu oturum bitti. Yeniden giriş yapın.
error-no-user = Böyle biri yok.
error-not-account = Bunun için parolalı bir hesap gerekir.
error-not-family-owner = Bunu yalnız aile masasının sahibi yapabilir.
error-not-friend = Masaya yalnız arkadaşlarınızı davet edebilirsiniz.
error-push-off = Bu sunucu bildirim göndermiyor.
error-password-bad-character = Parolada geçersiz bir karakter var.
error-password-common = Bu parola ilk tahmin edilecekler arasında. Başka bir parola seçin.
error-password-too-long = Parola en çok { $limit } karakter olabilir.
error-password-too-short = Parola en az { $limit } karakter olmalıdır.
error-several-people = Bu adda birden çok kişi var. Şu kimliklerden birini verin: { $ids }
error-too-many-families = Bir hesabın en çok { $limit } aile masası olabilir.
error-too-many-friends = Arkadaşlar ve bekleyen istekler birlikte en çok { $limit } kişi olabilir.
error-too-many-mutes = En çok { $limit } kişiyi susturabilir, bir o kadarını da engelleyebilirsiniz.
error-wrong-password = Şimdiki parolanız bu değil.

## Dosyalar
error-backup-elsewhere = Bu sunucunun verilerini PostgreSQL tutuyor. Yedeği PostgreSQL programlarıyla alın ve geri yükleyin.
error-backup-exists = { $path } zaten var ve değiştirilmedi. Başka bir klasör seçin.
error-backup-failed = { $path } kopyası yazılamadı.
error-backup-running = Şu anda başka bir kopya çıkarılıyor. Bitmesini bekleyin.
error-bad-folder = { $path } tam bir yol değil. Yolu kökten başlatın.
error-folder-failed = Sunucu { $path } klasörüne yazamıyor: { $reason }.
error-store-no-space = { $path } kopyası diskte çok az yer bırakır. Yer açın ya da başka bir disk seçin.

## Ayarlar
setting-host = Dinlenecek adres: 127.0.0.1 yalnızca bu makine, 0.0.0.0 bütün ağ.
setting-port = Port. 0 boş bir port seçer.
setting-data = Sunucunun her şeyi tuttuğu klasör.
setting-database = Klasördeki dosyanın yerini alan PostgreSQL veritabanı, örneğin postgresql://kullanıcı@sunucu/ad.
setting-node-listen = Aynı veritabanındaki diğer düğümlerin bu düğüme ulaştığı adres ([aşağıda](#birden-çok-düğüm)), örneğin 10.0.0.1:8102. Port 0 ise boş bir port seçilir.
setting-node-address = Diğer düğümler bu adresi başka görüyorsa onların gördüğü adres.
setting-node-name = Bu düğümün kayıtlardaki adı. Verilmezse adresi kullanılır.
setting-public-url = Tarayıcıların dışarıdan kullandığı adres, örneğin https://okey.example. Yoksa isteğin Host başlığı belirler. O zaman bunun bir IP adresi, bu makinenin kendi adı ya da izin verilen adlardan biri olması gerekir.
setting-allowed-hosts = Genel adres yoksa, bu makinenin kendi adları dışında tarayıcıların sunucu için kullanabileceği adlar. Virgülle ayrılır.
setting-allowed-origins = Sunucunun kendi sayfası dışında onu çağırabilecek sayfaların adresleri. Virgülle ayrılır.
setting-trusted-proxies = X-Forwarded-For ve X-Forwarded-Proto başlıklarına inanılan adresler ya da ağlar. Virgülle ayrılır.
setting-secure-cookies = Çerezler yalnızca https için mi: auto (istek https ile geldiyse), always (hep), never (hiç).
setting-log-level = Kayda yazılanların en önemsizi: debug, info, warning, error.
setting-log-format = json, text ya da auto: terminalde metin, başka yerde JSON.
setting-metrics-token = /metrics okuyanın göstereceği anahtar. Yoksa herkes okuyabilir.
setting-max-tables = Aynı anda açık olabilen masa sayısı. Günün elleri ve meydan okumalar ayrı sayılır: onlardan da ayrıca bu kadarı açık olabilir.
setting-max-tables-per-user = Bir kişinin aynı anda açık tutabildiği masa sayısı. Günün elleri ve meydan okumalar sayılmaz.
setting-max-seats-per-user = Bir kişinin aynı anda oturabildiği masa sayısı. Günün elleri ve meydan okumalar sayılmaz.
setting-max-lag-ms = Olay döngüsü beş saniyenin ortalamasında bu kadar milisaniyeden çok gecikiyorsa yeni masa açılmaz.
setting-max-bot-wait-s = Botlar sıralarını bu kadar saniyeden çok bekliyorsa yeni masa açılmaz.
setting-max-tables-per-address = Bir adresten açılmış masalardan aynı anda açık olabileceklerin sayısı. Günün elleri ve meydan okumalardan da ayrıca bu kadarı açık olabilir.
setting-max-sockets = Aynı anda açık olabilecek WebSocket sayısı.
setting-max-sockets-per-address = Bir adresin aynı anda açık tutabildiği WebSocket sayısı.
setting-max-connections-per-address = Bir adresin aynı anda açık tutabildiği her türlü bağlantının sayısı, bir şey göndersin göndermesin. Güvenilen vekil sunucularınki sayılmaz.
setting-handshakes-per-second = Bir adres saniyede ortalama bu kadar yeni WebSocket açabilir.
setting-handshake-burst = Bir adresin bir anda açabildiği WebSocket sayısı.
setting-messages-per-second = Bir kişi (oturumsuzsa bir adres) saniyede ortalama bu kadar mesaj gönderebilir.
setting-message-burst = Bir kişinin (oturumsuz bir adresin) bir anda gönderebildiği mesaj sayısı.
setting-requests-per-second = Bir adres saniyede ortalama bu kadar HTTP isteği gönderebilir.
setting-request-burst = Bir adresin bir anda gönderebildiği HTTP isteği sayısı.
setting-guests-per-minute = Bir adresten dakikada ortalama bu kadar yeni misafir gelebilir.
setting-guest-burst = Bir adresten bir anda gelebilen misafir sayısı.
setting-logins-per-minute = Bir adresten dakikada ortalama bu kadar parola denenebilir.
setting-login-burst = Bir adresten bir anda denenebilen parola sayısı.
setting-tables-per-minute = Bir kişi dakikada ortalama bu kadar yeni masa açabilir.
setting-table-burst = Bir kişinin bir anda açabildiği masa sayısı.
setting-review-processes = Aynı anda incelenebilecek maç sayısı. Her inceleme, kendisiyle biten yaklaşık 300 MB bir süreç ister. 0 ise bu sunucu inceleme yapmaz. all ya da sim ekinin getirdiği Numba gerekir.
setting-review-worlds = İncelemede her seçimin kaç dünyada oynandığı. 1000 dünya, bir elin bir yeri için birkaç saniye sürer.
setting-review-policy = Bu dünyalarda oyunu sürdüren bot. `greedy` üçte bir sürede bitirir.
setting-strength-share = Kimse istemese de oyuncuların gücü için maç incelemeye bir çekirdeğin yüzde kaçı gidebilir. En yeniler önce gelir; inceleme isteyenler hepsinden öndedir. 0 ise yalnızca istenen incelemeler sayılır ([review.md](../tr/review.md#gücüm-şans-hariç)).
setting-bot-processes = Botlar için düşünebilecek süreç sayısı, her biri yaklaşık 120 MB. Çok bot bekleyince başlarlar. 0 ise sunucunun bir iş parçacığı düşünür.
setting-bot-delay-ms = Bir botun düşünür göründüğü süre, milisaniye.
setting-daily = Herkese aynı olan günün elleri var mı: off ya da on ([fairness.md](../tr/fairness.md#günün-elleri)).
setting-daily-instances = Günün ellerinden kaç ayrı takım var, 1 ile 9 arası. Herkese biri verilir, kimse seçemez ([fairness.md](../tr/fairness.md#günün-elleri)). Takım arttıkça birbirine taşlarını söyleyebilecekler azalır, herkes daha az kişiyle karşılaştırılır. Henüz taahhüt edilmemiş günler için geçerlidir.
setting-web-push = Sayfası kapalı tarayıcılara, sahipleri isterse, birinin beklediği bildirilsin mi: on ya da off ([aşağıda](#web-push)).
setting-push-hosts = Chrome, Firefox, Edge ve Safari dışındaki tarayıcıların bildirim hizmetleri, virgülle ayrılmış adlar. Adın altındakiler de sayılır.
setting-search = Masalarda arama yapan botumuz `champion` oynayabilir mi: off ya da on. `sim` eki gerekir; bot kendi sürecinde düşünür ([strength.md](../en/strength.md)).
setting-bots = Burada oynayabilecek, başkalarına ait botlar: ad=bot;ad=bot ([bots.md](../en/bots.md)). Her biri kendi sürecinde oynar.
setting-deal-pause-s = İki el arasındaki ara, saniye. Herkes hazırsa daha kısa sürer. Süresi olmayan masada sonraki el herkesi bekler, en çok bir saat. 0 ise hiçbir masada beklenmez.
setting-dealing-s = Taşların dağıtılışı gösterilirken oyunun en çok kaç saniye beklediği. Herkes daha önce gördüyse beklenmez.
setting-first-deal-wait-s = İlk elin, oyuncuların rastgele sayılarını beklediği süre, saniye.
setting-absence-s = Ayrılan birinin yerinde kaç saniye sonra botun oynamaya başladığı.
setting-idle-close-s = Başlamamış ya da bitmiş bir masanın, kimse yokken kaç saniye açık kaldığı.
setting-archive-days = Kapanmış masaların kaç gün sonra kaydın arşivinden silindiği; o zamanki günün elleri ve meydan okumalar kapanmadan silinmez. 0 ise hiç silinmez.
setting-drain-s = Sunucunun durmadan önce her şeyi söyleyip saklamak için kullanabileceği süre, saniye.
setting-litestream = Litestream sunucu çalışırken dosyayı kopyalayabilir mi: off ya da on ([aşağıda](#ikinci-kopya)).
setting-refused-names = Adlarda geçmemesi istenen sözcüklerin dosyası; her satırda bir sözcük. Başlarken okunur.
setting-site = Belgeler sitesinin `make docs` ile kurulan klasörü. Verilirse site /docs altında gösterilir.
setting-store-slow-s = Disk kaç saniye yanıt vermezse bunun herkese söylendiği; /readyz o zaman 503 verir.
setting-hello-timeout-s = Yeni bir bağlantının sessiz kalabildiği süre, saniye.

## Başkalarının botları
error-bots-not-allowed = Bu sunucuda başkalarının botları oynayamaz.
error-bot-needs-clock = Başkalarının botları yalnızca süreli masalarda oynar.
error-not-for-bots = Bunu yalnızca kişiler yapabilir, botlar yapamaz.
error-not-invited = Masanın sahibi bu botu davet etmedi.
error-too-many-bots = Bir kişinin en çok { $limit } botu olabilir.
error-too-many-seats = Zaten { $limit } masada oturuyorsunuz, daha fazlasına oturamazsınız.
setting-bot-accounts = Başkalarının programları kendi hesaplarıyla oynayabilir mi: off ya da on ([client.md](../en/client.md)).
setting-bot-tables = Böyle bir programın aynı anda kaç masada oynayabileceği.
setting-bot-messages-per-second = Bir anda 25 mesajın ötesinde, saniyede ortalama kaç mesaj gönderebileceği.

## Gözetmenlerin sayfada gördükleri
moderate-title = Bildirimler
moderate-none = Bekleyen bildirim yok.
moderate-reporters = { $count } kişi bildirdi
moderate-line = { $when }: { $reason }. Bildiren { $by }, el { $deal }.
moderate-muted = Mesajları { $until } tarihine kadar kapalı.
moderate-muted-for-good = Mesajları bir gözetmen açana kadar kapalı.
moderate-day = Mesajlarını bir gün kapat
moderate-week = Mesajlarını bir hafta kapat
moderate-mute = Mesajlarını süresiz kapat
moderate-unmute = Mesajlarını aç
moderate-kick = Masadan çıkar
moderate-kick-sure = { $name } masadan çıkarılacak. Bu masaya bir daha dönemez; süren maçta yerine bot oynar. Emin misiniz?
moderate-settle = Gerek yok
moderate-settled = Bakılanlar
moderate-trail = Yaptığınız her şey hesabınızla birlikte kaydedilir.
