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
from okey101.game.deal import Deal, End, Fine, Opened, Phase, Public, Result, Score
from okey101.game.dealing import Layout, deal_from_hands, deal_from_seed
from okey101.game.determinization import determinize
from okey101.game.legal_actions import LegalActions
from okey101.game.legality import Ruling, is_legal, judge
from okey101.game.match import Match
from okey101.game.options import Options, options_of
from okey101.game.record import (
    RULES_VERSION,
    Record,
    parse_record,
    read_record,
    record_of,
    write_record,
)
from okey101.game.record_replay import Replay, replay
from okey101.game.ruleset import PRESETS, RuleSet
from okey101.game.sheet import MatchSheet, match_sheet
from okey101.game.transition import apply
from okey101.game.view import View, view_of

__all__ = [
    "PRESETS",
    "RULES_VERSION",
    "Action",
    "Announce",
    "Back",
    "Deal",
    "Discard",
    "Draw",
    "End",
    "Fine",
    "Indicator",
    "Lay",
    "Layout",
    "LegalActions",
    "Match",
    "MatchSheet",
    "Meld",
    "Opened",
    "Options",
    "Pass",
    "Phase",
    "Public",
    "Record",
    "Replay",
    "Result",
    "Return",
    "RuleSet",
    "Ruling",
    "Score",
    "Swap",
    "Take",
    "View",
    "apply",
    "deal_from_hands",
    "deal_from_seed",
    "determinize",
    "is_legal",
    "judge",
    "match_sheet",
    "options_of",
    "parse_action",
    "parse_line",
    "parse_record",
    "read_record",
    "record_of",
    "replay",
    "view_of",
    "write_record",
]
