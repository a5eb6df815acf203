"""The rules of Okey 101. Pure: no clock, no input or output, no state but the values passed in."""

from okey101.game.actions import (
    Action,
    Announce,
    Back,
    Discard,
    Draw,
    Indicator,
    Lay,
    Meld,
    Pass,
    Return,
    Swap,
    Take,
    parse_action,
    parse_line,
)
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine, Opened, Phase, Result, Score
from okey101.game.dealing import Layout, deal_from_hands, deal_from_seed
from okey101.game.determinization import determinize
from okey101.game.legality import Ruling
from okey101.game.match import Match
from okey101.game.options import DiscardOption, LegalActions, Options, options_of
from okey101.game.public import Public
from okey101.game.record.form import RULES_VERSION, DealRecord, Record, parse_record, record_of
from okey101.game.record.position import parse_position, position_of
from okey101.game.record.replay import Replay, replay
from okey101.game.record.sheet import MatchSheet, SheetRow, match_sheet
from okey101.game.ruleset import PRESETS, RuleSet
from okey101.game.transition import apply
from okey101.game.view import View, view_of

__all__ = [
    "PRESETS", "RULES_VERSION", "Action", "Announce", "Back", "Deal", "DealRecord", "Discard",
    "DiscardOption", "Draw", "End", "Fine", "Indicator", "Lay", "Layout", "LegalActions", "Match",
    "MatchSheet", "Meld", "Opened", "Options", "Pass", "Phase", "Public", "Record", "Replay",
    "Result", "Return", "RuleSet", "Ruling", "Score", "SheetRow", "Swap", "Take", "View", "apply",
    "deal_from_hands", "deal_from_seed", "determinize", "match_sheet", "options_of", "parse_action",
    "parse_line", "parse_position", "parse_record", "position_of", "record_of", "replay", "view_of",
]  # fmt: skip
