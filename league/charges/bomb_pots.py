"""Bomb pots every n hands of a night: when the next one is due."""

from collections.abc import Iterable
from functools import cache

from django.utils.translation import gettext as _

from league.models import League, Revision
from league.stats.recorded_hands import rules_of
from rules.api import game_of, is_bomb_pot
from rules.documents import catalog


@cache
def best_known() -> str:
    """Return the slug of the catalog's most popular game that is a bomb pot by default."""
    slugs = (*catalog.popular_slugs(), *catalog.slugs())
    games = ((slug, game_of({"variant": slug}).game) for slug in slugs)
    return next(slug for slug, game in games if game and is_bomb_pot(game))


def is_due(league: League, newest_first: Iterable[Revision]) -> bool:
    """Return whether the next hand is a bomb pot.

    The hands since the last bomb pot are counted, or the night's hands if there was none. Dealing
    another game skips the bomb pot: the next one is due `bomb_pot_every` hands later.
    """
    every = league.bomb_pot_every
    return bool(every) and (hands_since(newest_first) + 1) % every == 0


def hands_since(newest_first: Iterable[Revision]) -> int:
    """Return the number of hands since the last bomb pot. Voided hands don't count."""
    hands = 0
    for revision in newest_first:
        if revision.hand.voided:
            continue
        game = rules_of(revision.record, revision.document_id)
        if game and is_bomb_pot(game):
            break
        hands += 1
    return hands


def reminder(league: League) -> str:
    """Return the reminder that the next hand is a bomb pot."""
    if not league.bomb_pot_ante:
        return _("Next hand: bomb pot.")
    return _("Next hand: bomb pot, everyone antes %(chips)s.") % {
        "chips": f"{league.bomb_pot_ante:,}"
    }
