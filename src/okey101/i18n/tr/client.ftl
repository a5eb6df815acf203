# Sunucudaki masalarda oynayan programlar ve `okey101 client-check` komutunun söyledikleri.

## Hatalar
error-act-pending = Bu sıradaki bir hamle hâlâ yanıt bekliyor.
error-bad-address = { $address } bir sunucu adresi değil. https://okey.example ya da http://127.0.0.1:8101 gibi yazın.
error-bad-day = { $day } bir gün ya da meydan okuma değil. 2026-11-27 gibi bir tarih ya da 0123456789abcdef gibi bir meydan okuma adı yazın.
error-bad-audit-file = Bu dosyada okey101 audit komutunun yazdığı bir şey yok.
error-deleted = Hesabınız silindi.
error-line-closed = Program bağlantıyı kendisi kapattı.
error-line-failed = Program sunucuyu dinlerken bir hata verdi: { $reason }.
error-log-key-changed = Kayıt artık başka bir anahtarla imzalı: { $now }; önceki { $before } idi. Sunucu yöneticisine anahtarın değişip değişmediğini sorun.
error-log-lacks = Kayıtta, { $file } dosyasına göre olması gereken { $count } satır yok.
error-log-rewritten = Kayıt, { $size } satıra kadar önceden gösterilen kayıt değil: yazılanlar değiştirilmiş.
error-log-shortened = Kayıtta { $size } satır vardı, şimdi { $now } var: dosyaları eskisiyle değiştirilmiş ya da kısaltılmış.
error-log-strange-entry = Kaydın { $place } numaralı satırı bilinen bir türden değil.
error-log-unproved = Sunucu, önceden gösterilenlerin kaydında durduğunu kanıtlamıyor: { $reason }.
error-log-wrong-signature = Kaydın özeti kendi anahtarıyla imzalanmamış.
error-no-server = { $address } adresinde yanıt veren bir sunucu yok: { $reason }.
error-not-okey101 = { $address } yanıt veriyor ama bir okey101 sunucusu değil.
error-other-protocol = Sunucu { $theirs } sürümündeki protokolü konuşuyor, bu program { $ours } sürümünü. Hangisi eskiyse onu güncelleyin.
error-replaced = Masa başka bir yerde açıldı.
error-server-moved = { $address } programları { $to } adresine yönlendiriyor. Oraya güveniyorsanız o adresi verin.
error-session-changed = Misafir hesap oluşturdu ya da bir hesaba giriş yaptı.
error-signed-out = Oturumunuz kapandı.
error-unfair-deal = El, söz verilene uymuyor: { $reason }.
error-was-refused = Sunucu bağlantıyı HTTP { $status } ile geri çevirdi.
error-client-faulty = { $count } çeşit hata bulundu.
error-client-not-tested = Denemelerden { $count } tanesi için fırsat çıkmadı. Oynamayı sürdürün ya da daha çok el oynayın.
error-port-taken = { $port } numaralı port kullanılamıyor: { $reason }. --port ile başka bir port seçin.

## Yardım ve yanıtlar: client-check
cli-client-check =
    Kendi istemcinizin kötü bir bağlantıda neyi yanlış yaptığını bulur.

    URL, çalışan bir sunucudur. Bu komut kendine ait bir adreste dinler ve her şeyi sunucuya iletir. İstemcinizi orada, isterseniz botlara karşı, bir maç oynatın. O oynarken bağlantı kesilir, yanıtlar geç ya da iki kez gelir, bilinmeyen mesajlar gelir. --bot ile istemcinizin yerine bir bot, okey101 istemcisiyle oynar.
cli-client-check-short = Bir istemciyi ya da botu kötü bir bağlantıda sınar.
opt-client-check-url = Çalışan bir sunucunun adresi, örneğin http://127.0.0.1:8101.
opt-client-check-bot = Oynayacak bot: bir ad, module:Class ya da exec:KOMUT.
opt-client-check-port = Dinlenecek port (varsayılan: boş bir port).
opt-client-check-rounds = Her denemenin kaç kez yapılacağı (varsayılan 2).
opt-client-check-seed = Denemelerin sırasını belirleyen sayı (varsayılan 0).
opt-client-check-seconds = Sınamanın kaç saniye sonra biteceği (varsayılan 900).
check-connect = İstemcinizi { $server } yerine { $url } adresinde oynatın. Sınamayı bitirmek için Ctrl-C tuşlarına basın.
check-trying = Denemeler
check-head = { $lines } bağlantıda { $actions } hamle
check-times = { $count } kez
check-first = örneğin: { $example }
check-good = Her şey denendi, yanlış bir şey bulunmadı.

## Yardım ve yanıtlar: audit
cli-audit =
    Bir sunucunun açık kaydını izler; neyi atladığını ya da değiştirdiğini bulur.

    URL, çalışan bir sunucudur. Kaydın son özeti, önceki denetiminizdekiyle karşılaştırılır ve o zamandan beri yazılan her satır okunur. FILE, orada oynanmış bir maçın dosyasıdır; satırları kayıtta olmalıdır. Çıkış kodları: 0 her şey yerinde, 3 bir şey atlanmış ya da değiştirilmiş, 4 sunucu yok.
cli-audit-short = Sunucunun gösterdiklerini koruyup korumadığını denetler.
opt-audit-url = Çalışan bir sunucunun adresi, örneğin http://127.0.0.1:8101.
opt-audit-files = Orada oynanmış maçların dosyaları.
opt-audit-memory = Görülenlerin tutulduğu dosya (varsayılan: kullanıcının durum klasöründe bu sunucunun dosyası).
opt-audit-every = Siz Ctrl-C tuşlarına basana kadar S saniyede bir yeniden bakar.
audit-same = Kayıtta önceden olan her şey duruyor: { $size } satır.
audit-counts = { $matches } maç, { $rounds } tur; bunların { $thrown } tanesi atılmış.
audit-key = İmzalayan: { $key }
audit-unsigned = İmza denetlenmedi, çünkü cryptography kurulu değil (pip install "okey101[server]").
audit-kept = Sonraki denetim için { $path } dosyasında duruyor.

## Denemeler
check-trial-action-lost = Bağlantı, hamle sunucuya varmadan kesilir
check-trial-ack-lost = Bağlantı, hamleden sonra, yanıtından önce kesilir
check-trial-ack-late = Hamlenin yanıtı geç gelir
check-trial-event-late = Hamlenin olayı, yanıtından sonra geç gelir
check-trial-event-again = Bir olay iki kez gelir
check-trial-message-halved = Bağlantı bir mesajın ortasında kesilir
check-trial-unknown-message = Türü bilinmeyen bir mesaj gelir
check-trial-unknown-name = Bir olayda bilinmeyen adlar bulunur
check-trial-fresh-view = Kesintiden sonra, kaçırılanlar yerine bütün görünüm gelir
check-trial-handshakes-refused = Kesintiden sonra geri gelme çabası üç kez boşa çıkar
check-trial-replaced = Yer başka bir bağlantıya geçtiği için bağlantı kapatılır

## Bulunanlar
check-ack-not-awaited = Sonraki hamleyi göndermeden önce ack ya da error mesajını bekleyin.
check-act-without-turn = act ile birlikte deal ve turn gönderin. Yoksa hamle, sıranız yeniden geldiğinde yapılabilir.
check-back-after-replaced = 4001 kapanış kodundan sonra kendiliğinden geri gelmeyin.
check-bad-message = Sunucu bir mesajı okuyamadı. protocol.schema.json ile karşılaştırın.
check-head-not-returned = hello mesajında seq ile birlikte son head değerini de gönderin.
check-hello-missing = Her bağlantıda ilk mesaj olarak hello gönderin.
check-line-dropped = Bağlantı maçın ortasında kapatıldı.
check-move-sent-twice = Yanıtsız kalan bir hamle başka bir rid ile yeniden yapıldı. Aynı mesajı kendi rid değeriyle yeniden gönderin.
check-no-back-off = Geri gelmeden önce biraz, her seferinde daha uzun bekleyin.
check-not-back = Bağlantı kesildikten sonra geri gelinmedi.
check-not-resent = Yanıtsız kalan bir komut yeniden gönderilmedi. Aynı rid ile bir kez daha gönderin.
check-rate-limited = İstemci, bir kişinin gönderebileceğinden çok mesaj gönderdi.
check-refused-action = O anki seçeneklerden seçilen bir hamleyi kurallar geri çevirdi.
check-rid-reused = Bir rid tek bir komuta aittir, yeniden bağlandıktan sonra da. Rastgele bir şeyle başlatın.
check-seq-invented = hello, istemciye hiç gösterilmemiş bir satırı bildirdi.
check-seq-not-resumed = Geri gelince hello mesajında son seq değerini gönderin.
check-stale-options = Hamle, artık geçerli olmayan seçeneklerden seçildi. ack geldikten sonra o satırın olayını bekleyin.
check-token-in-address = Anahtarı başlık olarak gönderin, hiçbir zaman adresin içinde göndermeyin.
check-turn-lost = Bir sırayı süre bitirdi ya da yere bir bot geçti.
check-turn-not-played = Sıra istemcideydi ama hiçbir şey gelmedi.
check-unknown-not-ignored = Bilmediğiniz türleri ve adları yok sayın.
