"""A server that lies: it speaks the protocol of one deal, and deviates from it in one thing."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from conftest import unwrap
from okey101.errors import OkeyError
from okey101.game import Deal, Layout, deal_from_seed
from okey101.game.actions import DRAW
from okey101.game.dealing import first_dealer
from okey101.game.fair.rounds import commitment, seat_commitment, transcript
from okey101.game.fair.transcript import Fair
from okey101.game.fair.transparency import Head, added, consistency_proof, entry_hash, root
from okey101.server.protocol.views import Called
from okey101.server.store.public_log import LogKey
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.clocks import all_shown
from okey101.server.tables.state import Stage, changed
from okey101.tiles import TILE_TEXTS
from server.tables.table_stories import TABLE, Story, table_options

Json: TypeAlias = dict[str, Any]
Phase: TypeAlias = Literal[
    "prepared", "shown", "revealed", "dealt", "drawn", "again", "over", "ever"
]  # fmt: skip
Lie: TypeAlias = Callable[["LyingServer", Json], None]

_OPTIONS: Final = table_options("altinstar", "4", bots=(None, None, "greedy", "steady"), deals=1)
_MADE_UP: Final = b"\xa7" * 16


class LyingServer:
    """One table, at which the client has seat 0 and somebody of the server's has seat 1.

    Everything is told in views. ``reveals`` has what the client gave away, ``commits`` what it
    promised.
    """

    def __init__(self, name: str = "") -> None:
        self.lies = LIES.get(name, ("over", lambda *_: None))
        self.story = Story(_OPTIONS, f"lying {name}")
        self.commits: list[str] = []
        self.reveals: list[str] = []
        self.over = False
        self.phase: Phase = "prepared"
        self._anew: Json | None = None
        """The table as it was dealt, where it is shown once more before the end."""
        self._seq = 0
        self.story.fill()
        self.story.add(log.Started(user="u0", secret=self.story.secret()))
        self.story.given["u1"] = bytes(range(32))
        self.story.add(self.story.committed("u1", self.story.given["u1"]))

    def hello(self) -> list[Json]:
        if self.over:
            return [self._view("over")]
        told = [self._view("prepared")]
        if told[0]["table"]["round"] is None:  # nobody is asked for anything
            self.story.add(all_shown(self.story.state))
            told += self._goes_on()
        return told

    def said(self, message: Json) -> list[Json]:
        answers: list[Json] = []
        rid, kind = message.get("rid"), message["type"]
        if rid is not None:
            answers.append({"type": "ack", "rid": rid, "seq": self._seq})
        if kind == "hello":
            return self.hello()
        if kind == "commit":
            self.commits.append(message["commitment"])
            if len(self.commits) == 1:
                self.story.add(log.Committed(user="u0", commitment=message["commitment"]))
                self.story.add(all_shown(self.story.state))
                answers.append(self._view("shown"))
        if kind == "reveal":
            self.reveals.append(message["random"])
            if len(self.reveals) == 1:
                answers += self._goes_on(message["random"])
        return answers

    def _goes_on(self, random: str = "") -> list[Json]:
        if random:
            self.story.add(log.Revealed(user="u0", random=random))
        told = [self._view("revealed")]
        self.story.add(log.Revealed(user="u1", random=self.story.given["u1"].hex()))
        self.story.add(log.Dealt())
        told.append(self._view("dealt"))
        while self.story.state.stage is Stage.PLAYING:
            self.story.move("eager")
            if unwrap(self.story.state.deal).public.actions[-1] == (0, DRAW):
                told.append(self._view("drawn"))
        if self._anew is not None:
            self._seq += 1
            told.append(self._anew | {"seq": self._seq})
        told.append(self._view("over"))
        self.over = True
        return told

    def _view(self, phase: Phase) -> Json:
        state = self.story.state
        self._seq += 1
        message = {
            "type": "view", "seq": self._seq, "at": state.at_ms,
            "table": serialise.table_view(state, lambda user: Called(user.upper())),
            "deal": serialise.deal_view(state), "you": serialise.you(state, 0),
            "here": [True] * 4,
        }  # fmt: skip
        view: Json = copy.deepcopy(json.loads(serialise.encode(message)))
        self.phase, (when, lie) = phase, self.lies
        if when == "again" and phase == "dealt":
            self._anew = copy.deepcopy(view)
        if when in (phase, "ever") or (when == "again" and phase in ("dealt", "drawn")):
            lie(self, view)
        return view


def _told_anew(view: Json, terms: object = None) -> None:
    """Compute the transcript from what a view shows by now."""
    table, now = view["table"], view["table"]["round"]
    shown = [text or "" for text in now["commitments"]]
    told = table["options"] if terms is None else terms
    promised = table["commitment"]["value"]
    now["transcript"] = transcript(promised, TABLE, 1, 0, 0, now["seats"], shown, told)


def _put(path: str, value: object, *, anew: bool = False) -> Lie:
    """Something else stands at a place of a view; ``anew``, with a transcript that fits it."""
    *way, last = [int(word) if word.isdecimal() else word for word in path.split(".")]

    def lie(_: LyingServer, view: Json) -> None:
        part: Any = view
        for step in way:
            part = part[step]
        part[last] = value
        if anew:
            _told_anew(view)

    return lie


def _another_promise(_: LyingServer, view: Json) -> None:
    view["table"]["commitment"]["value"] = "5c" * 32
    if view["table"]["round"]["shown"]:
        _told_anew(view)


def _swapped(_: LyingServer, view: Json) -> None:
    seats = view["table"]["round"]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    _told_anew(view)


def _other_rules(_: LyingServer, view: Json) -> None:
    rules = view["table"]["options"]["rules"] | {"open_points": 81}
    _told_anew(view, view["table"]["options"] | {"rules": rules})


def _begins_again(_: LyingServer, view: Json) -> None:
    now: Json = {"shown": False, "seats": None, "transcript": None}
    view["table"]["round"] |= now | {"commitments": [None] * 4, "randomness": [None] * 4}


def _of_end(change: Callable[[Json], object]) -> Lie:
    def lie(_: LyingServer, view: Json) -> None:
        change(view["deal"]["end"]["fair"])

    return lie


def secret_with_its_promise(fair: Json) -> None:
    fair["secret"] = "5e" * 32
    fair["commitment"] = commitment(b"\x5e" * 32, *fair["context"].values())


def another_contribution(seat: int) -> Callable[[Json], None]:
    def change(fair: Json) -> None:
        fair["randomness"][seat] = _MADE_UP.hex()
        where = (*fair["context"].values(), seat)
        fair["commitments"][seat] = seat_commitment(_MADE_UP, fair["commitment"], *where)

    return change


def _left_out(fair: Json) -> None:
    fair["randomness"][0] = fair["commitments"][0] = ""


def _thrown(reason: str, *, withheld: bool = False) -> Callable[[Json], None]:
    """Another round was dealt, which nobody saw; the one that was shown is told as thrown away."""

    def change(fair: Json) -> None:
        names = ("commitment", "seats", "commitments", "randomness", "secret")
        before = {name: copy.deepcopy(fair[name]) for name in names} | {"reason": reason}
        if withheld:
            before["randomness"][0] = ""
        fair["context"]["round"] = 1
        secret_with_its_promise(fair)
        fair["commitments"], fair["randomness"] = [""] * 4, [""] * 4
        fair["abandoned"] = [before]

    return change


def _hidden(fair: Json) -> None:
    """The number says that a round was thrown away, and it is not told."""
    fair["context"]["round"] = 1
    fair["commitment"] = commitment(bytes.fromhex(fair["secret"]), *fair["context"].values())


def _late_order(fair: Json) -> None:
    fair["seats"][0], fair["seats"][1] = fair["seats"][1], fair["seats"][0]


def _thrown_though_dealt(server: LyingServer, view: Json) -> None:
    """Another deal is told than was played: that one is said to have lacked an opening."""
    told, table, fair = view["deal"], view["table"], view["deal"]["end"]["fair"]
    _thrown("not-revealed")(fair)
    fair["abandoned"][0]["randomness"][1] = ""
    where = {name: fair["context"][name] for name in ("match", "deal", "round")}
    table["commitment"] = {"value": fair["commitment"], **where}
    seed = unwrap(Fair.from_dict(fair).seed)
    dealer = first_dealer(seed, 4)
    laid = deal_from_seed(server.story.state.rules, seed, dealer)
    told |= {"dealer": dealer, "indicator": TILE_TEXTS[laid.indicator], "dice": [*laid.dice]}


def _counted_from_one(_: LyingServer, view: Json) -> None:
    if view["deal"]:
        view["deal"]["number"] = 1
        if view["deal"]["end"]:
            secret_with_its_promise(view["deal"]["end"]["fair"])


def _uncounted(_: LyingServer, view: Json) -> None:
    view["table"]["scores"]["deals"] = []
    secret_with_its_promise(view["deal"]["end"]["fair"])


def _another(tile: str) -> str:
    return "K2" if tile == "K1" else "K1"


def _other_tiles(_: LyingServer, view: Json) -> None:
    first, *rest = view["you"]["hand"].split()
    view["you"]["hand"] = " ".join([_another(first), *rest])


def _other_first_tiles(server: LyingServer, view: Json) -> None:
    if server.phase == "dealt":
        _other_tiles(server, view)


def _other_drawn(server: LyingServer, view: Json) -> None:
    """A tile that suits comes, and no word of it."""
    if server.phase == "drawn":
        you = view["you"]
        tiles = you["hand"].split()
        tiles[tiles.index(you["drawn"])] = _another(you["drawn"])
        you |= {"hand": " ".join(tiles), "drawn": None}


def _other_moves(_: LyingServer, view: Json) -> None:
    """Somebody discards a tile that was not dealt, which is not told in the end."""
    actions = view["deal"]["actions"]
    at = next((n for n, text in enumerate(actions) if text.startswith("1: discard")), None)
    if at is not None:
        actions[at] = f"1: discard {_another(actions[at].rpartition(' ')[2])}"


def _play(server: LyingServer, view: Json, layout: Layout) -> None:
    """Go on with a deal that nobody's seed has dealt."""
    state, last = server.story.state, server.story.steps[-1]
    deal = Deal.start(state.rules, layout)
    state = changed(state, deal=deal, dealer=layout.dealer)
    server.story.steps[-1] = last._replace(state=state)
    view["deal"] = json.loads(serialise.encode(serialise.deal_view(state)))
    view["you"] = json.loads(serialise.encode(serialise.you(state, 0)))


def _other_dealer(server: LyingServer, view: Json) -> None:
    """Of the deals that follow from a seed the one that suits, by who deals."""
    state = server.story.state
    dealer = (unwrap(state.dealer) + 1) % 4
    _play(server, view, deal_from_seed(state.rules, state.seed, dealer))


def _stacked(server: LyingServer, view: Json) -> None:
    layout = unwrap(server.story.state.deal).layout
    _play(server, view, replace(layout, stock=layout.stock[::-1]))


def _other_indicator(_: LyingServer, view: Json) -> None:
    view["deal"]["indicator"] = _another(view["deal"]["indicator"])


def _untold(_: LyingServer, view: Json) -> None:
    del view["deal"]["end"]["fair"]


def _unpromised(_: LyingServer, view: Json) -> None:
    view["table"] |= {"commitment": None, "round": None}
    if view["deal"] and view["deal"]["end"]:
        del view["deal"]["end"]["fair"]


def _of_a_day(server: LyingServer, view: Json) -> None:
    _unpromised(server, view)
    view["table"]["day"] = "2026-11-27"


def _endless(_: LyingServer, view: Json) -> None:
    view["deal"] |= {"end": None, "result": None}


_ROUND, _FAIR = "table.round", "deal.end.fair"
BEFORE: Final[dict[str, tuple[Phase, Lie]]] = {
    "a foreign table": ("prepared", _put("table.id", "the-next-table")),
    "a foreign table, shown": ("shown", _put("table.id", "the-next-table")),
    "a promise of another round": ("prepared", _put("table.commitment.round", 1)),
    "a promise of another deal": ("prepared", _put("table.commitment.deal", 1)),
    "a promise of another match": ("prepared", _put("table.commitment.match", 2)),
    "a replayed promise": ("shown", _another_promise),
    "another commitment of mine": ("shown", _put(f"{_ROUND}.commitments.0", "5c" * 32)),
    "no commitment of mine": ("shown", _put(f"{_ROUND}.commitments.0", None)),
    "my commitment left out": ("shown", _put(f"{_ROUND}.commitments.0", None, anew=True)),
    "another commitment of others": ("shown", _put(f"{_ROUND}.commitments.1", "5c" * 32)),
    "another transcript": ("shown", _put(f"{_ROUND}.transcript", "5c" * 32)),
    "no transcript": ("shown", _put(f"{_ROUND}.transcript", None)),
    "no seats": ("shown", _put(f"{_ROUND}.seats", None)),
    "swapped seats": ("shown", _swapped),
    "a bot in a person's seat": ("shown", _put(f"{_ROUND}.seats.1", "bot:champion/2", anew=True)),
    "another person at the table": ("shown", _put("table.seats.1.id", "u9")),
    "a bot named late": ("shown", _put(f"{_ROUND}.seats.2", "bot:champion/2", anew=True)),
    "a bot without a name": ("shown", _put(f"{_ROUND}.seats.2", "bot:", anew=True)),
    "a bot told as a person": ("shown", _put(f"{_ROUND}.seats.2", "u9", anew=True)),
    "another bot at the table": ("shown", _put("table.seats.2.bot", "master")),
    "other rules": ("shown", _other_rules),
    "another number of deals": ("shown", _put("table.options.deals", 9)),
}
"""Lies before anything is revealed: nothing may be."""
SILENT: Final = {"a promise of another round", "my commitment left out"}
"""Those that may be innocent: nothing is given, and no alarm is raised."""
AFTER: Final[dict[str, tuple[Phase, Lie]]] = {
    "a round that begins again": ("revealed", _begins_again),
    "split views": ("shown", _put(f"{_ROUND}.commitments.1", "5c" * 32, anew=True)),
    "another secret": ("over", _put(f"{_FAIR}.secret", "5e" * 32)),
    "another secret with its promise": ("over", _of_end(secret_with_its_promise)),
    "another contribution of mine": ("over", _of_end(another_contribution(0))),
    "another contribution of others": ("over", _of_end(another_contribution(1))),
    "my contribution left out": ("over", _of_end(_left_out)),
    "a withheld opening": ("over", _put(f"{_FAIR}.randomness.0", "")),
    "thrown away unopened, though all opened": ("over", _of_end(_thrown("not-revealed"))),
    "thrown away as somebody left": ("over", _of_end(_thrown("left"))),
    "thrown away for a restart": ("over", _of_end(_thrown("restart"))),
    "thrown away as files were put back, though it was played": (
        "over",
        _of_end(_thrown("restored")),
    ),
    "thrown away, my opening withheld": ("over", _of_end(_thrown("not-revealed", withheld=True))),
    "thrown away unopened, though it was dealt": ("over", _thrown_though_dealt),
    "a hidden round": ("over", _of_end(_hidden)),
    "a deal of another number": ("ever", _counted_from_one),
    "a deal that is not counted": ("over", _uncounted),
    "a secret that is never told": ("over", _untold),
    "an end that is never told": ("over", _put("deal.end", None)),
    "a result that is never told": ("over", _endless),
    "nothing that is promised": ("ever", _unpromised),
    "nothing that is promised, as at a table of a day": ("ever", _of_a_day),
    "another table's secret": ("over", _put(f"{_FAIR}.context.table", "the-next-table")),
    "another deal's secret": ("over", _put(f"{_FAIR}.context.deal", 1)),
    "bots named after the deal": ("over", _put(f"{_FAIR}.seats.2", "bot:champion/2")),
    "seats swapped after the deal": ("over", _of_end(_late_order)),
    "other rules after the deal": ("over", _put(f"{_FAIR}.terms.rules.open_points", 81)),
    "other rules while it is played": ("over", _put("table.options.rules.open_points", 81)),
}
"""Lies about what was shown before: each is told in words."""
TILES: Final[dict[str, tuple[Phase, Lie]]] = {
    "other tiles": ("dealt", _other_tiles),
    "another dealer": ("dealt", _other_dealer),
    "a stacked stock": ("dealt", _stacked),
    "another indicator": ("over", _other_indicator),
    "another indicator until the end": ("again", _other_indicator),
    "other tiles until the end": ("again", _other_first_tiles),
    "another drawn tile until the end": ("drawn", _other_drawn),
    "other moves until the end": ("drawn", _other_moves),
}
"""What only those find who deal the tiles again."""
PLAYED: Final[dict[str, tuple[Phase, Lie]]] = {
    "other scores than those of the deal": ("over", _put("table.scores.deals.0.scores", [0] * 4)),
    "a deal that is said not to count": ("over", _put("table.scores.deals.0.counts", False)),
}
"""What only those find who play it again."""
LIES: Final = BEFORE | AFTER | TILES | PLAYED

# The public log -----------------------------------------------------------------------------------

_NAME, _KEY, _OTHER = "okey101/log", bytes(range(32)), bytes(range(1, 33))


class ShownLog:
    """A log as it is shown once: its head, and the proof of an earlier one."""

    def __init__(self, *entries: str, name: str = _NAME, key: bytes = _KEY) -> None:
        self._nodes: dict[tuple[int, int], bytes] = {}
        for size, entry in enumerate(entries):
            for level, place, made in added(size, entry_hash(entry.encode()), self._node):
                self._nodes[level, place] = made
        self._size = len(entries)
        self.key = LogKey(name, key)

    def _node(self, level: int, place: int) -> bytes:
        return self._nodes[level, place]

    def head(self) -> Json:
        signed = self.key.sign(Head(self._size, root(self._size, self._node)))
        return {"checkpoint": signed.text, "key": self.key.verifier}

    def proof(self, old: int, size: int) -> Json:
        return {"proof": [one.hex() for one in consistency_proof(old, size, self._node)]}


class _Changed(ShownLog):
    """A log whose checkpoint is another text."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__(*"abcdef")
        self._change = change

    def head(self) -> Json:
        told = super().head()
        return told | {"checkpoint": self._change(told["checkpoint"])}


class _NoProof(ShownLog):
    def proof(self, old: int, size: int) -> Json:
        return super().proof(size + old, size)


class _Refusing(ShownLog):
    """A log whose server has no time for proofs, and never will."""

    def proof(self, old: int, size: int) -> Json:
        raise OkeyError("rate-limited", f"no time for {old} and {size}")


class _Headless(ShownLog):
    """A log whose server has no time for its head, and never will."""

    def head(self) -> Json:
        raise OkeyError("rate-limited", "no time for a head")


class _Cut(ShownLog):
    """A log whose server breaks the line whenever it is asked for it, and for nothing else."""

    def head(self) -> Json:
        raise ConnectionError


FIRST: Final = ShownLog("a", "b", "c", "d", "e")
"""What is shown first; what comes then, and the code by which clients tell it, empty for none."""
LOGS: Final[dict[str, tuple[ShownLog, str]]] = {
    "same": (FIRST, ""),
    "longer": (ShownLog("a", "b", "c", "d", "e", "f"), ""),
    "stale": (ShownLog("a", "b", "c"), "log-shortened"),
    "two-faces": (ShownLog("a", "b", "c", "d", "x"), "log-rewritten"),
    "longer-face": (ShownLog("a", "b", "x", "d", "e", "f", "g"), "log-rewritten"),
    "left-out": (ShownLog("a", "c", "d", "e", "f", "g"), "log-rewritten"),
    "no-proof": (_NoProof("a", "b", "c", "d", "e", "f"), "log-rewritten"),
    "unproved": (_Refusing("a", "b", "x", "d", "e", "f"), "log-unproved"),
    "headless": (_Headless(), "log-unproved"),
    "cut": (_Cut(), "log-unproved"),
    "another-log": (ShownLog("a", "b", "c", "d", "e", name="another/log"), "log-key-changed"),
    "another-key": (ShownLog("a", "b", "c", "d", "e", key=_OTHER), "log-key-changed"),
    "wrong-signature": (
        _Changed(lambda text: text.replace("\n6\n", "\n5\n")),
        "log-wrong-signature",
    ),
    "unsigned": (_Changed(lambda text: text.partition("— ")[0]), "log-wrong-signature"),
    "no-head": (_Changed(lambda _: "none"), "bad-checkpoint"),
}
