"""A parent to be killed while its process reviews a match: ``review_child.py RECORD``."""

from __future__ import annotations

import sys
from pathlib import Path

from okey101.server.people.match_reviews import _reviewed
from okey101.work import Workers

workers = Workers(1)
review = workers.submit(_reviewed, Path(sys.argv[1]).read_bytes(), [0], 1_000_000, "greedy")
print("reviewing", flush=True)
review.result()
