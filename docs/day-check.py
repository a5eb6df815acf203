"""Makes a closed day of a server's deals again, by the documents and the standard library alone.

    python3 day-check.py URL DATE [--mine CONTRIBUTION] [--matches COUNT]

It reads what anybody can read: the day, its list of contributions, its whole table, the matches in
it, and the public log. It makes again the log's root, the commitments, the day's digest and mix,
the tiles of each deal, the points of each match from its actions, the matchpoints and the places.
How each value is computed stands in fairness.md, dealing.md, record.md, protocol.md and
rules/altinstar.md. `okey101 replay` tells whether each action was allowed, `okey101 verify --bots`
whether each bot chose as it should: it plays by the seed that is printed here. What nothing here
can tell is the signature of the log, who is ranked or left out, and the own play of a review.
What is not there any more is "unknown": a bot's run, once that bot is of another version.

It ends with 0 where nothing is wrong, 1 where something is wrong, 2 where it could not be read.
"""

import argparse
import hmac
import json
import math
import sys
import time
from base64 import b64decode
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

AT_ONCE, MOST_BYTES, RUNS = 1000, 1 << 24, 16
STRANGE = (ValueError, LookupError, TypeError, AttributeError)


class Refused(ValueError):
    def __init__(self, path, status):
        super().__init__(f"{path} answers {status}")
        self.status = status


class Server:
    def __init__(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            raise ValueError(f"{url} is no address of a server")
        self.url = f"{parts.scheme}://{parts.netloc}"

    def get(self, path):
        while True:
            try:
                with urlopen(Request(self.url + path), timeout=60) as answer:
                    return json.loads(answer.read(MOST_BYTES), object_pairs_hook=single)
            except HTTPError as error:
                if error.code != 429:
                    raise Refused(path, error.code) from None
                time.sleep(min(int(error.headers.get("Retry-After") or 1), 60))


def single(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("an object has a name twice")
    return dict(pairs)


# What values are made of (fairness.md) -----------------------------------------------------------


def number(n):
    return n.to_bytes(8, "big")


def sized(part):
    part = part.encode() if isinstance(part, str) else part
    return number(len(part)) + part


def sha(*parts):
    return sha256(
        b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    ).digest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def context_of(name, deal):
    return sized(f"day-{name}") + number(1) + number(deal) + number(0)


def commitment_of(secret, where):
    return sha("okey101 fair commitment 1", where, secret)


def share_commitment_of(commitment, where, seat, share):
    return sha("okey101 fair contribution 1", where, commitment, number(seat), share)


def transcript_of(commitment, where, terms, seats, shown):
    each = (sized(who) + sized(part) for who, part in zip(seats, shown, strict=True))
    return sha(
        "okey101 fair transcript 1",
        where,
        commitment,
        sized(canonical(terms)),
        number(len(seats)),
        *each,
    )


def seed_of(secret, transcript, shares):
    parts = b"".join([b"okey101 fair seed 1", transcript, number(len(shares)), *map(sized, shares)])
    return hmac.digest(secret, parts, "sha256")


def bot_seed_of(secret, where, seat):
    return hmac.digest(secret, b"okey101 bot seed 1" + where + number(seat), "sha256")


def digest_of(name, transcripts):
    return sha("okey101 day 1", sized(name), number(len(transcripts)), *transcripts)


def mix_of(name, digest, shares):
    return sha("okey101 day mix 1", sized(name), digest, number(len(shares)), *shares)


def root_of(lines):
    """The root of the tree over the log's lines (RFC 9162)."""
    trees = []
    for line in lines:
        trees.append((1, sha(b"\0", line)))
        while len(trees) > 1 and trees[-1][0] == trees[-2][0]:
            (_, right), (size, left) = trees.pop(), trees.pop()
            trees.append((2 * size, sha(b"\1", left, right)))
    while len(trees) > 1:
        (_, right), (size, left) = trees.pop(), trees.pop()
        trees.append((size, sha(b"\1", left, right)))
    return trees[0][1] if trees else sha()


# From a seed to the tiles (dealing.md) -----------------------------------------------------------


def stream(seed, label):
    block, words = 0, []

    def below(n):
        nonlocal block
        while True:
            if not words:
                bits = sha(seed, label, number(block))
                words.extend(int.from_bytes(bits[i : i + 4], "big") for i in range(0, 32, 4))
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % n:
                return word % n

    return below


def after(tile):
    return tile[0] + str(int(tile[1:]) % 13 + 1)


def deal_of(seed, dealer):
    """A deal under the rules of altinstar, as a record writes it."""
    below = stream(seed, "okey101 deal 1")
    kinds = [colour + str(n) for colour in "RYBK" for n in range(1, 14)]
    tiles = [tile for kind in [*kinds, "F"] for tile in (kind, kind)]
    for i in range(105, 0, -1):
        j = below(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    stacks = [tiles[7 * s : 7 * s + 7] for s in range(15)]
    dice = [below(6) + 1]
    chosen = stacks[dice[0] - 1]
    chosen.append(tiles[105])
    dice.append(below(6) + 1)
    while chosen[dice[-1] - 1] == "F":
        dice.append(below(6) + 1)
    indicator = chosen.pop(dice[-1] - 1)
    queue = [stacks[(dice[0] + s) % 15] for s in range(15)]
    hands = [[], [], [], []]
    for i, stack in enumerate(queue[:12]):
        hands[(dealer + 1 + i) % 4] += stack
    stock = [tile for stack in queue[12:] for tile in reversed(stack)]
    hands[dealer].append(stock.pop(0))

    def seen(pile):
        return ["*" if tile == after(indicator) else tile for tile in pile]

    return {
        "dice": dice,
        "indicator": indicator,
        "hands": [*map(seen, hands)],
        "stock": seen(stock),
    }


# From the actions to the points (rules/altinstar.md) ---------------------------------------------


class Group:
    """Tiles on the table; ``*B5`` is an okey that stands for B5, ``*5`` one of an open colour."""

    def __init__(self, pieces, okey):
        self.pieces, self.okey = pieces, okey
        numbers = {self.number(piece) for piece in pieces}
        self.form = "pair" if len(pieces) == 2 else "set" if len(numbers) == 1 else "run"

    def number(self, piece):
        text = self.okey if piece == "F" else piece.strip("*")
        return int(text if text.isdigit() else text[1:])

    def points(self):
        return sum(map(self.number, self.pieces))

    def takes(self, tile):
        """Whether a tile could be added (M3, M4, J3); the false joker is the okey's face (J2)."""
        tile = self.okey if tile == "F" else tile
        named = [self.okey if piece == "F" else piece.strip("*") for piece in self.pieces]
        coloured = [text for text in named if not text.isdigit()]
        numbers = sorted(map(self.number, self.pieces))
        if self.form == "set":
            colours = {text[0] for text in coloured}
            return len(named) < 4 and int(tile[1:]) == numbers[0] and tile[0] not in colours
        ends = (numbers[0] - 1, numbers[-1] + 1)
        return self.form == "run" and tile[0] == coloured[0][0] and int(tile[1:]) in ends


class Play:
    """A deal that is played again for its points; whether an action is allowed is not asked."""

    def __init__(self, dealt, dealer):
        self.okey = after(dealt["indicator"])
        self.hands = [Counter(hand) for hand in dealt["hands"]]
        self.stock = [*dealt["stock"]]
        self.piles = [[], [], [], []]
        self.table, self.turn = [], dealer
        self.opened, self.fines = [None] * 4, []
        self.result = None
        self.begin_turn()

    def begin_turn(self):
        self.placed, self.backs, self.new_opening, self.taken = [], 0, False, None

    def fine(self, rule):
        self.fines.append((self.turn, rule, 101))

    def lose(self, tile):
        if self.result is not None or not self.hands[self.turn][tile]:
            raise ValueError(f"seat {self.turn} can't play {tile}")
        self.hands[self.turn][tile] -= 1

    def gain(self, tile):
        self.hands[self.turn][tile] += 1

    def play(self, text):
        seat, _, action = text.partition(": ")
        word, _, rest = action.partition(" ")
        if int(seat) != self.turn or self.result is not None:
            raise ValueError(f"{text}: it is not the turn of this seat")
        getattr(self, f"do_{word}")(rest)

    def do_draw(self, _):
        self.gain(self.stock.pop(0))

    def do_take(self, _):
        self.taken = self.piles[self.turn - 1].pop()
        self.gain(self.taken)

    def do_return(self, _):
        self.lose(self.taken)
        self.piles[self.turn - 1].append(self.taken)

    def do_meld(self, rest):
        groups = [Group(part.split(), self.okey) for part in rest.split(" / ")]
        if self.opened[self.turn] is None:
            pairs = groups[0].form == "pair"
            if len(groups) < 5 if pairs else sum(group.points() for group in groups) < 101:
                self.fine("P3")  # it goes back to the rack (O5)
                return
            self.opened[self.turn], self.new_opening = "pairs" if pairs else "melds", True
        else:
            self.put_down([(group, piece) for group in groups for piece in group.pieces])
        for group in groups:
            for piece in group.pieces:
                self.lose(tile_of(piece))
        self.table += groups
        if self.opened == ["pairs"] * 4:  # O7
            self.end("all-pairs", None, [0] * 4, [])

    def do_lay(self, rest):
        piece, _, place = rest.partition(" > ")
        group = self.table[int(place) - 1]
        self.lose(tile_of(piece))
        self.put_down([(group, piece)])
        group.pieces.append(piece)

    def put_down(self, tiles):
        self.placed += tiles
        self.backs = 0 if self.backs < 2 else self.backs

    def do_back(self, rest):
        count = int(rest)
        for _ in range(count):
            group, piece = self.placed.pop()
            group.pieces.remove(piece)
            self.gain(tile_of(piece))
            if not group.pieces:
                self.table.remove(group)
        if self.backs < 2 <= self.backs + count:  # U5
            self.fine("P4")
        self.backs += count

    def do_discard(self, tile):
        self.lose(tile)
        self.piles[self.turn].append(tile)
        if not self.hands[self.turn].total():
            self.finish(tile)
            return
        if tile == "*":
            self.fine("P1")
        elif any(group.takes(tile) for group in self.table):
            self.fine("P2")
        self.turn = (self.turn + 1) % 4
        self.begin_turn()
        if not self.stock:  # E2
            self.count("stock", None, 1)

    def finish(self, tile):
        doublings = [
            tile == "*",
            self.opened[self.turn] == "pairs",
            self.new_opening and sum(opened is not None for opened in self.opened) == 1,
        ]
        self.count("finish", self.turn, 2 ** sum(doublings))

    def count(self, end, winner, factor):
        """The points of each hand (C1, C2, E3), and the fines (C3, P5)."""
        points, fines = [], [*self.fines]
        for seat, hand in enumerate(self.hands):
            value = sum(
                int((self.okey if tile == "F" else tile)[1:]) * hand[tile]
                for tile in hand
                if tile != "*"
            )
            value *= 2 if self.opened[seat] == "pairs" else 1
            if seat == winner:
                value = -101
            elif self.opened[seat] is None:
                value = 202
            else:
                fines += [(seat, "P5", 101)] * hand["*"]
            points.append(value * factor)
        self.end(end, winner, points, fines)

    def end(self, end, winner, points, fines):
        for seat, _, fine in fines:
            points[seat] += fine
        self.result = {"end": end, "winner": winner, "scores": points, "fines": sorted(fines)}


def tile_of(piece):
    return "*" if piece.startswith("*") else piece


def result_of(deal):
    play = Play(deal, deal["dealer"])
    for action in deal["actions"]:
        play.play(action)
    return play.result


def plain(line):
    """What a server may have a word in, so that it adds no line of its own and hides none."""
    return "".join(one if one.isprintable() else "?" for one in line)


# A day -------------------------------------------------------------------------------------------


class Checker:
    def __init__(self):
        self.wrong = 0

    def say(self, good, what, but=""):
        self.wrong += not good
        print(plain(f"{'right' if good else 'WRONG'}: {what}{'' if good else but}"), flush=True)


class Day(Checker):
    """One instance of a day."""

    def __init__(self, server, name):
        super().__init__()
        self.server, self.name = server, name
        self.day = server.get(f"/api/days/{name}")
        if self.day["state"] != "closed":
            raise ValueError(f"the day {name} is not closed yet")
        if self.day["rules"].get("preset") != "altinstar":
            raise ValueError("only the days of the rule set altinstar can be made again here")
        self.secrets = [bytes.fromhex(secret) for secret in self.day["secrets"]]
        self.commitments = [
            commitment_of(secret, context_of(name, n)) for n, secret in enumerate(self.secrets)
        ]
        self.seats = ["player" if bot is None else f"bot:{bot}" for bot in self.day["bots"]]
        self.digest = bytes.fromhex(self.day["digest"])
        self.deals = None

    def check_promise(self, lines):
        told = [commitment.hex() for commitment in self.commitments]
        self.say(
            told == self.day["commitments"], f"the secrets of {self.name} open its commitments"
        )
        told_mix = self.server.get(f"/api/days/{self.name}/mix")
        self.shares = told_mix["shares"]
        self.mix = mix_of(self.name, self.digest, [*map(bytes.fromhex, self.shares)])
        self.given = self.mix if self.shares else b""
        self.say(
            (told_mix["mix"], self.day["mixed"]) == (self.mix.hex(), bool(self.shares))
            and self.shares == sorted({*self.shares})
            and all(len(share) == 64 for share in self.shares),
            f"the mix of {len(self.shares)} contributions",
        )
        places = [place for place, line in enumerate(lines) if line.split(" ")[1:-1] == [self.name]]
        expected = [f"day {self.name} {self.digest.hex()}", f"mixed {self.name} {self.mix.hex()}"]
        self.say(
            [lines[place] for place in places] == expected,
            "the log promised the day once, and closed its list once after that",
        )
        before = {*lines[: places[-1]]} if places else set()
        self.say(
            all(f"commitment {one}" in before for one in told),
            "the log had the commitments before the list was closed",
        )

    def make_deals(self, terms):
        """The tiles that follow from the secrets, and the seeds of the bots."""
        bare, shown, seeds = [], [], []
        for n, (secret, commitment) in enumerate(zip(self.secrets, self.commitments, strict=True)):
            where = context_of(self.name, n)
            bare.append(transcript_of(commitment, where, terms, self.seats, [b""] * 4))
            own = self.given and share_commitment_of(commitment, where, 0, self.given)
            shown.append([own, b"", b"", b""])
            transcript = transcript_of(commitment, where, terms, self.seats, shown[-1])
            seeds.append(seed_of(secret, transcript, [self.given, b"", b"", b""]))
        self.terms = terms
        self.say(
            digest_of(self.name, bare) == self.digest
            and (self.seats[0], terms["rules"]) == ("player", self.day["rules"])
            and terms["deals"] == len(self.secrets),
            "the day's digest, of the commitments, the rules and the bots",
        )
        first = stream(seeds[0], "okey101 dealer 1")(4)
        self.deals = []
        for n, seed in enumerate(seeds):
            dealt = deal_of(seed, (first + n) % 4)
            fair = {
                "version": 1,
                "commitment": self.commitments[n].hex(),
                "terms": terms,
                "context": {"table": f"day-{self.name}", "match": 1, "deal": n, "round": 0},
                "seats": self.seats,
                "commitments": [part.hex() for part in shown[n]],
                "randomness": [self.given.hex(), "", "", ""],
                "secret": self.secrets[n].hex(),
            }
            self.deals.append(
                {**dealt, "dealer": (first + n) % 4, "seed": seed.hex(), "fair": fair}
            )
            bots = (
                bot_seed_of(self.secrets[n], context_of(self.name, n), seat) for seat in range(4)
            )
            print(f"deal {n + 1}: indicator {dealt['indicator']}, seed {seed.hex()}")
            for seat, bot in enumerate(bots):
                print(f"  a bot in seat {seat} plays by {bot.hex()}")

    def check_match(self, line, record, logged):
        """Which parts of a match are not as they are made again."""
        if self.deals is None:
            self.make_deals(record["deals"][0]["fair"]["terms"])
        faults = []
        if len(record["deals"]) != len(self.deals) or record["rules"] != self.terms["rules"]:
            faults.append("its deals or rules")
        actors = {actor for deal in record["deals"] for actor in deal.get("actors", [""])}
        if line["bot"] and not all(actor.startswith("bot:") for actor in actors):
            faults.append("no bot has played it")
        for n, (told, made) in enumerate(zip(record["deals"], self.deals, strict=False), 1):
            told = {
                **told,
                "hands": [sorted(hand.split()) for hand in told["hands"]],
                "stock": told["stock"].split(),
            }
            made = {**made, "hands": [*map(sorted, made["hands"])]}
            faults += [f"{name} of deal {n}" for name in made if told.get(name) != made[name]]
            result = told["result"]
            fines = sorted((one["seat"], one["rule"], one["points"]) for one in result["fines"])
            try:
                same = result_of({**made, "actions": told["actions"]}) == {**result, "fines": fines}
            except STRANGE:
                same = False
            if not same:
                faults.append(f"result of deal {n}")
        results = [deal["result"] for deal in record["deals"]]
        points = [result["scores"][0] * (result["end"] != "all-pairs") for result in results]
        if line["points"] != points:
            faults.append("points in the table")
        if record["deals_agreed"] != len(self.deals):
            faults.append("number of deals")
        if record["totals"] != [
            sum(each) for each in zip(*(one["scores"] for one in results), strict=True)
        ]:
            faults.append("totals")
        named = {name: part for name, part in record.items() if name != "players"}
        # The log has a bot's run only from when somebody asks: its choices follow anyway.
        if not line["bot"] and f"match {sha(canonical(named)).hex()}" not in logged:
            faults.append("it is not in the log, which has it a minute after the day is closed")
        self.say(not faults, f"match {line['match']}", f": {', '.join(faults)}")


class Table(Checker):
    """The whole table of a day, with all its instances."""

    def __init__(self, lines, ranked, spread):
        super().__init__()
        self.lines, self.ranked, self.spread = lines, ranked, spread
        self.names = sorted({line["date"] for line in lines})

    def check(self):
        self.say(
            len(self.lines) == self.ranked and all(line["ranked"] for line in self.lines),
            f"the table has {self.ranked} ranked tries",
        )
        bots = [line for line in self.lines if line["bot"] is not None]
        runs = all(
            line["bot"] in range(1, RUNS + 1) and line["match"] == f"{line['date']}_{line['bot']}-1"
            for line in bots
        )
        self.say(
            runs and len({line["match"] for line in self.lines}) == len(self.lines),
            f"each match is there once, {len(bots)} of them of the first field",
        )
        counts = Counter(min(int(line["percent"] // 10), 9) for line in self.lines)
        self.say(self.spread == [counts[n] for n in range(10)], "the spread counts these lines")
        percents = []
        for name in self.names:
            percents += self.make_percents([line for line in self.lines if line["date"] == name])
        percents.sort()
        faults = []
        for line in self.lines:
            told = [*line["matchpoints"], line["percent"]]
            good = len(told) == len(line["made"]) and all(
                math.isclose(made, one, abs_tol=0.0501)
                for made, one in zip(line["made"], told, strict=True)
            )
            place = 1 + len(percents) - bisect_right(percents, line["made"][-1])
            if not good or line["place"] != place or line["total"] != sum(line["points"]):
                faults.append(str(place))
        order = [line["made"][-1] for line in self.lines]
        if order != percents[::-1]:
            faults.append("out of order")
        self.say(not faults, "matchpoints, places and totals", f": {', '.join(faults)}")

    def make_percents(self, lines):
        """What each of an instance has: 1 for each with more points, 1/2 for an equal one."""
        deals = [sorted(points) for points in zip(*(line["points"] for line in lines), strict=True)]
        for line in lines:
            made = []
            for own, points in zip(line["points"], deals, strict=True):
                more, less = len(points) - bisect_right(points, own), bisect_left(points, own)
                halves = len(points) - 1 + more - less  # 2 for more, and 1 for as many
                made.append(Fraction(50 * halves, max(len(points) - 1, 1)))
            line["made"] = [*made, sum(made) / len(made)]
        return [line["made"][-1] for line in lines]


def table_of(server, name):
    """The table of a day, which is told by the hundred."""
    lines = []
    while True:
        table = server.get(f"/api/days/{name}/table?first={len(lines)}")
        lines += table["lines"]
        if not table["lines"] or len(lines) >= table["ranked"]:
            return Table(lines, table["ranked"], table["spread"])


def log_of(server):
    """The lines of the public log up to its newest head, and whether they lead to its root."""
    origin, size, root, *_ = server.get("/api/log/")["checkpoint"].split("\n")
    lines = []
    while len(lines) < int(size):
        count = min(AT_ONCE, int(size) - len(lines))
        found = server.get(f"/api/log/entries?first={len(lines)}&count={count}")
        if not found:
            break
        lines += found
    return origin, lines, root_of(lines) == b64decode(root) and len(lines) == int(size)


def record_of(server, line):
    """The record of a match of the table; None where it is not there."""
    try:
        server.get(f"/api/matches/{line['match']}")  # a bot's run is made now
        return server.get(f"/api/matches/{line['match']}/record")
    except Refused as refused:
        if refused.status != 404:
            raise
        return None


def check(server, date, mine, matches):
    table = table_of(server, date)
    days = {name: Day(server, name) for name in table.names}
    each = [[line for line in table.lines if line["date"] == name] for name in days]
    chosen = [line for lines in each for line in lines[:matches]]
    origin, lines, whole = log_of(server)
    log = Checker()
    log.say(whole, f"the {len(lines)} lines of the log {origin} lead to its root")
    log.say({name[:10] for name in table.names} == {date[:10]}, f"the table is that of {date[:10]}")
    table.check()
    for day in days.values():
        day.check_promise(lines)
    shares = {share for day in days.values() for share in day.shares}
    for share in mine:
        log.say(share.lower() in shares, f"your contribution {share[:8]} is in the list")
    logged, unknown = {*lines}, 0
    for line in chosen:
        record = record_of(server, line)
        if record is not None:
            days[line["date"]].check_match(line, record, logged)
        elif line["bot"]:  # that bot may be of another version by now
            unknown += 1
            print(plain(f"unknown: match {line['match']}: this run is not made any more"))
        else:
            log.say(False, f"match {line['match']}", ": it is not there")
    for day in days.values():
        if day.deals is None:
            unknown += 1
            print(plain(f"unknown: the deals of {day.name}, of which no match could be read"))
    wrong = sum(one.wrong for one in (log, table, *days.values()))
    print(f"{wrong} wrong" if wrong else "all of it is right", f"{unknown} unknown", sep=", ")
    return 1 if wrong else 0


def main():
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("url", help="the server, as https://okey.example")
    reader.add_argument("date", help="the day, as 2026-11-27, or one of its instances")
    reader.add_argument("--mine", action="append", default=[], help="a contribution of your own")
    reader.add_argument(
        "--matches", type=int, help="check so many matches of each instance, the best ones"
    )
    words = reader.parse_args()
    try:
        return check(Server(words.url), words.date, words.mine, words.matches)
    except (HTTPException, OSError, RecursionError, *STRANGE) as error:
        print(plain(f"it can't be read: {error}"), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
