"""What texts and sources have to hold: ``PYTHONPATH=scripts python -m lints``, in ``make lint``.

Each function ``check_...`` of the modules beside this one says in its docstring what holds; it
raises AssertionError where it does not. All are run, all faults are told, and then the end is 1.
"""

from __future__ import annotations

import importlib
import sys

ROOMS = ("architecture", "commands", "pages", "reference", "security", "words")


def main() -> int:
    """Run every check and tell what does not hold."""
    faults = 0
    for room in ROOMS:
        module = importlib.import_module(f"lints.{room}")
        for name, check in vars(module).items():
            if name.startswith("check_"):
                try:
                    check()
                except AssertionError as error:
                    faults += 1
                    promise = check.__doc__.partition("\n")[0]
                    print(f"lints.{room}.{name}: not so: {promise}\n    {error}", file=sys.stderr)
    return min(faults, 1)


sys.exit(main())
