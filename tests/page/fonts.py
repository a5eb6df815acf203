"""Which fonts Chromium finds: DejaVu alone, the same everywhere, or those of a desktop."""

from __future__ import annotations

import os
from pathlib import Path
from xml.sax.saxutils import escape

from conftest import missing

__all__ = ["FONTS", "font_files", "fontconfig"]

FONTS = ("dejavu", "desktop")
"""DejaVu as ``fonts-dejavu-core`` has it, and whatever else the machine has."""

_FAMILY = "DejaVu Sans"
_DEJAVU = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_DESKTOP = ("Noto Sans", "Liberation Sans")
_KINDS = (".ttf", ".otf", ".ttc")


def font_files() -> list[Path]:
    """Every font of the machine, and of whoever runs the tests."""
    home = Path.home()
    own = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    folders = ("/usr/share/fonts", "/usr/local/share/fonts", own / "fonts", home / ".fonts")
    found = (path for folder in folders for path in Path(folder).rglob("*"))
    return sorted(path for path in found if path.suffix.lower() in _KINDS)


def fontconfig(wanted: str, folder: Path) -> Path:
    """Write a configuration in which Chromium finds the wanted fonts, and no others.

    DejaVu's condensed fonts are not in each of its packages, so they are hidden too. Where there is
    no such font the test is skipped aloud, or fails where CI is set.
    """
    fonts = font_files()
    if wanted == "dejavu":
        rules = (
            _dejavu_alone(fonts, folder / "fonts") + f"<cachedir>{escape(str(folder))}</cachedir>"
        )
    else:
        rules = _all_but_dejavu(fonts)
    path = folder / "fonts.conf"
    path.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n'
        f"<fontconfig>{rules}</fontconfig>\n",
        "utf-8",
    )
    return path


def _dejavu_alone(fonts: list[Path], folder: Path) -> str:
    known = {path.name: path for path in fonts}
    lacking = [name for name in _DEJAVU if name not in known]
    if lacking:
        missing(f"DEJAVU IS MISSING: no {', '.join(lacking)} (Debian: fonts-dejavu-core)")
    folder.mkdir()
    for name in _DEJAVU:
        (folder / name).symlink_to(known[name])
    return f"<dir>{escape(str(folder))}</dir>{_last_wish(_FAMILY)}"


def _all_but_dejavu(fonts: list[Path]) -> str:
    if all("DejaVu" in path.name or "Emoji" in path.name for path in fonts):
        missing("FONTS ARE MISSING: none but DejaVu (Debian: fonts-liberation, fonts-noto-core)")
    usual = os.environ.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    return (
        f'<include ignore_missing="yes">{escape(usual)}</include>'
        "<selectfont><rejectfont><glob>*/DejaVu*</glob></rejectfont></selectfont>"
        f"{_last_wish(*_DESKTOP)}"
    )


def _last_wish(*families: str) -> str:
    """What to prefer over an arbitrary font, which may be one for code, where no wish is met."""
    names = "".join(f"<string>{family}</string>" for family in families)
    return f'<match><edit name="family" mode="append_last" binding="weak">{names}</edit></match>'
