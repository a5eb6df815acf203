"""``okey101 client-check``: a line that is made bad on purpose finds what a client does wrong."""

from okey101.client.check.findings import ADVICE, FAULTS, TRIALS, Found, Report
from okey101.client.check.proxy import CheckingProxy

__all__ = ["ADVICE", "FAULTS", "TRIALS", "CheckingProxy", "Found", "Report"]
