# Sunucudaki masalarda oynayan programlar ve `okey101 client-check` komutunun söyledikleri.

## Hatalar
error-act-pending = Bu sıradaki bir hamle hâlâ yanıt bekliyor.
error-bad-address = { $address } bir sunucu adresi değil; adres http:// ya da https:// ile başlar.
error-bad-audit-file = Dosyada bir açık kayıt için yazılmış bir şey yok.
error-line-closed = Program bağlantıyı kendisi kapattı.
error-log-key-changed = Kayıt başka bir anahtarla imzalı: { $now }; önceki { $before } idi. Sunucu yöneticisine anahtarın değişip değişmediğini sorun.
error-log-lacks = Kayıtta, { $file } dosyasına göre olması gereken { $count } satır yok.
error-log-rewritten = Kayıt, { $size } satıra kadar gösterilmiş olan kayıt değil: yazılmış olan değiştirilmiş.
error-log-shortened = Kayıtta { $size } satır vardı, şimdi { $now } var: dosyaları eskisiyle değiştirilmiş ya da kısaltılmış.
error-log-strange-entry = Kaydın { $place } numaralı satırı bilinen bir türden değil.
error-log-wrong-signature = Kaydın özeti kendi anahtarıyla imzalanmamış.
error-no-server = { $address } adresinde yanıt veren bir sunucu yok: { $reason }.
error-not-okey101 = { $address } adresinde yanıt veren, bir okey101 sunucusu değil.
error-other-protocol = Sunucu { $theirs } sürümündeki protokolü konuşuyor, bu program { $ours } sürümünü.
error-unfair-deal = El, söz verilene uymuyor: { $reason }.
error-was-refused = Sunucu bağlantıyı HTTP { $status } ile geri çeviriyor.
error-client-faulty = { $count } çeşit hata bulundu.
error-client-not-tested = Denemelerden { $count } tanesi için fırsat çıkmadı; oynamayı sürdürün ya da daha çok el oynayın.
error-port-taken = { $port } numaralı port dinlenemiyor: { $reason }.

## Yardım ve yanıtlar: client-check
cli-client-check =
    Kendi istemcinizin kötü bir bağlantıda neyi yanlış yaptığını bulur.

    URL, çalışan bir sunucudur. Bu komut kendine ait bir adreste dinler ve her şeyi sunucuya iletir; istemciniz orada, isterseniz botlara karşı, bir maç oynasın. Hamleleri sırasında bağlantı kesilir, yanıtlar geç ya da iki kez gelir, tanımadığı mesajlar gelir. --bot ile istemci yerine bir bot, bu programın kendi istemcisiyle oynar.
cli-client-check-short = Bir istemciyi ya da botu kötü bir bağlantıda sınar.
opt-client-check-url = Çalışan bir sunucunun adresi, örneğin http://127.0.0.1:8101.
opt-client-check-bot = Bu bot oynasın: bir ad, module:Class ya da exec:KOMUT.
opt-client-check-port = Dinlenecek port (varsayılan: boş bir port).
opt-client-check-rounds = Her deneme kaç kez yapılsın (varsayılan 2).
opt-client-check-seed = Denemelerin sırası bundan çıkar (varsayılan 0).
opt-client-check-seconds = Sınama bu kadar saniye sonra biter (varsayılan 900).
check-connect = İstemciniz { $server } yerine { $url } adresinde oynasın. Ctrl-C sınamayı bitirir.
check-trying = Denemeler
check-head = { $lines } bağlantıda { $actions } hamle
check-times = { $count } kez
check-first = örneğin: { $example }
check-good = Her şey denendi, yanlış bir şey bulunmadı.

## Yardım ve yanıtlar: audit
cli-audit =
    Bir sunucunun açık kaydını izler; neyi atladığını ya da değiştirdiğini bulur.

    URL, çalışan bir sunucudur. Son özet, önceki denetiminkiyle karşılaştırılır, o zamandan beri yazılan her satır okunur ve her FILE, yani orada oynanmış bir maçın dosyası için gereken satırların kayıtta olması gerekir. Çıkış kodları: 0 her şey yerinde, 3 bir şey atlanmış ya da değiştirilmiş, 4 sunucu yok.
cli-audit-short = Sunucuyu önceden gösterdiğine bağlı tutar.
opt-audit-url = Çalışan bir sunucunun adresi, örneğin http://127.0.0.1:8101.
opt-audit-files = Orada oynanmış maçların dosyaları.
opt-audit-memory = Görülenlerin tutulduğu dosya (varsayılan: kullanıcının durum klasöründe bu sunucunun dosyası).
opt-audit-every = Ctrl-C'ye kadar S saniyede bir yeniden bakar.
audit-same = Kayıtta önceden olan her şey duruyor: { $size } satır.
audit-counts = { $matches } maç, { $rounds } tur; bunların { $thrown } tanesi atılmış.
audit-key = İmzalayan: { $key }
audit-unsigned = İmza denetlenmedi: bunun için cryptography gerekir (pip install "okey101[server]").
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
check-act-without-turn = act ile birlikte deal ve turn gönderin: yoksa hamle, sıranız yeniden geldiğinde yapılabilir.
check-back-after-replaced = 4001 kapanış kodundan sonra kendiliğinden geri gelmeyin.
check-bad-message = Sunucu bir mesajı okuyamadı; protocol.schema.json ile karşılaştırın.
check-head-not-returned = hello mesajında seq ile birlikte son head değerini de gönderin.
check-hello-missing = Her bağlantıda ilk mesaj hello olmalıdır.
check-line-dropped = Bağlantı maçın ortasında kapatıldı.
check-move-sent-twice = Yanıtsız kalan bir hamle başka bir rid ile yeniden yapıldı; aynı mesajı kendi rid değeriyle yeniden gönderin.
check-no-back-off = Geri gelmeden önce biraz, her seferinde daha uzun bekleyin.
check-not-back = Bağlantı kesildikten sonra geri gelinmedi.
check-not-resent = Yanıtsız kalan bir komut yeniden gönderilmedi; aynı rid ile bir kez daha gönderin.
check-rate-limited = Bir kişinin gönderebileceğinden çok mesaj gönderildi.
check-refused-action = O anki seçeneklerden seçilen bir hamleyi kurallar geri çevirdi.
check-rid-reused = Bir rid tek bir komuta aittir, yeniden bağlandıktan sonra da; rastgele bir şeyle başlatın.
check-seq-invented = hello, hiç gösterilmemiş bir satırı bildirdi.
check-seq-not-resumed = Geri gelince hello mesajında son seq değerini gönderin.
check-stale-options = Hamle, artık geçerli olmayan seçeneklerden seçildi; ack geldikten sonra o satırın olayını bekleyin.
check-token-in-address = Anahtarı başlık olarak gönderin, hiçbir zaman adresin içinde göndermeyin.
check-turn-lost = Bir sırayı süre bitirdi ya da yere bir bot geçti.
check-turn-not-played = Sıra istemcideydi ama hiçbir şey gelmedi.
check-unknown-not-ignored = Bilmediğiniz türleri ve adları yok sayın.
