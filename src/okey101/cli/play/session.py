"""A match at the terminal from one prompt to the next."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from okey101.bots.base import Bot, tell_end
from okey101.bots.fallback import fallback_action
from okey101.bots.playing import TURN_LIMIT
from okey101.bots.reasons import Reason, advice
from okey101.bots.registry import bot_of, is_foreign
from okey101.cli.output import at_home, file_failure, printable
from okey101.cli.play.command_words import Verb
from okey101.cli.play.console import Console, PlayerLeft
from okey101.cli.play.moves import (
    ACTIONS,
    TypedCommand,
    action_of,
    bad_shape,
    is_no,
    is_yes,
    next_lay,
    read_command,
    shown,
)
from okey101.cli.play.saved import Saved, Saver
from okey101.cli.play.screen import History, Screen, names_of, reason_text, typed
from okey101.errors import IllegalAction, NotationError, OkeyError
from okey101.game.actions import Action, Back, Discard, Meld
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Phase
from okey101.game.match import Match
from okey101.game.options import Options
from okey101.game.transition import apply
from okey101.game.view import view_of
from okey101.i18n import Texts, error_text
from okey101.render.rules_text import rules_plain, rules_text
from okey101.render.text import (
    Ink,
    Order,
    deal_sheet_lines,
    fine_text,
    match_sheet_lines,
    place_lines,
)

# The bots at the table, and the one that gives hints.

_LABEL = b"okey101 play bots 1"


class Opponents:
    """Chooses for every seat; equal seeds and positions give equal choices, so a match resumes.

    A bot of somebody else may fail, or choose what is illegal: then a default move is played.
    """

    def __init__(self, names: Sequence[str], seed: bytes) -> None:
        """``names`` by seat, empty for the player; raises OkeyError ``unknown-bot``."""
        self._names = names
        self._seed = seed
        self._bots: dict[tuple[int, int], Bot] = {}
        self._turn: tuple[int, int] | None = None
        self._streak = 0
        self.failed = ""
        """The bot for which the last choice is a default move."""
        for name in filter(None, names):
            bot_of(name)

    def choose(self, number: int, deal: Deal, seat: int) -> Action:
        """A bot's action in the deal of that number, counted from 0."""
        turn = number, deal.public.turns
        self._streak = self._streak + 1 if turn == self._turn else 0
        self._turn, self.failed = turn, ""
        name = self._names[seat]
        if not is_foreign(name):
            return self._ask(name, number, deal, seat)
        with suppress(Exception, SystemExit):  # it must not end the match
            if self._streak < TURN_LIMIT:
                return deal.judge(self._ask(name, number, deal, seat)).action
        self.failed = name
        return fallback_action(view_of(deal, seat))

    def tell_end(self, number: int, deal: Deal) -> None:
        """Show the bots of a deal how it ended."""
        for (played, seat), bot in self._bots.items():
            if played == number:
                with suppress(Exception, SystemExit):  # it must not end the match
                    tell_end(bot, view_of(deal, seat))

    def _ask(self, name: str, number: int, deal: Deal, seat: int) -> Action:
        bot = self._bots.get((number, seat))
        if bot is None:
            text = f" {number} {seat}".encode("ascii")
            digest = hashlib.sha256(self._seed + _LABEL + text).digest()
            bot = bot_of(name, int.from_bytes(digest[:8], "big"))
            self._bots[number, seat] = bot
        view = view_of(deal, seat)
        return bot.choose(view, Options(view))


_ORDERS = {
    Verb.SORT_MELDS: Order.MELDS,
    Verb.SORT_PAIRS: Order.PAIRS,
    Verb.SORT_COLOURS: Order.COLOURS,
}
_BARE = {Verb.LAY_ALL, Verb.HINT, Verb.WHY, Verb.TABLE, Verb.RACK, Verb.SCORE, Verb.LOG, *_ORDERS}
"""Commands that nothing follows."""


def error_line(texts: Texts, error: OkeyError, line: str = "") -> str:
    """An error in the player's language, with the rule, or with the place in the line typed."""
    message = printable(error_text(texts, error))
    if isinstance(error, IllegalAction):
        return texts("play-refused", message=message, rule=error.rule)
    if isinstance(error, NotationError) and error.code != "unknown-command":
        rest = shown(line[error.position :].strip())
        if rest:
            return texts("play-at", message=message, position=error.position + 1, rest=rest)
    return message


class TerminalSeat:
    """A seat at the terminal: shows its player the match, and does what is typed.

    Who plays in the other seats, and where the match is kept, is left to those who derive from it.
    """

    def __init__(self, saved: Saved, console: Console, texts: Texts, *, color: bool) -> None:
        self.me = saved.seat
        self._saved = saved
        self._console = console
        self._texts = texts
        self._ink = Ink(texts, color, words=saved.words)
        self._names = names_of(saved.match.rules.players, self.me, saved.name, texts)
        self._screen = Screen(self.me, self._names, saved.bots, self._ink, saved.order)
        self._advised = False
        self._auto = 0
        self._begin_history()

    def _begin_history(self) -> None:
        self._shown = -1, -1
        """The turn whose position was shown, and the actions that it had."""
        self._history = History(self._screen)

    # What the others do, and what is kept -----------------------------------------------------

    def _keep(self, **changes: Any) -> None:
        """Keep what has changed; whoever derives from this may write it into a file."""
        self._saved = replace(self._saved, **changes)

    def _save_as(self, name: str) -> None:
        raise NotImplementedError

    def _start_deal(self) -> None:
        raise NotImplementedError

    def _resume_deal(self) -> None:
        """Tell what has happened in the deal so far; nothing here."""

    def _others(self) -> None:
        raise NotImplementedError

    def _act(self, action: Action, seat: int | None = None) -> None:
        raise NotImplementedError

    def _advice(self) -> tuple[Action, Reason]:
        """What the adviser would do; OkeyError ``no-hints`` where there is none."""
        return advice(view_of(self._deal, self.me))

    # The match --------------------------------------------------------------------------------

    @property
    def _deal(self) -> Deal:
        return self._saved.deals[-1]

    def _options(self) -> Options:
        return Options(view_of(self._deal, self.me))

    def play(self) -> None:
        """Play on to the end of the match; raises PlayerLeft, KeyboardInterrupt."""
        if self._saved.running is not None:
            self._resume_deal()
        while not self._saved.match.over:
            if self._saved.running is None:
                self._start_deal()
            while not self._deal.over:
                self._step()
            self._end_deal()
        self._end_match()

    def _step(self) -> None:
        """One action of another seat, or one line from the player."""
        if self._deal.turn != self.me:
            self._others()
            return
        self._console.say(*self._history.news())
        if self._auto:
            self._auto -= 1
            action, _ = self._advice()
            self._console.say(self._texts("play-auto", action=typed(action, self._ink)))
            self._act(action)
            return
        if self._show_position(self._options()) and self._advised:
            self._hint()
        prompt = self._texts("play-prompt", phase=self._deal.phase.value)
        line = self._console.ask(f"{prompt} > ")
        try:
            self._do(read_command(line, self._texts.language))
        except OkeyError as error:  # it has changed nothing
            self._console.say(error_line(self._texts, error, line))

    def _show_position(self, options: Options) -> bool:
        """The whole position once a turn, and after an action what it has changed; if it has."""
        public = self._deal.public
        before, self._shown = self._shown, (public.turns, len(public.actions))
        if before[0] != public.turns:
            self._console.say("", *self._screen.status(self._saved.match, options))
        elif before != self._shown:
            self._console.say(*self._screen.brief(options))
        return before != self._shown

    def _do(self, command: TypedCommand) -> None:
        verb = command.verb
        if command.rest and verb in _BARE:
            bad_shape(command)
        if verb is Verb.LAY_ALL or (verb is Verb.LAY and not command.rest):
            self._lay_all()
        elif verb in ACTIONS:
            action = action_of(command, self._options())
            if self._agreed(action):
                self._act(action, command.seat)
        elif verb in _ORDERS:
            self._sort(_ORDERS[verb])
        else:
            self._tell(command)

    def _lay_all(self) -> None:
        """Lay off every tile that fits, one after another, but no okey."""
        lay = next_lay(self._options())
        if lay is None:
            if self._deal.phase is not Phase.PLAY or not self._deal.public.opened[self.me]:
                self._deal.judge("lay R1 > 1")  # it says why not
            raise OkeyError("nothing-to-lay", "no tile can be laid off")
        while lay is not None:
            self._act(lay)
            lay = next_lay(self._options())

    def _agreed(self, action: Action) -> bool:
        """Ask before anything that costs a fine; raises IllegalAction as the judge does."""
        ruling = self._deal.judge(action, self.me)
        texts = self._texts
        if ruling.short and isinstance(ruling.action, Meld):
            groups = ruling.groups
            options = self._options()
            pairs = len(groups[0]) == 2
            question = texts(
                "play-confirm-short-pairs" if pairs else "play-confirm-short",
                value=len(groups) if pairs else sum(group.points for group in groups),
                need=options.need_pairs if pairs else options.need_points,
                points=self._deal.rules.short_opening_fine,
            )
        elif ruling.fine and isinstance(ruling.action, Discard | Back):
            rule, points = ruling.fine
            why = {"action": typed(ruling.action, self._ink), "rule": rule}
            why |= {"reason": texts("play-risk", rule=rule)}
            question = texts("play-confirm-fine", points=points, **why)
        else:
            return True
        self._console.say(question)
        agreed = is_yes(self._console.ask(f"{texts('play-yes-no')} > "))
        if not agreed:
            self._console.say(texts("play-not-done"))
        return agreed

    def _sort(self, order: Order) -> None:
        self._screen.order = order
        self._keep(order=order)
        self._console.say(*self._screen.rack(self._options()))

    def _tell(self, command: TypedCommand) -> None:
        """Commands that change nothing in the game."""
        say, texts, match = self._console.say, self._texts, self._saved.match
        match command.verb:
            case Verb.STATUS:
                self._shown = -1, self._shown[1]
            case Verb.TABLE:
                options = self._options()
                say(*self._screen.status(match, options), *self._screen.piles(self._deal.public))
            case Verb.RACK:
                say(*self._screen.rack(self._options()))
            case Verb.WHY:
                say(*self._screen.why(self._options()))
            case Verb.HINT:
                self._hint()
            case Verb.AUTO:
                self._advice()  # there may be none
                if not re.fullmatch("([1-9][0-9]{0,8})?", command.rest):
                    bad_shape(command)
                self._auto = int(command.rest or 1)
            case Verb.RULES:
                self._console.page(self._rules(command.rest), f"{texts('play-more')} > ")
            case Verb.SCORE:
                lines = match_sheet_lines(match.rules, match.results, self._names, texts)
                fines = [
                    f"{self._names[f.seat]}: {fine_text(f, texts)}" for f in self._deal.public.fines
                ]
                say(*lines, *fines)
            case Verb.LOG:
                say(*(self._history.lines() or [texts("play-log-empty")]))
            case Verb.SAVE:
                self._save_as(command.rest)
            case Verb.WORDS:
                self._write_words(not self._ink.words)
                say(texts("play-words-on" if self._ink.words else "play-words-off"))
                say(*self._screen.rack(self._options()))
            case Verb.HELP:
                say(*texts("play-help", points=match.rules.take_back_fine).splitlines())
            case _:
                raise PlayerLeft

    def _hint(self) -> None:
        action, reason = self._advice()
        words = reason_text(reason, self._ink)
        what = typed(action, self._ink)
        self._console.say(self._texts("play-hint", action=what, reason=words))

    def _rules(self, wanted: str) -> list[str]:
        """The rules of the match, or the one with an id."""
        if not wanted:
            return rules_plain(self._saved.match.rules, self._texts).splitlines()
        for section in rules_text(self._saved.match.rules, self._texts):
            for paragraph in section.paragraphs:
                if paragraph.rule.lower() == wanted.lower():
                    return [f"{paragraph.rule}: {paragraph.text}"]
        raise OkeyError("no-such-rule", f"no rule has the id {shown(wanted)}", rule=shown(wanted))

    def _write_words(self, words: bool) -> None:
        self._ink = replace(self._ink, words=words)
        self._screen.ink = self._ink
        self._keep(words=words)

    def _after(self, deal: Deal) -> Match:
        """The match once a deal has ended."""
        return self._saved.match.after(deal)

    def _end_deal(self) -> None:
        """Tell how the deal ended and what it was worth to everybody."""
        texts, deal = self._texts, self._deal
        result = deal.result
        assert result is not None
        number = self._saved.match.played + 1
        self._keep(match=self._after(deal))
        say = self._console.say
        say(*self._history.news())
        if result.winner is not None:
            outcome = texts("play-end-finish", player=self._names[result.winner])
        else:
            outcome = texts("event-stock" if result.end is End.STOCK else "event-all-pairs")
        say("", texts("play-end-deal", number=number, outcome=outcome))
        say(*self._screen.kept(deal))
        say(*deal_sheet_lines(result, self._names, self._saved.match.totals, texts))
        if deal.rules.teams:
            say(*place_lines(deal.rules, self._saved.match.totals, self._names, texts))
        if self._saved.match.played < number:
            say(f"{texts('play-void')} {texts('event-deal-again')}")

    def _end_match(self) -> None:
        texts, match = self._texts, self._saved.match
        say = self._console.say
        say("", texts("play-end-match"))
        say(*match_sheet_lines(match.rules, match.results, self._names, texts))
        say(*place_lines(match.rules, match.totals, self._names, texts))
        say(self._winner())

    def _winner(self) -> str:
        """Who has won, a team by its partners (C4, G1)."""
        texts, match = self._texts, self._saved.match
        first = [seat for seat, place in enumerate(match.places) if place == 1]
        sides = 2 if match.rules.teams else 1
        names = ", ".join(self._names[seat] for seat in first)
        if len(first) != sides:
            return texts("event-match-shared", players=names)
        if self.me in first:
            return texts("play-won")
        key = "event-match-won" if sides == 1 else "play-won-team"
        return texts(key, player=names, players=names)


class PlaySession(TerminalSeat):
    """One match: asks the player, asks the bots, saves after every action."""

    def __init__(
        self, saved: Saved, saver: Saver, console: Console, texts: Texts, *, color: bool
    ) -> None:
        """Raises OkeyError ``unknown-bot``."""
        super().__init__(saved, console, texts, color=color)
        self._saver = saver
        self._opponents = Opponents(saved.bots, saved.match.seed)

    def greet(self) -> None:
        """Tell somebody who has not played before what it is about, and offer words and advice."""
        texts, rules = self._texts, self._saved.match.rules
        aim = texts("play-aim", points=rules.open_points, pairs=rules.open_pairs)
        self._console.say(*aim.splitlines())
        if self._wants(texts("play-ask-words")):
            self._write_words(True)
        self._advised = self._wants(texts("play-ask-adviser"))

    def _wants(self, question: str) -> bool:
        self._console.say(question)
        answer = "?"
        while answer.strip() and not is_yes(answer) and not is_no(answer):
            answer = self._console.ask(f"{self._texts('play-yes-no')} > ")
        return is_yes(answer)

    def save(self) -> None:
        """Write the file; raises OSError."""
        self._saver.save(self._saved)

    def _keep(self, **changes: Any) -> None:
        super()._keep(**changes)
        try:
            self.save()
        except OSError as error:
            path = str(self._saver.path)
            why = str(file_failure(error, path, self._texts))
            self._console.complain(self._texts("play-not-saved", path=path, error=why))

    def _start_deal(self) -> None:
        deal = self._saved.match.deal()
        if self._advised and self._saved.deals:
            self._advised = False
            self._console.say("", self._texts("play-adviser-ends"))
        self._begin_history()
        self._keep(deals=(*self._saved.deals, deal))
        self._console.say("", *self._screen.deal_intro(self._saved.match, deal.public))

    def _resume_deal(self) -> None:
        deal = Deal.start(self._deal.rules, self._deal.layout)
        self._console.say("", *self._screen.deal_intro(self._saved.match, deal.public))
        for _, action in self._deal.public.actions:
            after = apply(deal, action)
            self._history.note(deal, after)
            deal = after

    def _others(self) -> None:
        """One action of a bot."""
        deal = self._deal
        chosen = self._opponents.choose(len(self._saved.deals) - 1, deal, deal.turn)
        if self._opponents.failed:
            words = self._texts("play-bot-failed", bot=printable(self._opponents.failed))
            self._console.complain(words)
        self._act(chosen)

    def _act(self, action: Action, seat: int | None = None) -> None:
        """Play an action and save it before anything of it is shown; raises IllegalAction."""
        before = self._deal
        after = apply(before, action, seat)
        self._keep(deals=(*self._saved.deals[:-1], after))
        self._history.note(before, after)

    def _end_deal(self) -> None:
        super()._end_deal()
        self._opponents.tell_end(len(self._saved.deals) - 1, self._deal)

    def _save_as(self, name: str) -> None:
        """Write the file again, or a copy of it that must not exist yet."""
        path = at_home(name) if name else self._saver.path
        key, why = "play-saved", ""
        try:
            if name and path.exists():
                key = "play-file-exists"
            else:
                (Saver(path) if name else self._saver).save(self._saved)
        except (OSError, ValueError) as error:
            told: Exception = error
            if isinstance(error, OSError):
                told = file_failure(error, str(path), self._texts)
            key, why = "play-not-saved", shown(str(told), 200)
        self._console.say(self._texts(key, path=shown(str(path), 200), error=why))

    def _end_match(self) -> None:
        super()._end_match()
        self._console.say(self._texts("play-record-kept", path=str(self._saver.path)))
