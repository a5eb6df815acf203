"""A script whose own function is a job: ``script.py NUMBER``."""

import sys

from okey101.work import Caller, Workers


class Mine:
    """A class of the script."""

    def __init__(self, number: int) -> None:
        self.number = number


def doubled(_: Caller, mine: Mine) -> int:
    assert isinstance(mine, Mine)
    return 2 * mine.number


if __name__ == "__main__":
    workers = Workers(1)
    print(workers.submit(doubled, Mine(int(sys.argv[1]))).result())
    workers.close()
