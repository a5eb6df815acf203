"""A parent to be killed while its process reviews a match: ``review_child.py RECORD``."""

import sys
from pathlib import Path

from okey101.review.matches import reviewed
from okey101.work import Workers

workers = Workers(1)
record = Path(sys.argv[1]).read_bytes()
review = workers.submit(reviewed, record, 0, [0], 1_000_000, "greedy", 1.0)
print("reviewing", flush=True)
review.result()
