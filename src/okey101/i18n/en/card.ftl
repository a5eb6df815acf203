## What messengers show of an address

card-place = Play Okey 101 with friends or against bots. No advertising, no chips, every deal can be checked.
card-table = A table of Okey 101
card-invites = { $name } invites you to a table of Okey 101
card-people = At the table: { $people }. { $free ->
    [0] No seat is free; you can watch.
    [one] One seat is free.
   *[other] { $free } seats are free.
}
card-free = { $free ->
    [0] No seat is free; you can watch.
    [one] One seat is free.
   *[other] { $free } seats are free.
}
card-challenge = A challenge at Okey 101
card-challenges = { $name } challenges you at Okey 101
card-deals = Four deals, the same tiles, the same bots: can you do better? No account is needed.
card-guest = Guest { $number }
