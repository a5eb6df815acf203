"""What people read and see: the rules, racks, melds and tables as text and pictures."""
