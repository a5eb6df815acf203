## The check of a deal on the page

fair-question = Was this deal fair?
fair-button =
    { $state ->
        [proved] This deal was fair: checked
        [differs] Something in this deal does not fit
        [none] Check the deals
        [away] A deal of others: all that can be checked fits
       *[unknown] Careful: not all of this deal could be checked
    }
fair-deals = Deals
fair-deal = Deal { $number }
fair-none = There is nothing to check in this deal: the server showed no seal.
fair-verdict =
    { $state ->
        [proved] Yes. Nobody chose the tiles. This device has worked that out by itself.
        [differs] No, something does not fit. See below, in red.
        [away] You did not play this deal. All that anybody can check fits: the numbers fit their seals, and the tiles fit the numbers. Only the players of that table can check that the seal was shown before the deal, each on the device they played on.
       *[unknown] Careful: all that could be checked fits, but not everything could be. What is missing comes first below.
    }
fair-story = Before the tiles were shuffled the server chose a secret number, sealed it, and showed the seal to all. { $mine ->
        [proved] Then you, and any other people at the table, gave a secret number each; bots gave none.
       *[other] Then the people at the table gave a secret number each; bots gave none.
    } The order of the tiles came from all these numbers together. Nobody can change a sealed number afterwards, and nobody can know a player's number beforehand. So nobody can choose the tiles, not even the server.
fair-done = After the deal the server opened its seal. This page dealt the tiles again from the numbers and compared them with what you saw:
fair-state =
    { $state ->
        [proved] Fits
        [differs] Does not fit
        [none] Not looked at yet
        [away] You were not at the table
       *[unknown] Not checked
    }
fair-check-told = The server never opened the seal that it showed before the deal.
fair-check-noted =
    { $state ->
        [proved] The server's seal is the one it showed before the deal.
        [differs] The server's seal is not the one it showed before the deal.
       *[unknown] This device was not at the table when the deal began, so the server's seal could not be checked.
    }
fair-check-secret =
    { $state ->
        [proved] The server's secret number fits its seal.
       *[differs] The server's secret number does not fit its seal: it was changed.
    }
fair-check-context =
    { $state ->
        [proved] The numbers were given for this deal, at this table, by these rules.
        [differs] The numbers are those of another table, another deal or other rules.
       *[unknown] It could not be checked for which table the numbers were given.
    }
fair-check-shown =
    { $state ->
        [proved] All seals, and who sat where, are as they were shown before the shuffle.
        [differs] A seal, or who sat where, is not as it was shown before the shuffle.
       *[unknown] This browser has no note of the other seals from before the deal.
    }
fair-check-mine =
    { $state ->
        [proved] Your own number is part of the shuffle.
        [differs] Your own number was left out or changed.
       *[unknown] This device gave no number for this deal.
    }
fair-check-shares =
    { $state ->
        [proved] At least one person gave a number.
       *[unknown] Nobody gave a number: the order of the tiles came from the server's alone.
    }
fair-check-opened =
    { $state ->
        [proved] Each person's number fits its own seal.
        [differs] Somebody's number does not fit its seal, or is missing.
       *[unknown] There were no seals of the players in this deal.
    }
fair-check-silent =
    { $state ->
        [proved] The bots gave no numbers.
        [differs] A bot gave a number too, and should not have.
       *[unknown] It could not be checked whether bots gave numbers.
    }
fair-check-rounds =
    { $state ->
        [proved] All attempts that were broken off are listed, each with its reason.
        [differs] An attempt that was broken off was hidden or changed, or had no reason.
       *[unknown] The tiles were shuffled again after the server had put back its files or lost some. That may happen, but whoever does it often can wait for tiles that suit.
    }
fair-check-dealer =
    { $state ->
        [proved] The dealer is the right player.
        [differs] Another player should have been the dealer.
       *[unknown] This browser has no note of the deal before; the dealer could not be checked.
    }
fair-check-table =
    { $state ->
        [proved] Dice and indicator follow from these numbers.
       *[differs] Dice or indicator do not follow from these numbers.
    }
fair-check-hand =
    { $state ->
        [proved] The tiles you were dealt follow from these numbers.
        [differs] The tiles you were dealt do not follow from these numbers.
       *[unknown] This browser has no note of how the tiles were dealt.
    }
fair-check-drawn =
    { $state ->
        [proved] The tiles you drew were the ones whose turn it was.
       *[differs] A tile you drew was not the one whose turn it was.
    }
fair-check-others =
    { $state ->
        [proved] The tiles that everybody showed are those that were dealt and drawn.
       *[differs] Somebody showed a tile that was not dealt to them.
    }
fair-check-same =
    { $state ->
        [proved] Dealer, indicator, moves and your tiles are those that this page was shown during the deal.
       *[differs] Dealer, indicator, moves or your tiles are not those that this page was shown during the deal.
    }
fair-thrown = In this match { $thrown } of { $rounds } shuffles were thrown away.
fair-thrown-often = In this match { $thrown } of { $rounds } shuffles were thrown away. Chance does not explain so many: somebody had the tiles shuffled again.
fair-log =
    { $state ->
        [same] The server's public log has all shuffles of this match, and all it had when this browser looked before.
        [later] The server's public log has all it had when this browser looked before. Matches that have just ended and the newest shuffles enter it within a minute or two. Look again then.
        [lacks] The server's public log lacks shuffles of this match, or the match itself.
        [changed] The server's public log is not what it was when this browser looked before, or its proofs don't fit. Somebody has changed it, or put back older files.
        [unproved] The server answers but does not prove what its public log has now. If that stays so, somebody may have changed it.
       *[unknown] The server's public log could not be reached.
    }
fair-limits = What this does not show: the server knows all tiles while the deal runs. No calculation can show that nobody looks, or that players don't collude. And this page comes from the server that it checks.
fair-close = Close

## Where there is more to check

fair-record-proof = The match file has the tiles that were dealt and every move. Anybody who has okey101 can check it: “okey101 verify --bots FILE” tells whether the tiles were dealt as promised, and whether the bots chose from what their seats saw.
fair-print = The print of this page
fair-print-means = The print of all files of the page (SHA-256). Seeing it here proves nothing, because this page comes from the server that it checks. Compare it with the print of a release that you got elsewhere: only that shows whether this is the published page.
fair-log-key = The key of the public log
fair-log-key-means = This server signs its public log with this key, and nothing can be taken out of that log. Note the key and compare it with others: everybody must be shown the same one.
