"""``okey101 client-check``: a line that is made bad on purpose finds what a client does wrong."""

from okey101.client.check.proxy import CheckingProxy
from okey101.client.check.watch import ADVICE, FAULTS, TRIALS, CheckFinding, CheckReport

__all__ = ["ADVICE", "FAULTS", "TRIALS", "CheckFinding", "CheckReport", "CheckingProxy"]
