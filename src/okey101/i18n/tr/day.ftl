# Günün elleri on the page.

day-about = Dört el, herkese aynı taşlar, karşınızda aynı üç bot ({ $bots }). Günde bir kez oynanır; yarım kalırsa kaldığınız yerden sürer.
day-until = { $begin } saatine kadar başlayabilir, { $close } saatine kadar bitirebilirsiniz.
day-until-late = Artık başlanamaz. Başlamış olanlar { $close } saatine kadar bitirebilir.
day-closed = Bu gün kapandı. Maçlar artık izlenebilir.
day-waits = Kapanış: { $close }. O zamana kadar yeriniz değişebilir; maçları izlemek için de günün kapanması beklenir.
day-begin = Oyna
day-go-on = Devam et
day-players = Şimdiye kadar { $count } kişi bitirdi.
day-unranked = Sıralamaya, açılalı en az bir gün olmuş hesaplar girer, gözetmenler girmez. Yerinizi yine görürsünüz, ama kimsenin yerini almazsınız.
day-account = Hesap oluştur
day-place = { $of } katılımcı arasında { $place }. sıra
day-percent = Başarı { $percent }
day-table = Günün tablosu
day-everybody = Herkes
day-spread = Başarıların dağılımı
day-spread-step = { $from }–{ $to }
day-spread-table = Tablo olarak
day-head-place = Sıra
day-head-who = Oyuncu
day-head-players = Katılımcı
day-head-deal = { $number }. el
day-head-total = Toplam
day-head-percent = Başarı
day-how = Başarı, aynı eli oynayanların yüzde kaçından iyi olduğunuzdur; eşit puan yarım sayılır. Az puan iyidir.
day-instances = Herkes sizin ellerinizi oynamadı: her oyuncu, aynı elleri oynayanlarla karşılaştırılır.
day-skill = oyun { $points }
day-skill-how = Oyun, kendi seçimlerinizin o ele kattığı puandır, şans sayılmaz: eksi iyidir. Maç incelendiyse görünür.
day-bot = Bot { $number }
day-erased = Silinmiş kişi
day-watch = { $name }: izle
day-watch-how = Oyunu izlemek için ada dokunun.
day-best = En iyi oyunu izle
day-own = Kendi oyununu izle
day-share = Sonucu paylaş
day-picture = Resim olarak paylaş
day-share-text = Okey 101, Günün elleri, { $date }: başarı { $percent }, { $of } katılımcı arasında { $place }. sıra { $marks }
day-week = Hafta
day-month = Ay
day-head-days = Gün
day-head-average = Ortalama
day-streak = { $count } gündür üst üste oynuyorsunuz.
day-totals-none = Henüz kimse yok: gün kapanınca sayılır.
day-totals-how = Sıralamaya girerek oynanan, kapanmış günlerin başarıları toplanır; oynamadığınız gün bir şey katmaz. Şimdiye kadar { $days } gün kapandı.
day-other = Günün elleri: { $date }
day-none = Burada günün elleri oynanmıyor.
day-proof = Bu eller adil mi?
day-proof-sealed = Sunucu dört elin sırlarını { $when } günü mühürledi. Mühürler açık kayıttadır, değiştirilemez; sırlar kapanışta açılır. Botlar taşları bilmez.
day-proof-opened = Sunucu dört elin sırlarını { $when } günü mühürledi, kapanışta da açtı. Botlar taşları bilmiyordu.
day-mixed = Karıştırıldı: mühürden sonra bir önceki günün oyuncuları { $count ->
    [0] rastgele sayılar
   *[other] { $count } rastgele sayı
} kattı; onlardan önce taşları kimse bilemezdi. Sunucuyu işleten, elleri seçmek için en sona bir sayı eklemiş olabilir.
day-unmixed = Mühürlü, karıştırılmamış: bir gün önce kimse sayı katmadı; sunucuyu işleten taşları önceden bilebilir.
day-list-wrong = Sayıların listesi mühürden çıkanla aynı değil!
day-share-in = Bu tarayıcının sayısı aralarında.
day-share-missing = Bu tarayıcının sayısı aralarında yok!
day-share-next = Bu tarayıcı yarının elleri için rastgele bir sayı kattı.
day-seal = Mühür

challenge-deals = Dört el, aynı taşlar
challenge-from = { $name } size meydan okuyor
challenge-about = Bağlantıyı alan herkes aynı dört eli, aynı üç bota ({ $bots }) karşı oynar; bitirince kimin ne yaptığını görür. Bir kez oynanır; yarım kalırsa kaldığınız yerden sürer.
challenge-until = { $close } saatine kadar oynayabilirsiniz.
challenge-waits = Kapanış: { $close }. O zamana kadar başkaları da oynayabilir; maçlar ondan sonra izlenir.
challenge-closed = Bu meydan okuma kapandı. Maçlar artık izlenebilir.
challenge-share-text = Okey 101, meydan okuma: başarı { $percent }, { $of } katılımcı arasında { $place }. sıra { $marks } Daha iyisini yapabilir misin?
challenge-send = Bağlantıyı gönder
challenge-new = Dört yeni el, bir de gönderilecek bağlantı: açan herkes üç gün içinde aynı taşlarla oynar. Hesap gerekmez.
challenge-bots = Botlar
challenge-make = Bağlantı oluştur

ladder-rank = { $rank ->
    [1] Çırak
    [2] Kalfa
    [3] Usta
    [4] Ustabaşı
    [5] Duayen
   *[other] Efsane
}
ladder-points = { $points } puan
ladder-next = { $rank } için { $points } puan daha
ladder-unplayed = Bu sezonda henüz maçınız yok. Masada en az iki hesap sahibi varsa maç sayılır.
ladder-account = Maçlar hesabı olanlar arasında sayılır.
ladder-how-title = Puan nasıl hesaplanır?
ladder-how = En az beş ellik bir maçta, geçtiğiniz her hesap 10 puan kazandırır, sizi geçen her hesap 10 puan kaybettirir. Diğerlerinin ortalamasından farkınıza göre 10 puana kadar daha eklenir ya da düşer. Kısa maçlar daha az sayılır. İlk düzeylerde kaybın yarısı ya da dörtte üçü, son düzeylerde ise daha fazlası düşer. Sezon üç ay sürer ve sıfırdan başlar. Gücünüzü göstermez, çünkü içinde şans vardır.
ladder-before = Önceki sezon
ladder-after = Sonraki sezon
ladder-none = Bu sezonda henüz kimse oynamadı.
ladder-listed = Sıralamada başkaları beni görsün
ladder-head-points = Puan
ladder-head-rank = Düzey
ladder-head-matches = Maç
ladder-head-won = Birincilik
