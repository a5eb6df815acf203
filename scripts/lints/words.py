"""The catalogues: equal in both languages, complete beside the code, and Turkish is spelt right."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import fields

from lints.sources import DOCS, LANGUAGES, PACKAGE, ROOT, nodes, nodes_below, none, same
from okey101.client import CLIENT_CODES
from okey101.client.check import ADVICE, FAULTS, TRIALS
from okey101.game.legality import CODES
from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts, load
from okey101.server.errors import ACCOUNT_CODES, SERVER_CODES
from okey101.server.protocol.client_messages import PHRASES
from okey101.server.settings import Settings

LOCALES = PACKAGE / "i18n"
TEXTS = {language: load(language) for language in LANGUAGES}
KEYS = TEXTS["en"].keys()
TURKISH = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (
        *sorted((LOCALES / "tr").glob("*.ftl")),
        *sorted((DOCS / "tr").rglob("*.md")),
        ROOT / "README.tr.md",
    )
}
PAGES = [
    *(ROOT.glob("*.md")),
    *(path for folder in ("en", "tr", "adr") for path in (DOCS / folder).rglob("*.md")),
]


def check_both_languages_have_the_same_messages() -> None:
    """The same files, in each the same keys, and the same variables in each message."""
    named = [{path.name for path in (LOCALES / one).glob("*.ftl")} for one in LANGUAGES]
    same(*named)
    for name in named[0]:
        keys = [
            set(Texts(one, {name: (LOCALES / one / name).read_text("utf-8")}).keys())
            for one in LANGUAGES
        ]
        same(*keys, name)
    english, turkish = TEXTS.values()
    none([key for key in KEYS if turkish.variables(key) != english.variables(key)])


def arguments(texts: Texts, key: str) -> Iterator[dict[str, str | int]]:
    """Values that reach every variant of a message."""
    names = sorted(texts.variables(key))
    choices: list[list[str | int]] = []
    for name in names:
        own: list[str | int] = [
            int(v) if v.lstrip("-").isdigit() else v
            for v in texts.variants(key, name)
            if v not in ("one", "other")
        ]
        choices.append([*own, 1, 2, "word"])
    for values in itertools.islice(itertools.product(*choices), 300):
        yield dict(zip(names, values, strict=True))


def check_every_message_formats() -> None:
    """No message comes out empty, with a brace, a mark of direction or a double space."""
    for texts in TEXTS.values():
        for key in KEYS:
            for values in arguments(texts, key):
                text = texts(key, **values)
                assert text.strip() == text != "", f"{texts.language} {key}: {text}"
                assert not re.search(r"[{}$\u2066-\u2069]|  ", text), f"{key}: {text}"


def check_english_counts_one_as_one() -> None:
    """Of a count that may be 1 the noun is then singular."""
    english, told = TEXTS["en"], {"count", "sum"}
    counted = [k for k in KEYS if told & (v := english.variables(k)) and "tile" not in v]
    plural = re.compile(r"\b1 (?:tile|pair|point|table)s\b")
    none([k for k in counted if any(plural.search(english(k, **v)) for v in arguments(english, k))])


def check_turkish_nouns_stay_singular_and_nothing_is_glued() -> None:
    """After a number a noun is singular, and no suffix or percent sign stands at one."""
    wrong = re.compile(r"[\d}] \w+(?:lar|ler)\b|[\d}]['’]\w*|[\d}] ?%|%\s")
    for path in (LOCALES / "tr").glob("*.ftl"):
        text = re.sub(r"(?m)^[\w-]+ =|^#.*", "", path.read_text("utf-8"))
        none(wrong.findall(text), path.name)


def check_no_case_is_changed_in_code() -> None:
    """Case is the catalogues' business: i and I are other letters in Turkish."""
    speaking = [p for f in ("i18n", "cli", "render") for p in (PACKAGE / f).glob("*.py")]
    for path in speaking:
        called = {
            node.func.attr
            for node in nodes(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        none(called & {"upper", "title", "capitalize", "swapcase"}, path.name)


CORE_MAKES = re.compile(r"_bad|_error|refuse|\w*Error")
SERVER_MAKES = re.compile(r"OkeyError|refusal|refuse")
"""The functions whose first argument is a code."""
PLACES = {"Failure": 1, "Failure.of": 2}
"""Where it stands in those that take something else first."""


def codes_of_sources() -> set[str]:
    """The codes that are written where core, server or command line make an error."""
    found = set()
    for file, node in nodes_below(PACKAGE):
        room = file.partition("/")[0].removesuffix(".py")
        if room not in ("tiles", "melds", "game", "solver", "server", "cli"):
            continue
        makes = SERVER_MAKES if room == "server" else CORE_MAKES
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)):
            place = PLACES.get(name, 0 if makes.fullmatch(name) else len(node.args))
            for code in node.args[place : place + 1]:
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found |= set(re.findall(r"^[a-z0-9]+(?:-[a-z0-9]+)*$", code.value))
    return found


def check_every_code_has_its_sentence() -> None:
    """In both languages, with no more details than the error brings."""
    tables = {
        **CODES,
        **{code: told[1] for code, told in [*SERVER_CODES.items(), *ACCOUNT_CODES.items()]},
        **CLIENT_CODES,
    }
    codes = {*tables, *codes_of_sources(), "internal"}
    assert len(codes) > 200, f"only {len(codes)} codes are found"
    none(SERVER_CODES.keys() & ACCOUNT_CODES.keys(), "two meanings")
    for language, texts in TEXTS.items():
        for code in codes:
            keys = [key for key in (f"error-{code}", f"error-{code}-plain") if texts.has(key)]
            assert keys, f"{language}: no sentence for {code}"
            details = set(re.findall(r"{(\w+)}", tables.get(code, "")))
            wanting = code in tables and not any(texts.variables(k) <= details for k in keys)
            assert not wanting, f"{language}: {code} brings {details} alone"
        found = {f"check-{code}" for code in (*FAULTS, *ADVICE)}
        found |= {f"check-trial-{trial}" for trial in TRIALS}
        none([key for key in found if not texts.has(key)], language)


def keys_of(prefix: str) -> set[str]:
    """What the keys of this beginning are about."""
    return {key.removeprefix(prefix) for key in KEYS if key.startswith(prefix)}


def check_phrases_and_settings_have_their_words() -> None:
    """And nothing else has; signs of phrases are signs alone."""
    same(keys_of("setting-"), {name.replace("_", "-") for name in Settings.model_fields})
    same({key.removesuffix("-sign") for key in keys_of("phrase-")}, set(PHRASES))
    for texts in TEXTS.values():
        for phrase in PHRASES:
            spoken = texts(f"phrase-{phrase}")
            assert spoken.isprintable(), phrase
            assert any(c.isalpha() for c in spoken), phrase
            if phrase.startswith("emoji-"):
                sign = texts(f"phrase-{phrase}-sign")
                assert not any(c.isalpha() or c.isspace() for c in sign), phrase


def check_fields_of_rule_sets_are_named_once() -> None:
    """Each field and each of its words has a name, and no screen has one of its own."""
    for texts in TEXTS.values():
        for item in fields(RuleSet):
            assert texts.has(f"field-{item.name}"), item.name
            for value in item.metadata.get("options", ()):
                word = ("no", "yes")[value] if isinstance(value, bool) else value
                assert isinstance(word, int) or texts.has(f"field-value-{word}"), word
    none([key for key in KEYS if re.match(r"(page|rules)-(field|value)-", key)])


REJECTED = {
    "Hesap oluştur · Giriş yap · Çıkış yap": r"Hesap yap\b|= Gir$|= Çık$",
    "Menü": r"= Daha$",
    "normal": r"[Oo]lağan",
    "Renk körlüğüne uygun": r"ayırt edebil",
    "Her el, bittikten sonra gösterilir": r"bittiğinde görürsünüz",
    "Deste bitti, kimse bitemedi": r"[Yy]erde taş kalmadı|[Dd]este tükendi",
    "çift açmıştı": r"kendi çifti",
    "Yeniden oyna": r"\bBir daha\b",
    "Kolay · Orta · Zor": r"\bBot (?:Rasgele|Acele|Sağlam)",
    "maç dosyası": r"= Kayıt$|[Oo]yun(?:un)? (?:kaydı|dosya)|[Kk]ayıt dosyası|[Kk]ayıttaki el",
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
    "arka arkaya birden çok taş geri alındı": r"ikinci kez geri",
    "sütunu seçer": r"ilki desteyi",
    "unauthorised, sonra bye": r"anahtarla yalnızca seyirci",
    "maç": r"[Oo]yun (?:bitti|sürüyor|başladı)\b|[Oo]yunlarım",
    "kütüphane · süreç": r"[Kk]itaplı[kğ]|kendi işlemi",
    "mesaj · kayıt": r"\b[İi]leti(?:si|ler)?\b|[Gg]ünlü[kğ]",
    "kaybolmak · kaybetmek": r"\byit(?:m|ir|er|t)",
    "davet etmek": r"\bçağır(?!abilecek)|Çağrı",
    "indirmek": r"\b[Ss]er(?:in|mek)?:? \b",
    "Pas · Atla": r"= Geç$|\[pass\] [Gg]eç",
    "farklı renkler": r"ayrı renk",
    "henüz": r"daha 101 değil",
    "… istiyor musunuz?": r"\b\w+[ıi]ls[ıi]n m[ıi]\?|\b\w+[ıi]ns[ıi]n m[ıi]\?",
    "karekod": r"kare kod",
    "referans bot": r"çıpa|[Mm]eydan okuyan",
    "yönetici": r"[Ss]unucuyu işletene|[Ss]unucuyu çalıştırana",
    "Gerçek ellere bakınca": r"[Ss]onradan görülen",
    "uyuşmazlık": r"bir şey tutmuyor$",
    "bekletmek": r"oyala",
}
"""What is said now, and the pattern of what was said before."""


def check_a_rejected_word_stays_away() -> None:
    """One Turkish word for each thing: what was found wrong or odd does not come back."""
    for better, before in REJECTED.items():
        for name, text in TURKISH.items():
            none(re.findall(before, text, re.MULTILINE), f"{name}: better {better}:")


def sentences(text: str) -> Iterator[str]:
    """What a page says in prose: no tables, no code, and each point of a list by itself."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=[-*] |\d+\. )", text):
        if not block.lstrip("\n").startswith(("    ", "|", "#", "<!--")):
            plain = re.sub(r"\]\([^)]*\)", "]", re.sub(r"^(?:[-*]|\d+\.) ", "", block.strip()))
            yield from re.split(r"(?<=[.!?:;]) (?=\S)", " ".join(plain.split()))


MOST_WORDS = 36
ASKEW = re.compile(r"^(?:Who (?!.*\?$)|\w+ed (?:is|are|was|were) the ).*")
"""A "who" that is no person, and a verb before its subject: English does not begin like this."""


def check_a_sentence_is_short_and_begins_with_its_subject() -> None:
    """On every page, in both languages: at most MOST_WORDS words between two stops."""
    for path in PAGES:
        name = path.relative_to(ROOT).as_posix()
        said = [*sentences(path.read_text("utf-8"))]
        none([one for one in said if len(one.split()) > MOST_WORDS], name, "too long:")
        none([one for one in said if ASKEW.match(one)], name)
