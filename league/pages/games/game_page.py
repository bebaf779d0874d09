"""The rules and odds of a game, as shown on pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.games import odds
from league.games.titles import variation, variations
from league.models import Odds
from league.pages.games.board import Board, board, lines_played
from rules.presentation import form, rules_page

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """A game's rules page, the drawing of its board, and its document with the modifiers."""

    page: dict[str, Any]
    board: Board | None
    document: dict[str, Any]
    chosen: list[str]

    @property
    def variations(self) -> list[str]:
        """The modifiers' titles."""
        return variations(self.chosen)


def rules_of(variant: str | Document, chosen: Sequence[str] = ()) -> Rules:
    """Return a game's rules with these modifiers. Raises GameError."""
    document = form.document_of(variant, chosen)
    page = rules_page.rules_page(variant, chosen)
    picture = board(page["board"], lines_played(document, page))
    return Rules(page, picture, document, list(chosen))


def fitting(variant: str | Document, chosen: Sequence[str]) -> list[tuple[str, str, bool]]:
    """Return the modifiers that fit the game: name, title, and whether the modifier is chosen."""
    fits = form.modifiers_that_fit(variant, chosen)
    return [(name, variation(name), name in chosen) for name, reason in fits.items() if not reason]


ROWS = 10  # rows per share of the pot; rarer hands are combined into one row


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar for how often a kind of hand wins, with its length relative to the longest bar."""

    label: str
    percent: str
    length: str


@dataclass(frozen=True, slots=True)
class Share:
    name: str
    median: str
    bars: list[Bar]


@dataclass(frozen=True, slots=True)
class Chart:
    """The odds chart, which may be pending. `at` and `kept` are its URL and parameters."""

    at: str
    kept: Sequence[tuple[str, str]]
    players: int
    choices: range
    deals: int = 0
    shares: Sequence[Share] = ()
    scoop: str = ""
    pending: bool = False

    @property
    def address(self) -> str:
        return f"{self.at}?{urlencode([*self.kept, ('players', self.players)])}"


def chart(
    request: HttpRequest,
    at: str,
    document: dict[str, Any],
    modifiers: Sequence[str],
    also: Mapping[str, str] | None = None,
    *,
    league: UUID | None = None,
) -> Chart | None:
    """Return the chart for the requested number of players, or None if no hands are compared.

    `at` is the URL of the chart alone. `also` contains the URL's parameters other than the
    modifiers. Odds for a league's own game wait for the league's turn.
    """
    parameters = [*(("with", name) for name in modifiers), *(also or {}).items()]
    choices = odds.players_of(document)
    by_text = {str(number): number for number in choices}
    players = by_text.get(request.GET.get("players", ""), odds.usual_players(document))
    row = odds.request_odds(document, modifiers, players, league=league)
    if row is not None and row.state == Odds.State.FAILED:
        return None
    if row is None or row.found is None:
        return Chart(at, parameters, players, choices, pending=True)
    result = row.found
    shares = []
    for share in result["shares"]:
        won = [(str(each["category"]), float(each["rate"])) for each in share["won_by"]]
        rates = won[:ROWS]
        if rarer := sum(rate for _label, rate in won[ROWS:]):
            rates.append((_("other hands"), rarer))
        if share["nobody"]:
            rates.append((_("no winner"), share["nobody"]))
        longest = max((rate for _label, rate in rates), default=1) or 1
        bars = [
            Bar(label, _percent(rate), f"{max(1, 100 * rate / longest):.1f}")
            for label, rate in rates
        ]
        shares.append(Share(share["name"], share["median"], bars))
    scoop = _percent(result["scoop"]) if len(shares) > 1 else ""
    return Chart(at, parameters, players, choices, result["deals"], shares, scoop)


def _percent(rate: float) -> str:
    if 0 < rate < 0.001:
        return "< 0.1%"
    return f"{100 * rate:.1f}%"
