"""Long tables and lists of hands, rendered as HTML."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape  # Django's own `escape` calls this function
from urllib.parse import quote
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.closing.standings import CountDifference, StandingsRow
from league.common.money import Coined, in_money
from league.hands.pictures import as_made
from league.models import League, Scoring
from league.pages.parts.answer_view import CardFace, face
from league.pages.parts.look import avatar
from league.pages.parts.numbers import number, signed, signed_money
from league.scoring.season_table import Final, Option, points_of
from league.stats.figures.games import GameFigures
from league.stats.figures.players import PlayerFigures
from league.stats.figures.records import Notable
from league.stats.figures.results_by_night import Form

NOBODY = UUID(int=0)  # placeholder player for a URL that is reversed only once
NONE = "–"
FEWEST_PER_100 = 100  # hands that a figure per 100 hands needs


def coloured(chips: int) -> str:
    """Return the same HTML as `parts/signed_chips.html`."""
    style = "plus" if chips > 0 else "minus" if chips < 0 else "muted"
    return f'<span class="{style}">{signed(chips)}</span>'


def table(head: Sequence[str], rows: Sequence[Sequence[str | int]]) -> SafeString:
    """Return a table. The first cell of each row is its name, and numbers are chips."""
    top = [format_html('<th scope="col">{}</th>', head[0])]
    top += [format_html('<th scope="col" class="num">{}</th>', each) for each in head[1:]]
    lines = []
    for name, *cells in rows:
        values = (signed(cell) if isinstance(cell, int) else escape(cell) for cell in cells)
        lines.append(f"<tr>{_named(escape(str(name)))}{''.join(map(_cell, values))}</tr>")
    body = f"<tr>{''.join(top)}</tr></thead><tbody>{''.join(lines)}"
    return _safe(f"<table><thead>{body}</tbody></table>")


class Names:
    """Links from players' names to their pages, for one season or for `all`."""

    def __init__(self, season: str) -> None:
        before, after = reverse("player", args=[NOBODY]).split(str(NOBODY))
        self.before, self.after = f'<a href="{before}', f'{after}?season={escape(season)}">'

    def __call__(self, player: UUID, name: str) -> str:
        return f"{self.before}{player}{self.after}{escape(name)}</a>"


def standings(
    rows: Iterable[StandingsRow],
    names: Names,
    counts: Mapping[UUID, CountDifference],
    open_chips: Mapping[UUID, int],
    sent: tuple[Mapping[UUID, int], Mapping[UUID, int]],
    of: Coined,
) -> SafeString:
    """Return the rows of the standings. What players get or owe excludes chips at open nights.

    `sent` contains the chips that each player sent, and those sent to each player. A net that
    includes a difference of a chip count links to the night's receipt.
    """
    lines = []
    for row in rows:
        by_count = ""
        if count := counts.get(row.player):
            text = _("%(chips)s by count and corrections") % {"chips": signed(count.chips)}
            at = reverse("receipt", args=[count.night])
            by_count = f'<br><a class="muted small" href="{at}">{text}</a>'
        balance = row.tab - open_chips.get(row.player, 0)
        sent_by, sent_to = (chips.get(row.player, 0) for chips in sent)
        owed = _owed(balance, sent_by, sent_to, of)
        lines.append(
            f'<td class="no">{row.place}</td>'
            f'<td class="face">{avatar(row.player, row.name)}</td>'
            f'<td class="wrap who">{names(row.player, row.name)}<br>'
            f"{_small(_nights(row.nights))}{by_count}"
            f'<br><span class="muted small owed">{owed}</span></td>'
            f'<td class="num"><b>{coloured(row.net)}</b><br>'
            f"{_small(signed_money(escape(row.worth)))}</td>"
        )
    return _lines(lines)


def _owed(balance: int, sent_by: int, sent_to: int, of: Coined) -> str:
    """Return what a player still gets, or owes if negative, and what was sent.

    Money that was sent counts as owed until it is received. If the player both sent money and is
    owed money, or vice versa, the text contains what was sent and what is left besides that.
    """
    left = balance + sent_by - sent_to
    if (not sent_to and balance <= -sent_by) or (not sent_by and balance >= sent_to):
        sent, left, texts = sent_by or sent_to, balance, []
    else:
        sent = 0
        texts = [_("sent %(by)s")] * bool(sent_by) + [_("was sent %(to)s")] * bool(sent_to)
    if left:
        texts.append(_("still gets %(left)s") if left > 0 else _("still owes %(left)s"))
    if sent:
        texts.append(_("all of it sent") if sent == abs(left) else _("%(sent)s of it sent"))
    worths = {"left": abs(left), "sent": sent, "by": sent_by, "to": sent_to}
    amounts = {
        key: f'<span class="whole">{escape(in_money(chips, of))}</span>'
        for key, chips in worths.items()
    }
    return escape(", ".join(texts)) % amounts


def scores(rows: Iterable[Final], option: Option, names: Names) -> SafeString:
    """Return the rows of the table according to the season's scoring."""
    lines = []
    for row in rows:
        nights = _nights(row.nights)
        if row.counted != row.nights:
            numbers = {"counted": row.counted, "nights": row.nights}
            nights = _("%(counted)d of %(nights)d nights count") % numbers
        score = coloured(row.score) if option.scoring == Scoring.NET else points_of(row.score)
        lines.append(
            f'<td class="no">{row.place}</td>'
            f'<td class="face">{avatar(row.player, row.name)}</td>'
            f'<td class="wrap who">{names(row.player, row.name)}<br>{_small(nights)}</td>'
            f'<td class="num"><b>{score}</b></td>'
        )
    return _lines(lines)


def figures(rows: Iterable[tuple[PlayerFigures, Sequence[str]]], names: Names) -> SafeString:
    """Return the rows of the players' table with these figures."""
    return _lines(
        f"{_named(names(each.player, each.name))}{''.join(map(_cell, map(escape, cells)))}"
        for each, cells in rows
    )


def dealt(rows: Iterable[GameFigures], stats: str, season: str) -> SafeString:
    """Return links to the games' stats in the season, with their numbers of hands."""
    return _safe(
        "".join(
            f'<li><a class="line"'
            f' href="{stats}?game={quote(row.game, safe="")}&amp;season={escape(season)}">'
            f'<span class="grow name">{escape(row.name)}</span>'
            f'<span class="tail muted small">{_hands(row.hands)}</span></a></li>'
            for row in rows
        )
    )


def forms(rows: Iterable[Form], names: Names) -> SafeString:
    """Return the rows for streaks and comebacks."""
    lines = []
    for form in rows:
        cells = (
            f"{form.nights} / {form.of_nights}",
            str(form.nights_won),
            coloured(form.best),
            coloured(form.worst),
            str(form.won),
            str(form.lost),
            signed(-form.comeback) if form.comeback else NONE,
        )
        lines.append(_named(names(form.player, form.name)) + "".join(map(_cell, cells)))
    return _lines(lines)


def winners(rows: Iterable[PlayerFigures], names: Names, *, per_100: bool) -> SafeString:
    """Return the rows of a game's players, with a column per 100 hands if `per_100`."""
    return _lines(
        _named(f"{names(row.player, row.name)}<br>{_small(_hands(row.hands))}")
        + _cell(coloured(row.net))
        + (_per_100(row) if per_100 else "")
        for row in rows
    )


def _per_100(row: PlayerFigures) -> str:
    return _cell(number(row.net_per_100, 1) if row.hands >= FEWEST_PER_100 else NONE)


def _nights(number: int) -> str:
    return ngettext("%(n)s night", "%(n)s nights", number) % {"n": number}


def _hands(number: int) -> str:
    return ngettext("%(n)s hand", "%(n)s hands", number) % {"n": number}


def _named(html: str) -> str:
    return f'<th scope="row" class="wrap">{html}</th>'


def _cell(html: str) -> str:
    return f'<td class="num">{html}</td>'


def _small(html: str) -> str:
    return f'<span class="muted small">{html}</span>'


def _lines(rows: Iterable[str]) -> SafeString:
    return _safe("".join(f"<tr>{each}</tr>" for each in rows))


def _safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 (user text is escaped above)


@dataclass(frozen=True, slots=True)
class ShownHand:
    name: str
    called: str
    held: list[CardFace]


@dataclass(frozen=True, slots=True)
class Memory:
    """A notable hand with the faces of its cards."""

    notable: Notable
    shown: list[ShownHand]


def remembered(rows: Iterable[Notable], league: League) -> SafeString:
    """Return the rendered hands with the faces of their cards, or "" if there are no hands."""
    memories = []
    for notable in rows:
        shown = []
        for hand in notable.shown:
            cards = as_made(hand.cards, hand.plays_as, hand.called)
            held = [face(card, plays_as=hand.plays_as.get(card, "")) for card in cards]
            shown.append(ShownHand(hand.name, hand.called, held))
        memories.append(Memory(notable, shown))
    with timezone.override(league.time_zone or None):
        text = render_to_string("seasons/notable_hands.html", {"memories": memories})
    return SafeString(text.strip())
