# What pictures say to those who hear them, and the few words in them.

picture-face-down = face-down tile
picture-rack = { $count ->
    [one] A rack with { $count } tile
   *[other] A rack with { $count } tiles
}
picture-empty = The rack is empty.
picture-table = The table
picture-seat = seat { $seat }
picture-stock = stock { $count }
picture-indicator = indicator
picture-okey = okey
picture-hand = { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
} · { $opened ->
    [melds] opened
    [pairs] opened pairs
   *[no] not opened
}
picture-turn = It is the turn of { $player }.
picture-middle = The stock has { $count ->
    [one] { $count } tile
   *[other] { $count } tiles
}. The indicator is { $indicator }, the okey { $okey }.
picture-group = Group { $number }: { $tiles }.
picture-discard = { $player } discarded { $tile } last.
picture-own = Own tiles: { $tiles }.
