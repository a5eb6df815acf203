"""A parent to be killed, whose processes start and work: ``parent_child.py``."""

from okey101.work import Workers
from work.jobs import prepare, spin

workers = Workers(3, prepare)
jobs = [workers.submit(spin) for _ in range(3)]
print("begun", flush=True)
jobs[0].result()
