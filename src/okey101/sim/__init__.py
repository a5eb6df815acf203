"""Many deals: arenas that compare bots, and the statistics that say how sure the answer is."""
