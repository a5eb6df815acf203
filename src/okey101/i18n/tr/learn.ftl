## The guided first deal

learn-step = { $step } / { $steps }
learn-you = Yeni oyuncu
learn-leave = Dersten çık
learn-skip = Atla
learn-next = Devam
learn-again = Yeniden
learn-play = İlk elimi oyna
learn-other = Şimdi yukarıda yazanı yapın ya da bu adımı atlayın.
learn-go-on = Bu adım tamam: Devam düğmesine basın.
learn-okey = Ortadaki açık taş göstergedir. Aynı rengin bir büyüğü okeydir, her taşın yerine geçer: { $okey }.
learn-joker = Yıldızlı taş sahte okeydir; okey gibi her yere uymaz. Yalnızca okeyin kendi sayısı yerine durur: { $okey }.
learn-rack = Bu 21 taş sizin. Gruplara (aynı sayı, farklı renkler) ve serilere (aynı renk, sıralı sayılar) ayrılır. Parlayan Seri diz düğmesine basın.
learn-rack-done = Dizildi. Yan yana duran en az üç taş bir per eder. Taşları sürükleyerek de dizebilirsiniz.
learn-draw = Her tur bir taş almakla başlar. Parlayan desteye basıp yerden bir taş çekin.
learn-draw-done = Taş ıstakanızda. Aç düğmesindeki sayı, dizili perlerin toplamıdır; el açmak için en az 101 gerekir.
learn-discard = Toplam henüz 101 olmadı. Tur bir taş atınca biter. Şu taşı seçin: { $tile }. Köşeniz parlayınca ona basın.
learn-discard-done = Sıra sağınızdaki oyuncuda. Attığınız taşı ancak hemen kullanacaksa alır. Birkaç tur ileri gidelim.
learn-open = Birkaç tur geçti, sağınızdaki oyuncu elini açtı. Yine sıra sizde; yandan şu taşı aldınız: { $tile }. Taşlarınız dizilince Aç düğmesine basın.
learn-open-done = Elinizi açtınız! Açmayana el sonunda 202 yazılır; açana yalnızca elinde kalan taşlar.
learn-fine = Bir tur daha geçti, iki taşınız kaldı. Biri masadaki bir pere uyuyor, yani işlek taş: { $tile }. İşlek taş atana 101 ceza yazılır; okey atana da.
learn-lay = Atmayın, işleyin. Şu taşı seçin: { $tile }. Sonra parlayan pere basın.
learn-lay-done = İşlediniz. Elinizi açtıktan sonra herkesin perlerine taş ekleyebilirsiniz.
learn-finish = Tek taşınız kaldı. Onu seçip köşenize atın: son taşını atan eli bitirir.
learn-finish-done = Eli bitirdiniz! Bitenden 101 puan düşülür; açmış olanlara elinde kalan, açmamış olana 202 yazılır. En az puan kazanır.
adviser-title = Yardımcı
adviser-wait = Diğerleri oynuyor. Siz taşlarınızı dizebilirsiniz.
adviser-over = { $won ->
    [yes] Kazandınız! Artık 101 Okey oynamayı biliyorsunuz. Kimin ne yazdığı puan cetvelinde.
   *[no] Bu elde taşlar sizden yana değildi; en iyi oyuncu da çok el kaybeder. Kimin ne yazdığı puan cetvelinde.
}
adviser-thinking = Bir bakalım …
adviser-more = Tamamını oku
adviser-follow = Yerime yap
adviser-end = Yardımı kapat
