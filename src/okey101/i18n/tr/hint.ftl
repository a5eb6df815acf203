## What to do, and why: hints on the page

hint-opening = Neyle açarım?
hint-follow = Yap
hint-do =
    { $verb ->
        [draw] Yerden çekin.
        [take] Yandan alın: { $tile }.
        [return] Aldığınız taşı geri bırakın.
        [announce] “Gösterge bende” deyin.
        [pass] Pas geçin.
        [indicator] Göstergeyi alın.
        [meld] İndirin: { $tiles }.
        [open] Elinizi açın: { $tiles }.
        [open-ready] Elinizi açın: perler ıstakanızda hazır.
        [lay] İşleyin: { $tile }.
        [swap] Yerdeki okeyi alın, yerine koyun: { $tile }.
        [back] Son taşı geri alın.
       *[discard] Atın: { $tile }.
    }
hint-why-draw-only = Alabileceğiniz başka taş yok.
hint-why-draw-useless = Yandaki taş ({ $tile }) ancak aynı turda kullanılacaksa alınır; { $need ->
    [0] şimdi ne indirilebilir ne de işlenebilir.
   *[other] onunla elinizi açamıyorsunuz: perlerin toplamı en az { $need } olmalı.
}
hint-why-draw-rather = Yandaki taş ({ $tile }) işe yarar, ama yeni bir taş daha çok şey vaat ediyor.
hint-why-take = Yandaki taşı ({ $tile }) hemen kullanabilirsiniz.
hint-why-take-open = Bu taşla elinizi açarsınız: { $points } puan, gereken { $need }.
hint-why-take-pairs = Bu taşla çift açabilirsiniz; gereken çift sayısı: { $need }.
hint-why-return = Şimdi kullanamazsınız; geri bırakmak cezasız.
hint-why-announce = Bedeli yok; çift açarken gösterge eşi her taşla çift olur.
hint-why-pass = Sürdürmekle kazanacak bir şey kalmadı.
hint-why-indicator = Bu taşla elinizi bitirirsiniz.
hint-why-swap = Okey, elinizde o taştan daha çok işe yarar.
hint-why-back = Bu taş başka yerde daha çok işe yarar.
hint-why-open = Elinizde { $points } puan var, açmaya { $need } yeter. Açmayana en az 202 yazılır.
hint-why-open-pairs = Elinizde { $points } çift var, açmaya { $need } çift yeter. Açmayana en az 202 yazılır.
hint-why-open-finish = Böyle açınca geriye atılacak tek taş kalır: bu turda bitersiniz.
hint-why-meld = Elinizden { $points } taş eksilir.
hint-why-lay = Masadaki bir pere uyuyor; elde kalırsa puanı size yazılır.
hint-why-lay-finish = Bu yolla bütün taşlarınız biter, atılacak tek taş kalır.
hint-why-lay-okey = Okeyi elde tutmanın bedeli ağırdır; burada yeri var.
hint-why-finish = Son taşınız: el biter.
hint-why-finish-okey = Son taşınız okey: okeyle bitince herkese iki kat yazılır.
hint-why-fined = Bu taşa { $points } ceza yazılır, ama botun hesabına göre yine de en ucuz yol bu.
hint-why-all-fined = Hangi taşı atsanız ceza var; bu taşa { $points } yazılır.
hint-why-hold-hand = Açabilirsiniz, ama beklemek daha iyi: gelebilecek taşlarla bir seferde daha çok taş inebilir.
hint-why-hold-okey = Okeyi tutun: sonraki turda bitme olasılığınız onunla çok daha yüksek.
hint-why-shed-okey = El sayılmayacak gibi, ama elde kalan okeye yine de ceza yazılır.
hint-why-loose = Hiçbir gruba ya da seriye yaramıyor, cezası da yok.
hint-why-far = Bu taşı pere tamamlayacak taş çok değil, cezası da yok.
hint-why-spare = Botun hesabına göre eliniz bu taş olmadan daha çok şey vaat ediyor.
hint-why-light = Botun hesabına göre bu taş gidince elde en az puan kalıyor.
hint-why-too-late = Sıra size gelmeden deste büyük olasılıkla biter. Açılmamış elin taşları sayılmaz; bu yüzden hangi perin bozulduğu önemli değil.
hint-why-wait-partner = Eşiniz elini açmadı: şimdi bitmek takımınıza kazandıracağından çok puan yazdırır.
hint-safe = Görünene bakılırsa sonraki oyuncu bu taşı hemen kullanamaz.
hint-opening-found =
    { $form ->
        [melds] Açılış ıstakanızda: { $points } puan, gereken { $need }.
       *[pairs] Açılış ıstakanızda: { $points } çift, gereken { $need }.
    }
hint-opening-short = Henüz açamazsınız. En iyi dizilişiniz { $points } puan, gereken { $need }; çiftiniz { $pairs }, gereken { $needPairs }.
hint-opening-later = Elinizi açmıştınız; en çok sayılan diziliş ıstakanızda.
