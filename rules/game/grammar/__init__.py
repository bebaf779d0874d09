"""Parse the strings of a game document.

Each function takes a string of the document, with options inserted, and returns an object of
`rules.game.game`. For invalid text it raises `GrammarError` with the word and possible words. The
grammar is described in docs/games.md.
"""

from rules.game.grammar.cards import (
    GROUPS,
    read_card_list,
    read_deck,
    read_kill,
    read_points,
    read_wild,
)
from rules.game.grammar.deal import DIRECTIONS, Row, read_betting, read_line, read_row, read_steps
from rules.game.grammar.patterns import read_hand
from rules.game.grammar.shares import (
    BADUGI_SCALES,
    BAR_END,
    TABLE_SCALES,
    read_alternatives,
    read_due,
    read_match_rule,
    read_share,
)
from rules.game.grammar.words import (
    OPTION_NAME,
    PLACEHOLDER,
    SLOT_NAME,
    GrammarError,
    Names,
    Words,
    in_game,
    is_number,
    read_number,
)

__all__ = [
    "BADUGI_SCALES",
    "BAR_END",
    "DIRECTIONS",
    "GROUPS",
    "OPTION_NAME",
    "PLACEHOLDER",
    "SLOT_NAME",
    "TABLE_SCALES",
    "GrammarError",
    "Names",
    "Row",
    "Words",
    "in_game",
    "is_number",
    "read_alternatives",
    "read_betting",
    "read_card_list",
    "read_deck",
    "read_due",
    "read_hand",
    "read_kill",
    "read_line",
    "read_match_rule",
    "read_number",
    "read_points",
    "read_row",
    "read_share",
    "read_steps",
    "read_wild",
]
