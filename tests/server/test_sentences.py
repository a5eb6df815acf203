"""Every code of the server, every phrase and every setting has its words in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from okey101 import server
from okey101.i18n import LANGUAGES, load
from okey101.server.accounts import ACCOUNT_CODES
from okey101.server.errors import SERVER_CODES
from okey101.server.protocol.client_messages import PHRASES
from okey101.server.settings import Settings

CODES = {**SERVER_CODES, **ACCOUNT_CODES}
ANSWERS = ("internal", "method-not-allowed", "not-found")


def codes_of_files() -> set[str]:
    """The codes that are written where an error is made, beside those of the two tables."""
    found = set()
    for path in Path(server.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            code = node.args[0]
            if node.func.id in ("OkeyError", "_refusal", "refuse", "refuse_account") and isinstance(
                code, ast.Constant
            ):
                found.add(str(code.value))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_sentence(language: str) -> None:
    texts = load(language)
    silent, wanting = [], []
    codes = {*CODES, *ANSWERS, *codes_of_files()}
    for code in sorted(codes):
        keys = [key for key in (f"error-{code}", f"error-{code}-plain") if texts.has(key)]
        if not keys:
            silent.append(code)
        elif code in CODES:  # one of the sentences needs no more than the error brings
            details = set(re.findall(r"{(\w+)}", CODES[code][1]))
            if not any(texts.variables(key) <= details for key in keys):
                wanting.append(code)
    assert len(codes) > 100
    assert (silent, wanting) == ([], [])


def test_no_code_has_two_meanings() -> None:
    assert not SERVER_CODES.keys() & ACCOUNT_CODES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases(language: str) -> None:
    texts = load(language)
    for phrase in PHRASES:
        spoken = texts(f"phrase-{phrase}")
        assert spoken.isprintable()
        assert any(c.isalpha() for c in spoken)
        if phrase.startswith("emoji-"):
            sign = texts(f"phrase-{phrase}-sign")
            assert not any(c.isalpha() or c.isspace() for c in sign)
    keys = {key for key in texts.keys() if key.startswith("phrase-")}  # noqa: SIM118
    assert {key.removeprefix("phrase-").removesuffix("-sign") for key in keys} == set(PHRASES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings(language: str) -> None:
    texts = load(language)
    named = {name.replace("_", "-") for name in Settings.model_fields}
    keys = {key for key in texts.keys() if key.startswith("setting-")}  # noqa: SIM118
    assert {key.removeprefix("setting-") for key in keys} == named
