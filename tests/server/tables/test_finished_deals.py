"""Finished deals take little memory, and are whole again when a record is made of them."""

from __future__ import annotations

import pickle

from okey101.game import Deal
from okey101.server.tables.finished_deals import FinishedDeal, whole_deal
from server.tables.table_stories import Story, table_options


def test_of_a_long_match_only_the_last_deal_is_kept_as_objects() -> None:
    """A hundred deals took 4.3 MB for each table."""
    told = Story(table_options("altinstar", "4", deals=6), "a long match")
    told.fill()
    told.match()
    after = zip(told.steps, told.steps[1:], strict=False)
    ends = [new.state for old, new in after if len(new.state.played) > len(old.state.played)]
    whole = [state.played[-1].deal for state in ends]
    assert len(whole) >= 6
    kept = [played.deal for played in told.state.played]
    assert all(isinstance(deal, FinishedDeal) for deal in kept[:-1])
    assert [whole_deal(deal) for deal in kept] == whole
    assert [deal.result for deal in kept] == [deal.result for deal in whole]
    for packed, deal in zip(kept[:-1], whole[:-1], strict=True):
        assert isinstance(packed, FinishedDeal)
        assert isinstance(deal, Deal)
        assert packed.size < len(pickle.dumps(deal)) < 20_000
        assert packed.size < 4_000
        assert packed == FinishedDeal.of(deal)
        assert str(deal.rack(0)) not in repr(packed)
