"""``okey101 arena``: duplicate deals of bots, and the report of what they show."""
