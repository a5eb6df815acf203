"""Cut the page's two fonts from those they come from.

Run by hand in an environment with ``fonttools`` and ``brotli``, after the sources were unpacked::

    npm pack @fontsource-variable/source-sans-3@5.3.0 @fontsource-variable/fredoka@5.3.0
    python scripts/make_fonts.py SOURCE_SANS_FOLDER FREDOKA_FOLDER

The words are Source Sans 3 (humanist, full Turkish, weights 400 to 700), the numerals Fredoka
(rounded, condensed, bold). Both are under the Open Font License, whose text lies beside them; the
licence of the first reserves its name, so what is cut has names of its own.
"""

from __future__ import annotations

import argparse
import copy
import io
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

__all__ = ["main"]

OUT = Path(__file__).resolve().parents[1] / "web" / "src" / "fonts"
LICENCES = OUT.parents[1] / "public" / "fonts.txt"
TURKISH = "ĞğİŞş"
"""What lies in the file of further Latin letters."""
TEXT = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0ÇÖÜçöüıâîûÂÎÛéèêäßñ·×–—−“”‘’…•←↑→↓₺°"
DIGITS = "0123456789+−-/×?"


def main() -> None:
    """Write the two fonts and the text of their licences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sans", type=Path)
    parser.add_argument("numerals", type=Path)
    folders = parser.parse_args()
    files = folders.sans / "files"
    font = _opened(files / "source-sans-3-latin-wght-normal.woff2", TEXT, wght=(400, 700))
    more = _opened(files / "source-sans-3-latin-ext-wght-normal.woff2", TURKISH, wght=(400, 700))
    _joined(font, more)
    _write(font, "Okey Sans", "text.woff2")
    numerals = folders.numerals / "files" / "fredoka-latin-wdth-normal.woff2"
    _write(_opened(numerals, DIGITS, wght=700, wdth=76), "Okey Numerals", "numerals.woff2")
    texts = [
        f"{name}\n\n{(folder / 'LICENSE').read_text('utf-8').strip()}\n"
        for name, folder in (
            ("Source Sans 3 (Okey Sans: subset, renamed)", folders.sans),
            ("Fredoka (Okey Numerals: subset, one instance, renamed)", folders.numerals),
        )
    ]
    LICENCES.write_text("\n\n".join(texts), "utf-8")


def _opened(path: Path, letters: str, **axes: object) -> TTFont:
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"]
    options.hinting = False
    options.notdef_outline = True
    options.drop_tables += ["HVAR", "MVAR", "STAT", "DSIG"]
    # Once through a file: tables are read when they are needed, of glyphs that are gone by then.
    whole = io.BytesIO()
    instance = instantiateVariableFont(TTFont(path), axes)
    instance.flavor = None
    instance.save(whole)
    whole.seek(0)
    font = TTFont(whole)
    cutter = Subsetter(options)
    cutter.populate(text=letters)
    cutter.subset(font)
    return font


def _joined(font: TTFont, more: TTFont) -> None:
    """Add the glyphs of another part of the same font, which has the same axes."""
    order = font.getGlyphOrder()
    names = {name: f"more.{name}" for name in more.getGlyphOrder() if name != ".notdef"}
    glyphs, variations, widths = font["glyf"], font["gvar"].variations, font["hmtx"].metrics
    for old, new in names.items():
        glyph = copy.deepcopy(more["glyf"][old])
        if glyph.isComposite():
            for part in glyph.components:
                part.glyphName = names[part.glyphName]
        glyphs.glyphs[new] = glyph
        variations[new] = copy.deepcopy(more["gvar"].variations.get(old, []))
        widths[new] = more["hmtx"].metrics[old]
    glyphs.glyphOrder = [*order, *names.values()]
    font.setGlyphOrder(glyphs.glyphOrder)
    for table in font["cmap"].tables:
        for code, name in more.getBestCmap().items():
            table.cmap.setdefault(code, names[name])
    font["maxp"].numGlyphs = len(glyphs.glyphOrder)


def _write(font: TTFont, family: str, name: str) -> None:
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 16, 25):
            record.string = family
        elif record.nameID == 6:
            record.string = family.replace(" ", "")
    font.flavor = "woff2"
    OUT.mkdir(exist_ok=True)
    font.save(OUT / name)
    print(name, (OUT / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
