## The guided first deal

learn-step = { $step } / { $steps }
learn-you = Siz
learn-leave = Dersten çık
learn-skip = Atla
learn-next = Devam
learn-again = Yeniden
learn-play = Oynamaya başla
learn-other = Bunu derste yapmıyoruz; yukarıda yazanı deneyin ya da geçin.
learn-go-on = Bu adım tamam: Devam düğmesine basın.
learn-rack = Aşağıdaki tahta ıstakanız; 21 taşınızı yalnızca siz görürsünüz. Amaç, taşları gruplara (aynı sayı, farklı renkler) ve serilere (aynı renk, sıralı sayılar) ayırmak. Seri diz düğmesine basın.
learn-rack-done = Dizildi. Yan yana duran en az üç taş bir per olur. Taşları sürükleyerek de dizebilirsiniz.
learn-draw = Her turda önce bir taş alınır. Ortadaki kapalı desteye basarak yerden çekin. Soldaki oyuncunun attığı taş, yalnızca hemen kullanacaksanız alınır.
learn-draw-done = Taş ıstakanıza geldi. Aç düğmesindeki sayıya bakın: dizdiğiniz perlerin toplamı. Eli açmak için toplam en az 101 olmalı.
learn-discard = Toplam henüz 101 olmadı. Tur bir taş atarak biter: şu taşı seçin, sonra sağ alttaki köşenize basın: { $tile }.
learn-discard-done = Sıra sağınızdaki oyuncuya geçti. Siz sıranızı beklerken de taşlarınızı dizebilirsiniz. Birkaç tur ileri gidelim.
learn-open = Yine sıra sizde; soldaki oyuncunun attığı taşı aldınız. Seri diz ile dizin: toplam 101 oldu mu bakın. Sonra Aç düğmesine basın.
learn-open-done = Elinizi açtınız: perler masada. Açmayan oyuncu el sonunda 202 yazar; açan yalnızca elinde kalanı. Birkaç tur daha geçelim.
learn-fine = İki taşınız kaldı. Biri masadaki bir pere uyuyor, yani işlek: { $tile }. İşlek taşı atmak 101 ceza yazar. Okey atmak da öyle. Sayfa, cezalı taşı atmadan önce size sorar.
learn-lay = Atmak yerine işleyin: { $tile } taşını seçin, uyduğu pere basın. İşle düğmesi de olur.
learn-lay-done = İşlediniz. Açtıktan sonra sizin ve diğerlerinin perlerine böyle taş eklersiniz.
learn-finish = Tek taşınız kaldı. Son taşını atan eli bitirir: onu sağ alttaki köşenize atın.
learn-finish-done = Eli bitirdiniz! Biten 101 puan siler, diğerleri ellerinde kalanı yazar. En az puanı olan kazanır.
learn-end = Hepsi bu kadar. Kuralların tamamı resimli kartlarda; en iyisi şimdi botlara karşı bir el oynamak.
