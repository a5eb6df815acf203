"""The tree of a transparency log: roots and proofs as RFC 9162 has them, heads as C2SP has them."""

from hashlib import sha256

import pytest
from hypothesis import given, strategies as st

from conftest import raises_code
from okey101.game.fair.transparency import (
    EMPTY,
    Checkpoint,
    Head,
    Signature,
    added,
    consistency_proof,
    entry_hash,
    inclusion_proof,
    is_extended,
    is_included,
    root,
)

ENTRIES = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Roots of the first so many entries, which implementations of Certificate Transparency share."""
MOST = 70


class Tree:
    def __init__(self) -> None:
        self.size = 0
        self.made: dict[tuple[int, int], bytes] = {}

    def add(self, entry: bytes) -> None:
        for level, place, found in added(self.size, entry_hash(entry), self.nodes):
            assert (level, place) not in self.made
            self.made[level, place] = found
        self.size += 1

    def nodes(self, level: int, place: int) -> bytes:
        return self.made[level, place]

    def head(self, size: int) -> Head:
        return Head(size, root(size, self.nodes))


@pytest.fixture(scope="module")
def tree() -> Tree:
    found = Tree()
    for n in range(MOST):
        found.add(b"entry %d" % n)
    return found


def plain_root(entries: list[bytes]) -> bytes:
    """The root by its definition, slowly."""
    if len(entries) < 2:
        return entry_hash(entries[0]) if entries else sha256().digest()
    left = max(1 << k for k in range(10) if 1 << k < len(entries))
    pair = plain_root(entries[:left]) + plain_root(entries[left:])
    return sha256(b"\1" + pair).digest()


def test_roots_are_those_of_the_field(tree: Tree) -> None:
    known = Tree()
    assert root(0, known.nodes) == EMPTY == bytes.fromhex(ROOTS[0])
    for entry, expected in zip(ENTRIES, ROOTS[1:], strict=True):
        known.add(bytes.fromhex(entry))
        assert known.head(known.size).root.hex() == expected
    entries = [b"entry %d" % n for n in range(MOST)]
    assert all(tree.head(n).root == plain_root(entries[:n]) for n in range(MOST + 1))


def test_every_entry_is_proved_in_every_head_and_no_other(tree: Tree) -> None:
    for size in range(1, MOST + 1):
        head = tree.head(size)
        for place in range(size):
            proof, leaf = inclusion_proof(place, size, tree.nodes), tree.nodes(0, place)
            assert is_included(leaf, place, head, proof)
            assert not is_included(entry_hash(b"another"), place, head, proof)
            assert not is_included(leaf, place, head, [*proof, EMPTY])
            assert not (proof and is_included(leaf, place, head, proof[:-1]))
            assert not is_included(leaf, place ^ 1, head, proof) or size == 1
    for place, size in ((-1, 3), (3, 3), (0, 0)):
        with raises_code("no-entry"):
            inclusion_proof(place, size, tree.nodes)
        assert not is_included(EMPTY, place, Head(size, EMPTY), [])


def test_every_head_extends_every_earlier_one_and_no_other(tree: Tree) -> None:
    other = Tree()  # from the sixth entry on another log
    for n in range(MOST):
        other.add(b"entry %d" % n if n < 5 else b"other %d" % n)
    for new in range(MOST + 1):
        head = tree.head(new)
        for old in range(new + 1):
            proof = consistency_proof(old, new, tree.nodes)
            assert is_extended(tree.head(old), head, proof)
            assert not is_extended(tree.head(old), head, [*proof, EMPTY])
            assert not (proof and is_extended(tree.head(old), head, proof[:-1]))
            if old > 5:
                assert not is_extended(other.head(old), head, proof)
                assert not is_extended(
                    other.head(old), head, consistency_proof(old, new, other.nodes)
                )
            if old < new:
                assert not is_extended(head, tree.head(old), proof)
    with raises_code("no-entry"):
        consistency_proof(3, 2, tree.nodes)


@given(st.data())
def test_a_changed_proof_proves_nothing(tree: Tree, data: st.DataObject) -> None:
    new = data.draw(st.integers(2, MOST))
    old = data.draw(st.integers(1, new - 1))
    proof = consistency_proof(old, new, tree.nodes)
    at, bit = data.draw(st.integers(0, len(proof) - 1)), data.draw(st.integers(0, 255))
    changed = bytearray(proof[at])
    changed[bit // 8] ^= 1 << bit % 8
    proof[at] = bytes(changed)
    assert not is_extended(tree.head(old), tree.head(new), proof)


def test_a_checkpoint_is_read_as_it_is_written() -> None:
    text = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/"
        "Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    )
    found = Checkpoint.parse(text)
    assert found.text == text
    assert found.head.size == 20852163
    assert [(one.name, len(one.key), len(one.signature)) for one in found.signatures] == [
        ("example.com/behind-the-sofa", 4, 64)
    ]
    for size in (0, 2**53 - 1):
        signature = Signature("okey.example", b"key!", b"x")
        made = Checkpoint("okey.example", Head(size, EMPTY), (signature,))
        assert Checkpoint.parse(made.text) == made
        assert Checkpoint.parse(made.body) == made._replace(signatures=())


@pytest.mark.parametrize(
    "text",
    [
        "", "a\n1\n", "a\n01\n" + "A" * 43 + "=\n", "a b\n1\n" + "A" * 43 + "=\n",
        "a\n9007199254740992\n" + "A" * 43 + "=\n", "a\n1\n" + "A" * 43 + "=\nmore\n",
        "a\n1\n" + "A" * 43 + "=\n\n- a AAAAAAAA\n", "a\n1\n" + "A" * 43 + "=\n\n— a A===AAAA\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with raises_code("bad-checkpoint"):
        Checkpoint.parse(text)
