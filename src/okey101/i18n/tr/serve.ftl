# Sunucuyu çalıştıran komut: nerede bulunduğu ve neden başlamadığı.

## Yardım
cli-serve =
    İnsanlar ve botlar için, bu makinede ya da ağda masa sunucusu çalıştırır.

    Sunucu her şeyi tek bir klasörde tutar. --host 0.0.0.0 ile ağdaki diğer cihazlar da bağlanabilir. OKEY101_ ile başlayan ortam değişkenleriyle daha çok şey ayarlanır. Ctrl-C, her şey saklandıktan sonra sunucuyu durdurur; bir daha basılırsa hemen durdurur.
cli-serve-short = İnsanlar ve botlar için masa sunucusu çalıştırır.
opt-host = Dinlenecek adres (varsayılan 127.0.0.1: yalnızca bu makine; 0.0.0.0: bütün ağ).
opt-port = Port (varsayılan 8101; 0 boş bir port seçer).
opt-store = Masaların tutulduğu yer: bir klasör, tam yoluyla sqlite:///KLASÖR ya da postgresql://kullanıcı@sunucu/ad gibi bir veritabanı.
opt-data = Sunucunun her şeyi tuttuğu klasör (varsayılan: kullanıcının veri klasöründe okey101).
opt-refused-names = Adlarda geçmemesi istenen sözcüklerin dosyası; her satırda bir sözcük.
opt-public-url = Tarayıcıların dışarıdan kullandığı adres, örneğin https://okey.example.
opt-allowed-hosts = Bu makinenin kendi adları dışında, tarayıcıların sunucu için kullanabileceği bir ad; yinelenebilir.
opt-browse = Sayfayı tarayıcıda açar.
opt-verbose = Terminalde yalnızca uyarıları değil, bütün kaydı gösterir.

## Yanıtlar
serve-open = Tarayıcıda açın: { $url }
serve-other = Şu adresten de ulaşılır: { $url }
serve-stop = Sunucuyu durdurmak için Ctrl-C tuşlarına basın.

## Başarısızlıklar
error-bad-server-setting = { $wanted ->
    [number] { $setting } şu aralıkta bir sayı olmalıdır: { $what }.
    [above-zero] { $setting } sıfırdan büyük bir sayı olmalıdır; en çok: { $what }.
    [choice] { $setting } şunlardan biri olmalıdır: { $what }.
    [length] { $setting } için karakter sayısı şu aralıkta olmalıdır: { $what }.
    [bots] { $setting } noktalı virgülle ayrılmış ad=bot çiftleri olmalıdır; adlar küçük harfle ve yeni.
    [hosts] { $setting } virgülle ayrılmış, port içermeyen adlar olmalıdır, örneğin okey.lan.
    [networks] { $setting } virgülle ayrılmış ağlar olmalıdır, örneğin 10.0.0.0/8.
    [database] { $setting } postgresql://kullanıcı@sunucu/ad gibi bir adres olmalıdır.
    [endpoint] { $setting } 10.0.0.1:8102 gibi bir adres olmalıdır.
    [origin] { $setting } yolu olmayan bir adres olmalıdır, örneğin https://okey.example.
    [site] { $setting } kurulmuş bir sitenin klasörü olmalıdır; içinde index.html bulunur.
    [file] { $setting } okunabilen bir dosyanın adı olmalıdır.
    [twice] { $setting } ya da { $what } verin, ikisini birden değil.
   *[folder] { $setting } bir klasörün yolu olmalıdır.
}
error-store-unsupported = Masalar { $kind } içinde tutulamaz. sqlite:///KLASÖR ya da postgresql://KULLANICI@SUNUCU/AD kullanın.
error-two-stores = --store ile --data farklı klasörleri gösteriyor. Yalnızca birini verin.
error-bad-refused-names = { $path } istenmeyen adlar için kullanılamaz: { $wrong ->
    [unreadable] dosya okunamıyor.
    [large] bir megabayttan büyük.
    [encoding] UTF-8 değil.
   *[word] { $line }. satır, en az iki harfli tek bir sözcük değil.
}
error-store-unwritable = { $path } yazılamıyor, oysa sunucu her şeyi orada tutar. İzinleri değiştirin ya da başka bir klasör seçin.
error-store-not-ours = { $path } okey101 tarafından yapılmamış. Başka bir yer seçin.
error-store-newer = { $path } daha yeni bir okey101 tarafından yazılmış. O sürümü ya da daha yenisini kurun.
error-store-other-build = Bu verileri iki sürüm arasında yapılmış başka bir okey101 yazmış. Başka bir klasörle başlatın (--data KLASÖR) ya da bunları kaldırın.
error-store-corrupt = { $path } bozulmuş. Bir yedeği geri koyun.
error-store-in-use = { $path } başka bir sunucu ya da program tarafından kullanılıyor. Önce onu durdurun.
error-store-unreachable = Veritabanı kullanılamıyor: { $reason }.
error-node-port = Bu düğüm, diğer düğümleri { $address } adresinde dinleyemiyor: { $reason }. OKEY101_NODE_LISTEN ile başka bir adres seçin.
error-store-too-old = Bu PostgreSQL çok eski. 14 ya da daha yeni bir sürüm kullanın.
error-store-not-durable = PostgreSQL fsync kapalı çalışıyor, bu yüzden onayladığı veriyi kaybedebilir. fsync ayarını açın.
error-bad-admin-token = { $path } içinde anahtar yok. Dosyayı silip yeniden başlatın.
error-foreign-owner = { $path } { $owner } kullanıcısına ait, sunucu ise { $user } olarak çalışıyor. Yedeği geri koyduktan sonra bütün klasörü devredin: chown -R { $user } { $folder }
error-open-admin-token = { $path } dosyasını başkaları da okuyabiliyor. Silip yeniden başlatın ya da yalnızca size ait yapın: chmod 600
error-port-in-use = { $port } numaralı portu başka bir program kullanıyor. --port ile başka bir port seçin; 0 boş bir port seçer.
error-port-forbidden = { $port } numaralı portu kullanma izniniz yok. 1024 ya da daha büyük bir sayı seçin.
error-port-failed = { $port } numaralı port kullanılamıyor: { $reason }
error-bad-host = { $host } bu makinenin bir adresi değil. 127.0.0.1 ya da bütün ağ için 0.0.0.0 kullanın.

## ``okey101 store``
cli-store = Sunucunun verilerini başka bir yere taşır.
cli-store-short = Sunucunun verilerini taşır.
cli-store-copy =
    Sunucunun bütün verilerini başka bir klasöre ya da bir PostgreSQL veritabanına kopyalar.

    FROM ve TO birer klasör ya da postgresql://kullanıcı@sunucu/ad gibi birer adrestir. O sırada ikisini de hiçbir sunucu kullanmamalıdır. TO boş olmalıdır. Yarıda kalan kopya, aynı komutla kaldığı yerden sürer. Sonunda ikisi satır satır karşılaştırılır ve admin check neye bakıyorsa hepsi denetlenir.
cli-store-copy-short = Bütün verileri başka bir klasöre ya da veritabanına kopyalar.
opt-store-copy-source = Verilerin bulunduğu yer.
opt-store-copy-target = Verilerin kopyalanacağı yer.
store-copying = Kopyalanıyor
store-copied = Kopyalandı ve karşılaştırıldı: { $rows } satır; içinde { $people } kişi ve { $matches } maç var.
store-keys = Şu dosyalar sunucunun eski klasöründe kalır. Kopyayı o klasörle (--data) çalıştırın ya da dosyaları yeni klasöre kopyalayın: { $files }
store-served = { $source } üzerinde artık sunucu çalıştırmayın: orada olacaklar kopyada bulunmaz.
error-store-not-empty = { $path } boş değil ya da başka bir yerin yarım kalmış kopyasını tutuyor. Boş bir yer seçin.
error-store-unfinished = { $path } içindeki kopya bitmemiş. store copy komutunu yeniden verin.
error-copy-differs = { $table } tablosu kopyada farklı. O sırada bir sunucu kaynağı kullanmış olabilir. Hedefi boşaltıp yeniden kopyalayın.
error-copy-failed = Kopya durdu: { $reason }. Aynı komut kaldığı yerden sürdürür.
