"""The rules of Okey 101. Pure: no clock, no input or output, no state but the values passed in."""

from okey101.game.actions import Action, parse_action, parse_line
from okey101.game.deal import Deal, End, Fine, Opened, Phase, Public, Result
from okey101.game.dealing import Layout, deal_from_hands, deal_from_seed
from okey101.game.determinization import determinize
from okey101.game.legality import is_legal, judge
from okey101.game.match import Match
from okey101.game.options import Options, options_of
from okey101.game.record import RULES_VERSION, Record, parse_record, read_record, record_of
from okey101.game.record_replay import Replay, replay
from okey101.game.ruleset import PRESETS, RuleSet
from okey101.game.transition import apply
from okey101.game.view import View, view_of

__all__ = [
    "PRESETS",
    "RULES_VERSION",
    "Action",
    "Deal",
    "End",
    "Fine",
    "Layout",
    "Match",
    "Opened",
    "Options",
    "Phase",
    "Public",
    "Record",
    "Replay",
    "Result",
    "RuleSet",
    "View",
    "apply",
    "deal_from_hands",
    "deal_from_seed",
    "determinize",
    "is_legal",
    "judge",
    "options_of",
    "parse_action",
    "parse_line",
    "parse_record",
    "read_record",
    "record_of",
    "replay",
    "view_of",
]
