"""``okey101 review``: finished deals looked through."""
