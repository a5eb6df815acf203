"""A match at the terminal, line by line, against bots (``okey101 play``)."""
