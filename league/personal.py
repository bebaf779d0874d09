"""All that is kept of a person, for that person: one JSON object."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from league import accounts
from league.models import (
    BuyIn,
    CashOut,
    Count,
    Device,
    Letter,
    Line,
    LogbookEntry,
    Membership,
    PlannedPayment,
    Player,
    Revision,
    Token,
    User,
)
from ledger.balances import balances

Told = dict[str, Any]
# What a player bought, gave back, counted and had at the end of nights.
OF_NIGHTS = {
    "bought": (BuyIn, "night", ("chips",)),
    "cashed_out": (CashOut, "night", ("chips",)),
    "counted": (Count, "night", ("chips",)),
    "closed": (Line, "closing__night", ("bought", "cashed", "stack", "counted", "settles")),
}


def as_json(told: Told) -> str:
    """Return it as a person reads it, in a file or on a terminal."""
    return json.dumps(told, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False)


def of_user(user: User) -> Told:
    """Return what is kept of an account and of every player that it stands behind."""
    return {
        "account": {
            "username": user.username,
            "email": user.email,
            "joined_at": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "leagues": [
            {"league": each.league.name, "role": each.role, "joined_at": each.joined_at}
            for each in Membership.objects.filter(user=user).select_related("league")
        ],
        "phones": list(
            Device.objects.filter(user=user).values("kind", "joined_at", "seen_at").order_by("pk")
        ),
        "logbook": list(
            LogbookEntry.objects.filter(made_by=user).values("kind", "made_at").order_by("pk")
        ),
        "keys": list(Token.objects.filter(user=user).values("name", "scope", "created")),
        "letters": list(
            Letter.objects.filter(to__iexact=user.email, to__gt="").values(
                "subject", "body", "made_at"
            )
        ),
        "players": [of_player(each) for each in _players(user)],
    }


def of_player(player: Player) -> Told:
    """Return what is kept of a name at a table."""
    payments = PlannedPayment.objects.select_related("payer", "payee", "plan")
    tab = accounts.tab(player.pk).key
    return {
        "id": player.pk,
        "name": player.name,
        "league": player.league.name,
        "chips_on_the_tab": balances(player.league.book).get(tab, 0),
        **{what: _of_nights(player, *where) for what, where in OF_NIGHTS.items()},
        "payments": [
            {"says": str(each), "made_at": each.plan.made_at}
            for each in payments.filter(payer=player) | payments.filter(payee=player)
        ],
        "hands": [_hand(player, each) for each in _hands(player)],
    }


def _players(user: User) -> Any:
    return Player.objects.filter(user=user).select_related("league__book").order_by("pk")


def _of_nights(player: Player, model: Any, night: str, columns: tuple[str, ...]) -> list[Told]:
    made = "closing__made_at" if model is Line else "made_at"
    rows = model.objects.filter(player=player).order_by(made, "pk")
    return [
        {"night": each[night], "at": each[made], **{name: each[name] for name in columns}}
        for each in rows.values(night, made, *columns)
    ]


def _hands(player: Player) -> list[Revision]:
    rows = Revision.objects.filter(current=True, hand__night__seats__player=player)
    told = rows.select_related("hand", "document").order_by("hand__made_at", "pk")
    return [each for each in told.iterator(500) if str(player.pk) in each.names.values()]


def _hand(player: Player, told: Revision) -> Told:
    """The player's own part of a hand: what others held is theirs."""
    name = next(each for each, number in told.names.items() if number == str(player.pk))
    rows = (row for row in told.record["players"] if row["name"] == name)
    return {
        "hand": told.hand_id,
        "night": told.hand.night_id,
        "at": told.hand.made_at,
        "game": told.document.name,
        "told": next(rows, None),
        "net": told.answer["net"].get(name),
        "taken_back": told.hand.voided,
    }
