# Sunucuyu çalıştıran komut: nerede bulunduğu ve neden başlamadığı.

## Yardım
cli-serve =
    İnsanların ve botların masaları için, bu makinede ya da ağda bir sunucu çalıştırır.

    Her şey tek bir klasörde tutulur. --host 0.0.0.0 ile ağdaki diğer cihazlar da bağlanabilir. Ortamda OKEY101_ ile başlayan değişkenlerle daha çok şey ayarlanır. Ctrl-C, her şey saklandıktan sonra sunucuyu durdurur; ikincisi hemen durdurur.
cli-serve-short = İnsanların ve botların masaları için bir sunucu çalıştırır.
opt-host = Dinlenecek adres (varsayılan 127.0.0.1: yalnızca bu makine; 0.0.0.0: bütün ağ).
opt-port = Bağlantı noktası (varsayılan 8101; 0 boş birini seçer).
opt-store = Masaların tutulduğu yer: bir klasör ya da tam yoluyla sqlite:///KLASÖR.
opt-data = Sunucunun her şeyi tuttuğu klasör (varsayılan: kullanıcının veri klasöründe okey101).
opt-refused-names = Adlarda geçmemesi istenen sözcüklerin dosyası, her satırda bir sözcük.
opt-public-url = Tarayıcıların sunucuya dışarıdan ulaştığı adres, örneğin https://okey.example.
opt-allowed-hosts = Bu makinenin kendi adları dışında, tarayıcıların sunucuya ulaşabileceği bir ad; birden çok kez verilebilir.
opt-browse = Sayfayı tarayıcıda açar.

## Yanıtlar
serve-open = Tarayıcıda açın: { $url }
serve-other = Şu adresten de ulaşılır: { $url }
serve-stop = Ctrl-C sunucuyu durdurur.

## Başarısızlıklar
error-bad-server-setting = { $wanted ->
    [number] { $setting } şu aralıkta bir sayı olmalıdır: { $what }.
    [above-zero] { $setting } sıfırdan büyük bir sayı olmalıdır; en çok: { $what }.
    [choice] { $setting } şunlardan biri olmalıdır: { $what }.
    [length] { $setting } için karakter sayısı şu aralıkta olmalıdır: { $what }.
    [bots] { $setting } noktalı virgülle ayrılmış ad=bot çiftleri olmalıdır; adlar küçük harfle ve yeni.
    [hosts] { $setting } virgülle ayrılmış, bağlantı noktası içermeyen adlar olmalıdır, örneğin okey.lan.
    [networks] { $setting } virgülle ayrılmış ağlar olmalıdır, örneğin 10.0.0.0/8.
    [database] { $setting } postgresql://kullanıcı@sunucu/ad gibi bir adres olmalıdır.
    [endpoint] { $setting } 10.0.0.1:8102 gibi bir adres olmalıdır.
    [origin] { $setting } yolu olmayan bir adres olmalıdır, örneğin https://okey.example.
    [site] { $setting } kurulmuş bir sitenin klasörü olmalıdır; içinde index.html bulunur.
    [file] { $setting } okunabilen bir dosyanın adı olmalıdır.
    [twice] { $setting } ile { $what } birlikte verilemez.
   *[folder] { $setting } bir klasörün yolu olmalıdır.
}
error-store-unsupported = Masalar { $kind } içinde tutulamaz; sqlite:///KLASÖR ya da postgresql://KULLANICI@SUNUCU/AD kullanın.
error-two-stores = --store ile --data ayrı klasörleri gösteriyor.
error-bad-refused-names = { $path } istenmeyen adlar için kullanılamaz: { $wrong ->
    [unreadable] dosya okunamıyor.
    [large] bir megabayttan büyük.
    [encoding] UTF-8 değil.
   *[word] { $line }. satır, en az iki harfli tek bir sözcük değil.
}
error-store-unwritable = { $path } yazılamıyor; sunucu her şeyi orada tutar.
error-store-not-ours = { $path } okey101 dosyası değil.
error-store-newer = { $path } daha yeni bir okey101 tarafından yazılmış.
error-store-corrupt = { $path } bozulmuş.
error-store-in-use = { $path } başka bir sunucu ya da program tarafından kullanılıyor.
error-store-unreachable = Veritabanı kullanılamıyor: { $reason }.
error-node-port = Diğer düğümler { $address } adresinde dinlenemiyor: { $reason }. OKEY101_NODE_LISTEN ile başka bir adres seçin.
error-store-too-old = PostgreSQL 14 ya da daha yenisi gerekir; bu daha eski.
error-store-not-durable = PostgreSQL fsync kapalı çalışıyor, onayladığı veriyi kaybedebilir; açın.
error-bad-admin-token = { $path } içinde anahtar yok; dosyayı silip yeniden başlatın.
error-foreign-owner = { $path }, { $owner } kullanıcısına ait; sunucu ise { $user } olarak çalışıyor. Geri yüklemeden sonra bütün klasörü devredin: chown -R { $user } { $folder }
error-open-admin-token = { $path } dosyasını başkaları okuyabiliyor; silip yeniden başlatın ya da yalnız size ait yapın: chmod 600
error-port-in-use = { $port } numaralı bağlantı noktasını başka bir program kullanıyor; --port ile başkasını seçin, 0 boş birini seçer.
error-port-forbidden = { $port } numaralı bağlantı noktası kullanılamaz: izin yok; 1024 ya da daha büyük bir sayı seçin.
error-port-failed = { $port } numaralı bağlantı noktası kullanılamıyor: { $reason }
error-bad-host = { $host } bu makinenin bir adresi değil.
error-start-failed = Sunucu başlamadı.

## ``okey101 store``
cli-store = Sunucunun sakladığı her şeyi başka bir yere taşır.
cli-store-short = Sunucunun sakladıklarını taşır.
cli-store-copy =
    Sunucunun sakladığı her şeyi başka bir klasöre ya da bir PostgreSQL veritabanına kopyalar.

    FROM ve TO birer klasör ya da postgresql://kullanıcı@sunucu/ad gibi birer adrestir. O sırada ikisini de hiçbir sunucu kullanmamalıdır. TO boş olmalıdır. Yarıda kalan kopya, aynı komutla kaldığı yerden sürer. Sonunda ikisi satır satır karşılaştırılır ve admin check neye bakıyorsa hepsi denetlenir.
cli-store-copy-short = Her şeyi başka bir klasöre ya da veritabanına kopyalar.
opt-store-copy-source = Her şeyin bulunduğu yer.
opt-store-copy-target = Kopyanın yapılacağı yer.
store-copying = Kopyalanıyor
store-copied = Kopyalandı ve karşılaştırıldı: { $rows } satır; içinde { $people } kişi ve { $matches } maç var.
store-keys = Şu dosyalar sunucunun eski klasöründe kalır; kopyayı o klasörle (--data) çalıştırın ya da dosyaları yeni klasöre kopyalayın: { $files }
store-served = { $source } artık çalıştırılmamalı: orada olacaklar kopyada bulunmaz.
error-store-not-empty = { $path } boş değil ya da başka bir yerin yarım kalmış kopyasını tutuyor.
error-store-unfinished = { $path } içindeki kopya bitmemiş; store copy komutunu yeniden verin.
error-copy-differs = { $table } tablosu kopyada farklı: kaynak o sırada çalıştırılmış olabilir. Hedefi boşaltıp yeniden kopyalayın.
error-copy-failed = Kopya durdu ({ $reason }). Aynı komut kaldığı yerden sürdürür.
