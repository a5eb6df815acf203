## The rules as picture cards

cards-ids = Kural numaralarını göster
cards-title = Kartlarla kurallar
cards-all = Bütün kurallar, madde madde
cards-good = Olur
cards-bad = Olmaz
cards-to = olur:
cards-tiles = Taşlar
cards-tiles-text = Dört renk, 1–13 arası sayılar, her taştan iki tane; bir de iki sahte okey. Renklerin şekli de ayrıdır: yuvarlak, baklava, üçgen, kare.
cards-okey = Okey
cards-okey-text = Açık taş göstergedir. Aynı rengin bir büyük sayısı okeydir ve her taşın yerine geçer. Gösterge 13 ise okey 1 olur.
cards-joker = Sahte okey
cards-joker-text = Sahte okey joker değildir: okeyin gerçek taşı sayılır.
cards-set = Grup
cards-set-text = Aynı sayıdan, farklı renklerde üç ya da dört taş. Aynı renk iki kez olmaz.
cards-run = Seri
cards-run-text = Aynı renkten, sırayla giden en az üç taş. 1 yalnızca başta durur: 13 ile 1 yan yana gelmez.
cards-open = El açmak
cards-open-text = İlk kez açarken perlerin toplamı en az { $points } olmalı. Buradaki dört per tam 102 eder. Yetmezse taşlar geri gelir{ $fine ->
    [0] .
   *[other] {" "}ve { $fine } ceza yazılır.
}
cards-pairs = Çift açmak
cards-pairs-text = Ya da en az { $pairs } çift açılır: her çift birbirinin aynı iki taştır. Çift açan artık yeni grup ya da seri açmaz.
cards-turn = Sıra sizde
cards-turn-text = Yerden bir taş çekin ya da soldakinin attığını alın; aldığınız taşı o turda kullanmanız gerekir. Sonra açın, işleyin ve bir taş atın.
cards-lay = İşlemek
cards-lay-text = Elinizi açtıktan sonra masadaki grup ve serilere taş ekleyebilirsiniz, kimin olursa olsun.
cards-fines = 101 ceza
cards-fines-text = Okey atana ya da masadaki bir pere uyan (işlek) taşı atana 101 ceza yazılır. Biterken atılan taşa ceza yazılmaz.
cards-finish = Bitmek
cards-finish-text = Son taşını atan eli bitirir. Bitenden 101 puan düşülür; açmış olanlara elinde kalan, açmamış olana 202 yazılır. Son taş okeyse her şey iki katıdır. Çift açıp biten de iki kat kazanır. En az puan kazanır.
cards-unopened = Neden 202?
cards-unopened-text = El sona erince, biri bitmiş ya da destede taş kalmamış olsun, elini açmamış olana taşlarına bakılmadan 202 yazılır: 101 puanın iki katı. Okeyle ya da çiftle bitilince bu da ikiye katlanır: 404.
cards-kept = Elde kalan okey
cards-kept-text = El bitince elde okey tutmak pahalıdır: okeyin bedeli 101 puandır; açmamışsanız ayrıca yazılmaz.
