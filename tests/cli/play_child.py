"""A match in a process of its own: ``play_child.py FILE LANG PRESET DEALS SEED [resume]``."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.playing import greedy, unhurried
from okey101.cli.play import PlaySettings, run
from okey101.game import PRESETS

if __name__ == "__main__":
    file, lang, preset, deals, seed, *more = sys.argv[1:]
    settings = PlaySettings(
        rules=PRESETS[preset],
        deals=int(deals),
        bots=("greedy",),
        seed=seed.encode(),
        lang=lang,
        record=Path(file),
        resume="resume" in more,
    )
    with unhurried():
        sys.exit(run(settings, maker=greedy))
