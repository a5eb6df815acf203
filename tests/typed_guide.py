"""What the guides teach, as typed code that runs: ``make lint`` finds nothing in it."""

import okey101
from okey101 import Action, Arrangement, Deal, Discard, Match, Options, Rack, Record, Tile, View

rack = Rack("R7 R8 R9 K11 Y11 * F")
best: Arrangement = okey101.arrange(rack, "B6")
perhaps: Arrangement | None = okey101.arrange("R7 R8", Tile.B6, must="R7")
points: list[int] = [group.points for group in best.groups]
okey: Tile = okey101.okey_of("B5")
tile: Tile = Tile("R7")


class Hasty:
    """A bot of one's own."""

    name = "hasty"

    def choose(self, view: View, options: Options) -> Action:
        """What can be laid, or a tile that the solver leaves, or anything."""
        for action in (*options.melds, *options.lays):
            return action
        loose = okey101.arrange(view.rack, view.public.okey).left
        for option in options.discards:
            if option.tile in loose:
                return Discard(option.tile)
        return options.actions()[0]


deal: Deal = Deal.start("pagat", seed=7)
deal = deal.apply(okey101.choose(deal, Hasty()))
deal = deal.apply(okey101.choose(deal, "greedy"))
layout = okey101.deal_from_hands(
    "pagat", indicator="B9", hands=["R1 R2", Rack("Y1"), [Tile.B1], ["K1"]], stock="K5 Y3"
)
done = okey101.play_deal("pagat", [Hasty(), "greedy", "greedy", "greedy"], seed=7)
if done.result is not None:
    scores: tuple[int, ...] = done.result.scores
match = Match.new("altinstar", deals=1, seed="friday").after(
    okey101.play_deal("altinstar", "greedy", seed=1)
)
record: Record = okey101.record_of(done.rules, [done])
position: Deal | View = okey101.parse_position(okey101.position_of(deal))
groups: tuple[tuple[Tile, ...], ...] = okey101.Meld("R7 R8 R9").groups
