# Resimlerin, onları dinleyenlere söyledikleri ve içlerindeki birkaç söz.

picture-face-down = kapalı taş
picture-rack = { $count } taşlı ıstaka
picture-empty = Istaka boş.
picture-table = Masa
picture-seat = { $seat } numaralı yer
picture-stock = deste { $count }
picture-indicator = gösterge
picture-okey = okey
picture-hand = { $opened ->
    [melds] { $count } taş · el açtı
    [pairs] { $count } taş · çift açtı
   *[no] { $count } taş · açmadı
}
picture-turn = Sıra: { $player }.
picture-middle = Destede { $count } taş var. Gösterge { $indicator }, okey { $okey }.
picture-group = { $number } numaralı per: { $tiles }.
picture-discard = { $player } son olarak attı: { $tile }.
picture-own = Istakadaki taşlar: { $tiles }.
