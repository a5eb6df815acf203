# Her kural setinin kuralları. Her paragrafın adı rule-<kimlik>; kural setinin bütün alanlarını
# (doğru ve yanlış için yes ve no) ve onlardan hesaplanan sayıları alır.

rules-heading = 101 Okey kuralları
rules-preset = Kural seti: { $preset }
rules-near-preset = { $count ->
    [one] Kural seti: { $preset }, bir farkla
   *[other] Kural seti: { $preset }, { $count } farkla
}
rules-section-tiles = Taşlar
rules-section-deal = Oturma düzeni ve dağıtım
rules-section-okey = Okey
rules-section-melds = Grup, seri ve çift
rules-section-opening = El açmak
rules-section-turn = Oyun sırası
rules-section-end = Elin sonu
rules-section-scoring = Puanlama
rules-section-fines = Cezalar
rules-section-teams = Eşli oyun
rules-section-options = Ek seçenekler
rules-section-differences = { $preset } kurallarından farkı

## 1 Taşlar
rule-T1 = Oyunda { $tiles } taş vardır: kırmızı, sarı, mavi ve siyah renkte 1 ile 13 arası sayılar, her birinden iki tane, bir de iki sahte okey.
rule-T2 = Bütün taşların arkası aynıdır. Kimse kapalı bir taşı ya da başkasının ıstakasındaki bir taşı, gösterilmedikçe bilemez.

## 2 Oturma düzeni ve dağıtım
rule-D1 = { $players ->
    [2] Masada iki oyuncu vardır.
    [3] Masada üç oyuncu vardır.
   *[4] Masada dört oyuncu vardır.
}
rule-D2 = Oyun da dağıtıcılık da saatin tersi yönünde ilerler: her oyuncudan sonra sağındaki gelir.
rule-D3 = İlk dağıtıcı kurayla belirlenir. Puanlanan her elden sonra dağıtıcılık sağdaki oyuncuya geçer.
rule-D4 = { $starter ->
    [right_of_dealer] Dağıtıcının sağındaki oyuncu { $starter_tiles } taş alır ve oyuna başlar; dağıtıcı dahil diğer oyuncular { $hand_tiles } taş alır.
   *[dealer] Dağıtıcı { $starter_tiles } taş alır ve oyuna başlar; diğer oyuncular { $hand_tiles } taş alır.
}
rule-D5 = Oyuna başlayan ilk başta taş çekmez: isterse el açar, sonra bir taş atar.
rule-D6 = Taşlar kapalı karıştırılır ve yedişerli 15 sütun yapılır; artan bir taş dağıtıcıda kalır. İlk zar, dağıtıcının önündeki en soldaki sütundan başlayıp sağa doğru sayılarak bir sütunu seçer; artan taş bu sütunun üstüne konur. İkinci zar, bu sütunda alttan sayılarak bir taşı seçer; bu taş açık olarak en üste konur ve gösterge olur. Sütunlar, seçilenden sonraki sütundan ve dağıtıcının sağındaki oyuncudan başlayarak, herkeste üç sütun olana kadar dağıtılır; oyuna başlayan bir taş daha alır. Kalanlar destedir; aynı yönde sırayla çekilir, seçilen sütun en sona kalır.
rule-D7 = Destede { $stock } taş bulunur. Gösterge açık durur ve desteye dahil değildir.
rule-D8 = { $false_joker_indicator ->
    [riziko] Gösterge olarak sahte okey gelirse bu bir riziko eli olur: hiçbir sayılı taş okey olmaz, diğer sahte okey tek okeydir; onu atarak bitmek, okeyle bitmenin iki katı sayılır. { $riziko_losers ->
        [hand] Diğer oyuncular o zaman da ellerini öder; aynı katlamalarla.
       *[flat] O zaman diğer oyuncuların her birine, açmış olsun olmasın, bitenin kazandığı kadar puan yazılır.
    }
   *[rethrow] Gösterge olarak sahte okey gelirse yerine konur ve ikinci zar yeniden atılır.
}

## 3 Okey
rule-J1 = Okey, göstergeyle aynı renkte ve sayısı ondan bir fazla olan taştır; gösterge 13 ise okey 1 olur. Bu taşın ikisi de okeydir.{ $false_joker_indicator ->
    [riziko] {" "}Riziko elinde bunun yerine D8 geçerlidir.
   *[rethrow] {""}
}
rule-J2 = Sahte okey, okey yerine geçmez. Okeyin rengini ve sayısını taşıyan sıradan bir taştır: perlerde, çiftlerde ve el sayılırken böyledir.{ $false_joker_indicator ->
    [riziko] {" "}Riziko elinde bunun yerine D8 geçerlidir.
   *[rethrow] {""}
}
rule-J3 = Okey; grupta, seride ve çiftte her taşın yerine geçer ve yerine geçtiği taşın değerini alır. Grupta iki renk boştayken okeyin rengi belirsiz kalır: mavi 5, kırmızı 5 ve okeyin yanına sarı 5 de siyah 5 de işlenebilir.
rule-J4 = { $reclaim_okey ->
    [yes] Masaya inen okeyin yeri değiştirilmez; ancak X2 kuralına göre geri alınabilir.
   *[no] Masaya inen okey yerinde kalır: yeri değiştirilmez, yerine geçtiği taş verilerek geri alınmaz.
}

## 4 Perler
rule-M1 = Grup, aynı sayıdan, renkleri birbirinden farklı üç ya da dört taştır.
rule-M2 = Seri, aynı renkten, ardışık üç ya da daha çok sayıdır. 1 yalnızca başta yer alır: 13 sayısının ardından 1 gelmez.
rule-M3 = Çift, rengi ve sayısı aynı iki taştır. Çifte taş eklenmez.
rule-M4 = Üç taşlı gruba eksik renk, seriye iki ucundan taş eklenebilir.
rule-M5 = İki açma yolu karışmaz. Grup ve seriyle açan { $melds_lay_pairs ->
    [yes] ancak masada çift varsa çift indirebilir (X8).
   *[no] çift indiremez.
} Çift açan yeni grup ya da seri indiremez; ama yeni çift indirebilir{ $pairs_lay_off ->
    [none] ; taş işleyemez (X6).
   *[all] {" "}ve { $teams ->
        [yes] eşi dahil başkalarının
       *[no] başkalarının
    } grup ve serilerine taş işleyebilir.
}

## 5 El açmak
rule-O1 = Grup ve seriyle el açmak için ıstakadaki taşlardan, tek seferde, toplamı en az { $open_points } puan olan perler indirilir. Her taş sayısı kadar, okey yerine geçtiği taş kadar puan eder.
rule-O2 = Ya da tek seferde en az { $open_pairs } çift açılır; çiftlerin değeri önemli değildir.
rule-O3 = El açtıktan sonra, hemen ya da sırası yeniden gelince, değeri ne olursa olsun yeni grup ve seri (ya da yeni çift) indirilebilir, herkesin grup ve serilerine taş işlenebilir{ $lay_off_when_opening ->
    [no] ; ancak el açarken taş işlenmez (X6).
   *[yes] .
} İşlenen taşlar { $open_points } puana katılmaz; el açmadan taş işlenmez.
rule-O4 = { $whole_hand_opens ->
    [yes] Bütün elini ıstakadan grup ve seri olarak bir kerede indirip son taşını atan için { $open_points } puan aranmaz; bunun için yandan taş alındıysa aranır.
   *[no] Bütün elini bir kerede indiren için de { $open_points } puan aranır.
}
rule-O5 = { $short_opening ->
    [refuse] Puanı ya da çift sayısı yetmeyen (eksik) açma kabul edilmez: taşlar geri alınır, ceza yazılmaz.
   *[fine] Puanı ya da çift sayısı yetmeyen (eksik) açmada taşlar geri alınır { $short_opening_fine ->
        [0] ve ceza yazılmaz.
       *[other] ve { $short_opening_fine } ceza puanı yazılır.
    }
}
rule-O6 = { $indicator_pairs ->
    [yes] Gösterge eşini elinde tutan, sıra ona ilk geldiğinde ve el açmadan önce bunu söyleyebilir. Çift açarsa bu taşı bir kere, dilediği taşla çift yapabilir. Riziko elinde bu kural geçmez.
   *[no] Gösterge eşi diğer taşlar gibidir.
}
rule-O7 = { $all_pairs ->
    [void_but_okeys] Bütün oyuncular çift açarsa el hemen durur. Puan yazılmaz; yalnızca elde kalan her okey için { $okey_in_hand_fine } ceza puanı yazılır. Aynı dağıtıcı yeniden dağıtır, el sayılmaz.
   *[void] Bütün oyuncular çift açarsa el hemen durur ve kimseye puan yazılmaz. Aynı dağıtıcı yeniden dağıtır, el sayılmaz.
}

## 6 Oyun sırası
rule-U1 = Sırası gelen yerden bir taş çeker ya da önceki oyuncunun attığı son taşı yandan alır. İsterse per indirir ve taş işler. Sonra mutlaka bir taş atar; biterken de böyledir.
rule-U2 = Yandan alınan taş, taş atmadan önce kullanılmalıdır: el açılmamışsa el açarken ({ $open_points } puana katılır), açılmışsa yeni bir perin içinde ya da işlenerek. Istakada tutulamaz.
rule-U3 = { $return_discard ->
    [yes] Yandan alınan taş, henüz hiçbir taş indirilmediyse cezasız geri bırakılabilir; yerine yerden bir taş çekilir.
   *[no] Yandan alınan taş geri bırakılamaz; bu yüzden ancak hemen kullanılabilecekse alınır.
}
rule-U4 = Bütün taşlar indirilemez: atmak için bir taş kalmalıdır.
rule-U5 = Son indirilen taş, taş atmadan önce cezasız geri alınabilir. { $take_back_fine ->
    [0] Araya taş indirmeden birden çok taşı geri almanın da cezası yoktur.
   *[other] Araya taş indirmeden birden çok taşı geri almanın cezası { $take_back_fine } puandır; taş atana kadar bir kere yazılır.
} El açma geri alınmaz.
rule-U6 = { $pairs_discard_protected ->
    [yes] Çift açmış oyuncunun attığı taş yandan alınamaz.
   *[no] Çift açmış oyuncunun attığı taş da diğer taşlar gibi yandan alınabilir.
}
rule-U7 = { $taken_discard_fine ->
    [0] Attığı taş yandan alınıp kullanılan oyuncuya ceza yazılmaz.
   *[other] Attığı taş yandan alınıp kullanılan oyuncuya, taşın sayısının { $taken_discard_fine } katı ceza yazılır: 6 için { $fine_of_a_six } puan. Sahte okey ve okey, okeyin sayısıyla hesaplanır.
}

## 7 Elin sonu
rule-E1 = Son taşını atan biter ve eli kazanır.
rule-E2 = { $last_discard_takeable ->
    [yes] Deste bitince sıradaki oyuncu son atılan taşı, hemen kullanmak üzere yine de alabilir; almazsa el biter.
   *[no] Deste bitince el, son çekilen taştan sonra atılan taşla biter.
}
rule-E3 = { $empty_stock ->
    [void_but_okeys] Kimsenin bitmediği el puanlanmaz; yalnızca elde kalan her okey için { $okey_in_hand_fine } ceza puanı yazılır. Aynı dağıtıcı yeniden dağıtır, el sayılmaz.
   *[count_hands] Kimsenin bitmediği elde kazanan olmaz: grup ve seriyle açana elinin değeri, çift açana { $stock_pairs_doubled ->
        [no] da elinin değeri
       *[yes] bunun iki katı
    }, açmamış olana { $unopened } puan yazılır; cezalar geçerlidir.
}
rule-E4 = { $indicator_is_last_tile ->
    [yes] Destedeki son taşı çeken taşını attıktan sonra sıradaki oyuncuya sorulur: gösterge elini tamamlıyorsa onu çekebilir; çekerse bitmek zorundadır.
   *[no] Gösterge hiçbir zaman çekilmez.
}

## 8 Puanlama
rule-C1 = Puanın azı iyidir. h, elde kalan taşların değeridir: taşların sayıları toplanır, sahte okey okeyin sayısıyla sayılır. Okeyle bitmek, çiftle bitmek ve başka kimse açmamışken bütün eli tek seferde indirip elden bitmek puanları ikiye katlar; çift açanın kendi eli de ikiye katlanır. Katlamalar çarpılır.
rule-C1-fixed = Çiftle bitip okey atıldığında, açmamış ele { $unopened_pairs_okey } puan yazılır; diğer bitişlerden bir katlama eksiktir.
rule-C2 = { $okey_in_hand ->
    [tile_101] Elde kalan okey, { $okey_points } puanlık bir taş sayılır ve elle birlikte katlanır. Açmamış olan yalnızca sabit puanı alır.
   *[fine_101] Elde kalan her okey için ayrıca { $okey_in_hand_fine } puan yazılır. Bu puan katlanmaz, okeyin sayısı da toplanmaz. Açmamış olan yalnızca sabit puanı alır.
}
rule-C3 = Cezalar puana olduğu gibi eklenir; katlamalar cezaları etkilemez.
rule-C4 = Maç, anlaşılan sayıda el sürer: 3, 5, 7, 9, 11 ya da başka bir sayı. Bütün eller oynanır; toplamı en düşük olan kazanır, eşit toplamlar aynı sırayı paylaşır.

table-finish = bitiş
table-winner = kazanan
table-melds = perle açan
table-pairs = çift açan
table-unopened = açmayan
table-melds-plain = perle, sıradan taş atarak
table-melds-okey = perle, okey atarak
table-pairs-plain = çiftle, sıradan taş atarak
table-pairs-okey = çiftle, okey atarak
table-whole-plain = elden, başka kimse açmamışken
table-whole-okey = elden, okey atarak
table-riziko-melds = riziko eli: perle, sahte okey atarak
table-riziko-pairs = riziko eli: çiftle, sahte okey atarak

## 9 Cezalar
rule-P1 = { $okey_discard_fine ->
    [0] Okey atmanın cezası yoktur.
   *[other] Okey atmanın cezası { $okey_discard_fine } puandır; okeyle bitene ceza yazılmaz.
}
rule-P2 = { $playable_discard_fine ->
    [0] İşlek taş atmanın cezası yoktur.
   *[other] Masadaki bir gruba ya da seriye eklenebilecek (işlek) taşı atmanın cezası, açmış olana da açmamış olana da { $playable_discard_fine } puandır; biterken atılan taşa ceza yazılmaz. Okey için yalnızca P1 cezası yazılır.
}
rule-P3 = { $short_opening ->
    [refuse] Eksik açmaya ceza yazılmaz (O5).
   *[fine] { $short_opening_fine ->
        [0] Eksik açmaya ceza yazılmaz (O5).
       *[other] Eksik açmanın cezası her seferinde { $short_opening_fine } puandır (O5).
    }
}
rule-P4 = { $take_back_fine ->
    [0] Arka arkaya birden çok taşı geri almanın cezası yoktur (U5).
   *[other] Arka arkaya birden çok taşı geri almanın cezası { $take_back_fine } puandır; taş atana kadar bir kere yazılır (U5).
}
rule-P5 = { $okey_in_hand ->
    [tile_101] Elde kalan okey ayrı bir ceza değildir: elle birlikte sayılır (C2).
   *[fine_101] Elde kalan her okeyin cezası { $okey_in_hand_fine } puandır (C2).
}
rule-P6 = Taş atma cezaları, atılacak başka taş olmasa da yazılır.

## 10 Eşli oyun
rule-G1 = { $teams ->
    [yes] Eşler karşılıklı oturur: birinci ve üçüncü oyuncu, ikinci ve dördüncü oyuncuya karşıdır. Takımın puanı iki oyuncusunun toplamıdır.
   *[no] Herkes kendi başına oynar.
}
rule-G2 = Bir oyuncunun bütün puanları takımına yazılır; attığı taş kullanıldığında yazılan cezalar da (U7, X4) buna dahildir.
rule-G3 = Yandan alınan taş eşin perlerine de yarayabilir: aynı taşın ikisi birdir, alan hangisini isterse indirebilir.

## 12 Seçenekler
rule-X1 = { $rising ->
    [yes] Katlamalı: el açan, bu elde en yüksekten açanı geçmelidir; puanla açarken en az bir puan, çift açarken yedi çifte kadar bir çift fazla gerekir. Puan ve çift ayrı karşılaştırılır; yalnızca el açarken indirilenler sayılır.
   *[no] Baraj yükselmez: el boyunca herkes için aynıdır.
}
rule-X2 = { $reclaim_okey ->
    [yes] El açmış oyuncu, yerine geçtiği taş kesin belli olan bir okeyi, elindeki gerçek taşla değiştirip alabilir (iki rengi boş grupta alamaz).
   *[no] Masadaki okey, gerçek taşıyla değiştirilip alınamaz.
}
rule-X3 = Bu masanın sayıları: baraj { $open_points } puan ya da { $open_pairs } çift; okey atma cezası { $okey_discard_fine }, işlek taş atma cezası { $playable_discard_fine } puan.
rule-X4 = { $opened_with_fine ->
    [0] Attığı taşla sonraki oyuncu el açarsa ayrıca ceza yazılmaz.
   *[other] Attığı taşı sonraki oyuncu yandan alıp onunla el açarsa, atana { $opened_with_fine } ceza puanı yazılır; U7 cezası ayrıdır.
}
rule-X5 = { $partner_opens ->
    [yes] Eşlerden biri açınca diğeri baraj aranmadan, aynı yoldan ya da diğer yoldan açar. Böyle bir açma X1 barajını yükseltmez.
   *[no] Eşlerin ikisi için de baraj aranır.
}
rule-X6 = { $pairs_lay_off ->
    [none] Çift açan taş işleyemez.
   *[all] Çift açan da herkes gibi taş işleyebilir.
} { $lay_off_when_opening ->
    [no] El açarken taş işlenmez.
   *[yes] El açarken de taş işlenebilir.
}
rule-X7 = Bu masanın cezaları: eksik açma { $short_opening_fine }, arka arkaya birden çok taşı geri almak { $take_back_fine }, ceza sayılıyorsa elde kalan okey { $okey_in_hand_fine } puan.
rule-X8 = { $melds_lay_pairs ->
    [yes] Grup ve seriyle açan da, masada çift varsa çift indirebilir; el açarken indiremez.
   *[no] Çifti yalnızca çift açanlar indirir.
}
rule-X9 = { $partner_waived ->
    [yes] Bitenin eşine, açmış olsun olmasın, eli için puan yazılmaz; cezaları kalır.
   *[no] Bitenin eşi de elini herkes gibi öder.
}

## Farklar
rules-no-difference = Fark yoktur.
rules-difference = { $field }: { $ours } ({ $preset } kurallarında: { $theirs }).
