## What messengers show of an address

card-place = Arkadaşlarla ya da botlara karşı Okey 101. Reklam yok, çip yok, her dağıtım denetlenebilir.
card-table = Bir Okey 101 masası
card-invites = { $name } sizi Okey 101 masasına davet ediyor
card-people = Masadakiler: { $people }. { $free ->
    [0] Boş yer yok, izleyebilirsiniz.
   *[other] { $free } boş yer var.
}
card-free = { $free ->
    [0] Boş yer yok, izleyebilirsiniz.
   *[other] { $free } boş yer var.
}
card-challenge = Okey 101: meydan okuma
card-challenges = { $name } size meydan okuyor: Okey 101
card-deals = Dört el, aynı taşlar, aynı botlar: daha iyisini yapabilir misiniz? Hesap gerekmez.
card-guest = Misafir { $number }
