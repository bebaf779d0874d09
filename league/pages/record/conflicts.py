"""The page where the host chooses between two records of a hand, and how the records differ."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from django.contrib import messages
from django.db.models import OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_hand, may
from league.common.errors import NightClosedError, RefusedError
from league.common.text import name_order
from league.games.titles import variations
from league.hands.revisions import record_at_the_end
from league.models import ConflictingRecord, Hand, Revision, User
from league.pages.parts.answer_view import ZONES, CardFace, VerdictView, faces, proper, view_of
from league.pages.parts.forms import show_errors
from league.pages.parts.visitor import signed_in, table_name
from league.recording.conflicts import accept_conflict, keep_hand, separate_conflict
from league.scoring.season_table import with_sign

MOST_CHANGES = 3  # maximum number named in a message
MOST_VERSIONS = 50  # maximum number shown together; a choice decides all of them
STATES: dict[str, Promise] = {
    ConflictingRecord.State.MERGED: gettext_lazy("same result"),
    ConflictingRecord.State.WAITING: gettext_lazy("undecided"),
    ConflictingRecord.State.DECLINED: gettext_lazy("rejected"),
    ConflictingRecord.State.ACCEPTED: gettext_lazy("chosen"),
    ConflictingRecord.State.SEPARATED: gettext_lazy("separate hand"),
}
Row = Revision | ConflictingRecord
Fact = str | list[str]  # words, or cards


@dataclass(frozen=True, slots=True)
class Value:
    """What a version contains: cards or words."""

    cards: list[CardFace]
    words: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the hand that differs, with its value in both versions."""

    label: str
    values: tuple[Value, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One record of a hand. `conflict` is None for the hand's current revision.

    `differs` names the players with another net than in the current revision.
    """

    title: str
    game: str
    modifiers: list[str]
    view: VerdictView
    differs: list[str]
    differences: list[Difference]
    conflict: ConflictingRecord | None = None
    state: str | Promise = ""


@require_safe
def compare(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    """Show all records of the hand side by side."""
    hand = find_hand(request.user, Action.VIEW, hand_id)
    recorded = {"recorded_by": table_name(hand.night.league.pk, "made_by")}
    revisions = hand.revisions.select_related("document").annotate(**recorded)
    conflicts = hand.conflicts.select_related("document").annotate(**recorded).order_by("made_at")
    current = revisions.get(current=True)
    net = {player.name: player.net for player in view_of(current).moved}
    versions = [
        _version(current, current, net),
        *(_version(conflict, current, net) for conflict in conflicts[:MOST_VERSIONS]),
    ]
    context = {
        "hand": hand,
        "night": hand.night,
        "league": hand.night.league,
        "versions": versions,
        "picks": may(request.user, Action.MANAGE, hand.night.league)
        and any(
            version.conflict and version.conflict.state == ConflictingRecord.State.WAITING
            for version in versions
        ),
    }
    return render(request, "record/conflict.html", context)


@require_POST
def keep_recorded(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.MANAGE, hand_id)
    keep_hand(hand, by=signed_in(request))
    messages.success(request, _("Hand %(number)s stays as it is.") % {"number": hand.number})
    return redirect("night", hand.night_id)


@require_POST
def accept(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    text = _("Hand %(number)s now shows the version recorded by %(name)s.")
    return _pick(request, conflict_id, accept_conflict, text)


@require_POST
def separate(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    return _pick(request, conflict_id, separate_conflict, _("Saved as a separate hand."))


def _pick(
    request: HttpRequest, conflict_id: UUID, pick: Callable[..., object], text: str
) -> HttpResponse:
    conflict = (
        ConflictingRecord.objects.select_related("night__season__league__book")
        .annotate(recorded_by=table_name(OuterRef("night__season__league"), "made_by"))
        .filter(pk=conflict_id)
        .first()
    )
    if conflict is None:
        raise Http404
    conflict.hand = find_hand(request.user, Action.MANAGE, conflict.hand_id)
    try:
        pick(conflict, by=signed_in(request))
    except (RefusedError, NightClosedError) as error:
        show_errors(request, error)
        return redirect("conflicts", conflict.hand_id)
    name = conflict.recorded_by or _("another phone")
    messages.success(request, text % {"number": conflict.hand.number, "name": name})
    return redirect("night", conflict.night_id)


def _version(row: Revision | ConflictingRecord, current: Revision, net: dict[str, int]) -> Version:
    shown = view_of(row)
    conflict = row if isinstance(row, ConflictingRecord) else None
    return Version(
        title=vars(row)["recorded_by"] or "",  # annotated in the query
        game=row.document.name,
        modifiers=variations(row.record.get("modifiers", ())),
        view=shown,
        differs=[player.name for player in shown.moved if net.get(player.name) != player.net],
        differences=differences(current, row),
        conflict=conflict,
        state=STATES[conflict.state] if conflict else "",
    )


# --- how two records differ -----------------------------------------------------------------------


def differences(one: Row, other: Row) -> list[Difference]:
    """Return what differs. Cards that both versions have in the same zone are left out.

    So are nets if another difference explains them. Equal payments of all players are one part.
    """
    facts = [dict(_facts(row)) for row in (one, other)]
    pairs = {label: [each.get(label, "") for each in facts] for label in chain(*facts)}
    names = dict.fromkeys(chain(one.answer["net"], other.answer["net"]))
    paid = {name: [row.answer["paid"].get(name, 0) for row in (one, other)] for name in names}
    same = len({tuple(amounts) for amounts in paid.values()}) == 1
    for name, amounts in paid.items():
        label = _("Everyone paid") if same else _("%(name)s paid") % {"name": name}
        pairs[label] = [f"{amount:,}" for amount in amounts]
    if all(first == second for first, second in pairs.values()):
        for name in names:
            nets = [row.answer["net"].get(name, 0) for row in (one, other)]
            pairs[_("%(name)s, net") % {"name": name}] = [with_sign(chips) for chips in nets]
    return [
        Difference(label, (_value(first, second), _value(second, first)))
        for label, (first, second) in pairs.items()
        if first != second
    ]


def changed_since(hand: Hand, seen: UUID, reader: User | None) -> tuple[UUID, str, str]:
    """Return the current revision's id, who changed what in the hand, and how to save anyway."""
    name = table_name(hand.night.league.pk, "made_by")
    revisions = hand.revisions.select_related("document").annotate(recorded_by=name)
    current, shown = revisions.get(current=True), revisions.filter(pk=seen).first()
    is_own = reader is not None and current.made_by_id == reader.pk
    names = {"name": _("you") if is_own else vars(current)["recorded_by"] or _("another phone")}
    if current.voids:
        change = _("%(name)s undid this hand while you were editing.") % names
        return current.pk, capfirst(change), _("Save again to restore it with your changes.")
    changes = _changes(shown, current) if shown else []
    change = _("%(name)s corrected this hand while you were editing.") % names
    if changes:
        text = _("%(name)s corrected this hand while you were editing: %(changes)s.")
        listed = ", ".join(changes[:MOST_CHANGES]) + (", …" if changes[MOST_CHANGES:] else "")
        change = text % (names | {"changes": listed})
    return current.pk, capfirst(change), _("Save again to replace that version.")


def _changes(before: Revision, now: Revision) -> list[str]:
    """Return the changes in words."""
    names = tuple(chain(before.answer["net"], now.answer["net"]))
    changes = []
    for part in differences(before, now):
        was, value = (
            " ".join(filter(None, [", ".join(card.name for card in value.cards), value.words]))
            for value in part.values
        )
        is_added = was in (_("not recorded"), _("no other card"))
        text = _("%(part)s %(value)s") if is_added else _("%(part)s %(value)s instead of %(was)s")
        label = part.label
        if not label.startswith(names):
            label = label[:1].lower() + label[1:]
        changes.append(text % {"part": label, "value": value, "was": was})
    paid = view_of(now).table_paid
    if paid and paid != view_of(before).table_paid:
        changes.append(_("the table paid %(paid)s") % {"paid": paid})
    return changes


def _value(fact: Fact, other: Fact) -> Value:
    if isinstance(fact, str):
        return Value([], fact or _("not recorded"))
    own = [card for card in fact if card not in other]
    if own or not fact or sorted(fact) == sorted(other):
        return Value(faces(own or fact), "" if fact else _("not recorded"))
    return Value([], _("no other card"))


def _facts(row: Row) -> Iterator[tuple[str, Fact]]:
    """Yield the parts of a version that can differ, by label."""
    record, answer = record_at_the_end(row), row.answer
    yield _("Game"), " + ".join((row.document.name, *variations(record.get("modifiers") or ())))
    yield _("Dealer"), record["players"][record["button"]]["name"]
    rows = record.get("board") or ()
    for number, cards in enumerate(rows, start=1):
        label = _("Board") if len(rows) == 1 else _("Board, row %(row)s") % {"row": number}
        yield label, [proper(card) for card in cards]
    for player in record["players"]:
        name = player["name"]
        zones: list[tuple[str, Sequence[str]]] = [
            (str(ZONES[zone]), player.get(zone) or ()) for zone in ("down", "up", "out")
        ]
        for zone, cards in (*zones, *(player.get("piles") or {}).items()):
            if cards:  # players may hold their cards in any order
                yield f"{name}, {zone}", sorted(proper(card) for card in cards)
        if player.get("declared"):
            yield _("%(name)s declared") % {"name": name}, str(player["declared"])
    won = [name for name in answer["net"] if answer["won"].get(name)]
    yield _("Winners"), get_text_list(sorted(won, key=name_order), _("and"))
    if record.get("depth") == "result":
        for name, chips in (record.get("took") or {}).items():
            yield _("%(name)s took") % {"name": name}, f"{chips:,}"
