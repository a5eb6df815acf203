## The check of a deal on the page

fair-question = Bu el adil mi?
fair-button =
    { $state ->
        [proved] Bu el adil: denetlendi
        [differs] Bu elde bir uyuşmazlık var
        [none] Elleri denetle
        [away] Başkalarının eli: bakılabilen her şey tutuyor
       *[unknown] Dikkat: bu el tam denetlenemedi
    }
fair-deals = Eller
fair-deal = { $number }. el
fair-none = Bu elde bakılacak bir şey yok: sunucu mühür göstermedi.
fair-verdict =
    { $state ->
        [proved] Evet. Taşları kimse seçmedi; bunu bu cihaz kendisi hesapladı.
        [differs] Hayır, bir şey tutmuyor. Aşağıda kırmızıyla yazılı.
        [away] Bu eli siz oynamadınız. Herkesin bakabildiği her şey tutuyor: sayılar mühürlere, taşlar sayılara uyuyor. Mührün el başlamadan gösterildiğine yalnızca o masada oynayan, oynadığı cihazda bakabilir.
       *[unknown] Dikkat: bakılabilen her şey tutuyor ama her şeye bakılamadı. Eksik olan aşağıda en başta.
    }
fair-story = Taşlar karılmadan önce sunucu gizli bir sayı seçip onu mühürledi, mührü de herkese gösterdi. { $mine ->
        [proved] Ardından siz ve varsa masadaki diğer oyuncular da birer gizli sayı verdiniz; botlar vermedi.
       *[other] Ardından masadaki oyuncular da birer gizli sayı verdi; botlar vermedi.
    } Taşların sırası bu sayıların hepsinden birlikte çıktı. Mühürlü sayıyı kimse sonradan değiştiremez, bir oyuncunun sayısını da kimse önceden bilemez. Bu yüzden taşları kimse seçemez, sunucu da.
fair-done = El bitince sunucu mührünü açtı. Bu sayfa sayılardan taşları yeniden dağıttı ve gördüklerinizle karşılaştırdı:
fair-state =
    { $state ->
        [proved] Tutuyor
        [differs] Tutmuyor
        [none] Daha bakılmadı
        [away] Masada değildiniz
       *[unknown] Bakılamadı
    }
fair-check-told = Sunucu, el başlamadan gösterdiği mührü hiç açmadı.
fair-check-noted =
    { $state ->
        [proved] Sunucunun mührü, el başlamadan gösterdiği mühür.
        [differs] Sunucunun mührü, el başlamadan gösterdiği mühür değil.
       *[unknown] El başlarken bu cihaz masada değildi; bu yüzden sunucunun mührüne bakılamadı.
    }
fair-check-secret =
    { $state ->
        [proved] Sunucunun gizli sayısı mühre uyuyor.
       *[differs] Sunucunun gizli sayısı mühre uymuyor: sayı değiştirilmiş.
    }
fair-check-context =
    { $state ->
        [proved] Sayılar bu masanın bu eli için, bu kurallarla verildi.
        [differs] Sayılar başka bir masanın, başka bir elin ya da başka kuralların sayıları.
       *[unknown] Sayıların hangi masa için verildiğine bakılamadı.
    }
fair-check-shown =
    { $state ->
        [proved] Bütün mühürler ve kimin nerede oturduğu, taşlar karılmadan gösterildiği gibi.
        [differs] Bir mühür ya da kimin nerede oturduğu, taşlar karılmadan gösterildiği gibi değil.
       *[unknown] Bu tarayıcıda diğer mühürlerin el başlamadan önceki kaydı yok.
    }
fair-check-mine =
    { $state ->
        [proved] Sizin sayınız taşların sırasına katıldı.
        [differs] Sizin sayınız kullanılmamış ya da değiştirilmiş.
       *[unknown] Bu elde bu cihaz sayı vermedi.
    }
fair-check-shares =
    { $state ->
        [proved] En az bir oyuncu sayı verdi.
       *[unknown] Hiçbir oyuncu sayı vermedi: taşların sırası yalnızca sunucunun sayısından çıktı.
    }
fair-check-opened =
    { $state ->
        [proved] Her oyuncunun sayısı kendi mührüne uyuyor.
        [differs] Bir oyuncunun sayısı mührüne uymuyor ya da eksik.
       *[unknown] Bu elde oyuncuların mühürleri yoktu.
    }
fair-check-silent =
    { $state ->
        [proved] Botlar sayı vermedi.
        [differs] Bir bot da sayı vermiş; vermemeliydi.
       *[unknown] Botların sayı verip vermediğine bakılamadı.
    }
fair-check-rounds =
    { $state ->
        [proved] Yarıda kalan denemelerin hepsi nedeniyle birlikte açıklandı.
        [differs] Yarıda kalan bir deneme gizlenmiş, değiştirilmiş ya da nedensiz.
       *[unknown] Sunucu dosyalarını geri koyduğu ya da bir bölümünü kaybettiği için taşlar yeniden karıldı. Olabilir; ama bunu sık yapan, işine gelen taşları bekleyebilir.
    }
fair-check-dealer =
    { $state ->
        [proved] Dağıtıcı doğru oyuncu.
        [differs] Dağıtıcı başka bir oyuncu olmalıydı.
       *[unknown] Bu tarayıcıda önceki elin kaydı yok; dağıtıcıya bakılamadı.
    }
fair-check-table =
    { $state ->
        [proved] Zar ve gösterge bu sayılardan çıkıyor.
       *[differs] Zar ya da gösterge bu sayılardan çıkmıyor.
    }
fair-check-hand =
    { $state ->
        [proved] Size dağıtılan taşlar bu sayılardan çıkıyor.
        [differs] Size dağıtılan taşlar bu sayılardan çıkmıyor.
       *[unknown] Bu tarayıcıda taşların dağıtılışının kaydı yok.
    }
fair-check-drawn =
    { $state ->
        [proved] Yerden çektiğiniz taşlar, sırası gelen taşlardı.
       *[differs] Yerden çektiğiniz bir taş, sırası gelen taş değildi.
    }
fair-check-others =
    { $state ->
        [proved] Herkesin gösterdiği taşlar, dağıtılan ve çekilen taşlar.
       *[differs] Biri, kendisine dağıtılmamış bir taş gösterdi.
    }
fair-check-same =
    { $state ->
        [proved] Dağıtıcı, gösterge, hamleler ve taşlarınız, el sırasında bu sayfaya gösterilenlerle aynı.
       *[differs] Dağıtıcı, gösterge, hamleler ya da taşlarınız, el sırasında bu sayfaya gösterilenlerden farklı.
    }
fair-thrown = Bu maçta { $rounds } karışımdan { $thrown } tanesi atıldı.
fair-thrown-often = Bu maçta { $rounds } karışımdan { $thrown } tanesi atıldı. Rastlantıyla bu kadar olmaz: biri taşları yeniden kardırdı.
fair-log =
    { $state ->
        [same] Sunucunun açık kaydında bu maçın bütün karıştırmaları ve bu tarayıcının önceden gördüğü her şey var.
        [later] Sunucunun açık kaydında bu tarayıcının önceden gördüğü her şey var. Daha yeni bitmiş maçlar ve son karıştırmalar bir iki dakika içinde kayda girer; sonra yeniden bakabilirsiniz.
        [lacks] Sunucunun açık kaydında bu maçın bazı karıştırmaları ya da maçın kendisi yok.
        [changed] Sunucunun açık kaydı, bu tarayıcının önceden gördüğü kayıt değil ya da kanıtları tutmuyor. Kayıt değiştirilmiş ya da sunucunun eski dosyaları geri konmuş.
        [unproved] Sunucu yanıt veriyor ama açık kaydında ne olduğunu şu anda kanıtlamıyor. Böyle kalırsa kayıt değiştirilmiş olabilir.
       *[unknown] Sunucunun açık kaydına ulaşılamadı.
    }
fair-limits = Bunun göstermediği: sunucu el sürerken bütün taşları bilir. Kimsenin bakmadığını ve oyuncuların anlaşmadığını hiçbir hesap gösteremez. Bu sayfa da denetlediği sunucudan gelir.
fair-close = Kapat

## Where there is more to check

fair-record-proof = Maç dosyasında dağıtılan taşlar ve bütün hamleler yazar. Dosyayı okey101 olan herkes denetleyebilir: “okey101 verify --bots DOSYA”, taşların söz verildiği gibi dağıtılıp dağıtılmadığını ve botların yalnızca oturanın gördükleriyle seçip seçmediğini söyler.
fair-print = Bu sayfanın izi
fair-print-means = Sayfanın bütün dosyalarının izi (SHA-256). Burada görünmesi bir şey kanıtlamaz: bu sayfa, denetlediği sunucudan gelir. Bunu başka yerden aldığınız bir sürümün iziyle karşılaştırın: yayımlanan sayfa olup olmadığını ancak bu gösterir.
fair-log-key = Açık kaydın anahtarı
fair-log-key-means = Sunucu açık kaydını bu anahtarla imzalar ve kayıttan hiçbir şey çıkarılamaz. Anahtarı not edin ve başkalarınınkiyle karşılaştırın: herkese aynı anahtar gösterilmelidir.
