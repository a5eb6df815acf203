"""One Turkish word for each thing: what was found wrong or odd does not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from okey101.game.ruleset import RuleSet
from okey101.i18n import load
from okey101.render.rules_text import rules_markdown

ROOT = Path(__file__).resolve().parents[1]
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (
        *sorted((ROOT / "src" / "okey101" / "locales" / "tr").glob("*.ftl")),
        *sorted((ROOT / "docs" / "tr").rglob("*.md")),
        ROOT / "README.tr.md",
    )
}
REJECTED = {
    "Hesap oluştur · Giriş yap · Çıkış yap": r"Hesap yap\b|= Gir$|= Çık$",
    "Menü": r"= Daha$",
    "normal": r"[Oo]lağan",
    "Renk körlüğüne uygun": r"ayırt edebil",
    "Her el, bittikten sonra gösterilir": r"bittiğinde görürsünüz",
    "Yerde taş kalmadı, kimse bitmedi": r"[Dd]este (?:bitti\b|tükendi)",
    "çift açmıştı": r"kendi çifti",
    "Yeniden oyna": r"\bBir daha\b",
    "Kolay · Orta · Zor": r"\bBot (?:Rasgele|Acele|Sağlam)",
    "oyun dosyası": r"= Kayıt$|[Oo]yun(?:un)? kaydı|[Kk]ayıt dosyası|[Kk]ayıttaki el",
    "Hızlı mesajlar": r"[Hh]azır söz",
    "bu cihaz": r"= bu$|aygıt",
    "Diğer": r"[Öö]teki|[Öö]bür",
    "kural seti": r"[Kk]ural takım",
    "riziko eli · riziko elinde": r"[Rr]iziko el(?:de)?\b",
    "tek seferde · taş atmadan önce": r"\b(?:[Bb]ir|[Aa]ynı|[Bb]u) sıra(?:da)?\b",
    "katlamalar cezaları etkilemez": r"cezalara işlemez",
    "destedeki son taşı çeken taşını attıktan sonra": r"eli bitirecek taş",
    "biterken atılan taşa ceza yazılmaz": r"bitiş taşı",
    "sonraki oyuncuya yarayacak taşı atmaz": r"taş besle",
    "eksik açma": r"[Aa]çış|[Yy]etersiz",
    "terminal": r"[Uu]çbirim",
    "dağıtıcı": r"[Dd]ağıtan(?! sunucu| program)",
    "gösterge eşi · Gösterge bende": r"[Gg]östergenin eş|eşi bende",
    "Yandan alınıp kullanılan taşı atana ceza": r"İşlenen taşı atan",
    "isterseniz açın, sonra bir taş atın": r"Siz başlıyorsunuz: bir taş",
    "saniye gecikmeyle izliyorsunuz": r"saniye sonra görürsünüz",
    "birden çok taş geri alındı": r"ikinci kez geri",
    "sütunu seçer": r"ilki desteyi",
    "unauthorised, sonra bye": r"anahtarla yalnızca seyirci",
}
"""What is said now, and the pattern of what was said before."""


@pytest.mark.parametrize("better", REJECTED)
def test_a_rejected_word_stays_away(better: str) -> None:
    pattern = re.compile(REJECTED[better], re.MULTILINE)
    found = [(name, match[0]) for name, text in TEXTS.items() for match in pattern.finditer(text)]
    assert found == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("tr", "Riziko elinde bunun yerine D8 geçerlidir."),
     ("en", "In a riziko deal D8 applies instead.")],
)  # fmt: skip
def test_J1_J2_D8_a_riziko_rule_set_says_what_holds_instead(language: str, said: str) -> None:
    for preset, times in (("wiki", 2), ("altinstar", 0)):
        assert rules_markdown(RuleSet.preset(preset), load(language)).count(said) == times
