"""Export all personal data of a user or player as one JSON object."""

import json
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet

from league.models import (
    BuyIn,
    CashOut,
    ChargeShare,
    ChipCount,
    ClosingLine,
    Device,
    LogbookEntry,
    Membership,
    NightAnswer,
    Notice,
    NoticeChoice,
    Objection,
    OutgoingMail,
    PasswordLink,
    PlannedPayment,
    Player,
    PushSubscription,
    Revision,
    Token,
    User,
)
from league.nights import accounts
from league.payment_methods.methods import methods_of
from ledger.balances import balances

Data = dict[str, Any]
# A player's buy-ins, cash-outs, chip counts, charges and closing results.
OF_NIGHTS: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "bought": (BuyIn, "night", ("chips",)),
    "cashed_out": (CashOut, "night", ("chips",)),
    "counted": (ChipCount, "night", ("chips",)),
    "charged": (
        ChargeShare,
        "charge__night",
        ("charge__kind", "charge__title", "gets", "owes", "place"),
    ),
    "closed": (
        ClosingLine,
        "closing__night",
        ("bought", "cashed", "stack", "counted", "entered", "prizes", "charged", "settles"),
    ),
}

# The posting of rows that can be undone. A closing is undone by reopening its night.
POSTINGS = {
    BuyIn: "posting",
    CashOut: "posting",
    ChargeShare: "charge__posting",
    ClosingLine: "closing__posting",
}
# For rows without a time, the field to read it from.
MADE_WITH = {ClosingLine: "closing__made_at", ChargeShare: "charge__made_at"}


def as_json(data: Data) -> str:
    """Return the export as indented JSON, for a file or a terminal."""
    return json.dumps(data, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False)


def of_user(user: User) -> Data:
    """Return the data about an account and every player that it has claimed."""
    players = Player.objects.filter(user=user).select_related("league__book").order_by("pk")
    # a phone's endpoint is a secret of its push service
    phones = PushSubscription.objects.filter(user=user).values("kind", "made_at", "gone_at")
    choices = NoticeChoice.objects.filter(user=user).values("kind", "by_push", "by_mail")
    notices = Notice.objects.filter(user=user).values("title", "body", "made_at")
    return {
        "account": {
            "username": user.username,
            "email": user.email,
            "joined_at": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "signing_in": _signing_in(user),
        "leagues": [
            {
                "league": membership.league.name,
                "role": membership.role,
                "joined_at": membership.joined_at,
            }
            for membership in Membership.objects.filter(user=user).select_related("league")
        ],
        "phones": list(
            Device.objects.filter(user=user).values("kind", "joined_at", "seen_at").order_by("pk")
        ),
        "logbook": list(
            LogbookEntry.objects.filter(made_by=user).values("kind", "made_at").order_by("pk")
        ),
        "favourites": list(user.favourites.order_by("pk").values_list("game", flat=True)),
        "keys": list(Token.objects.filter(user=user).values("name", "scope", "created")),
        "paid_by": [
            {"kind": each.kind.title, "handle": each.handle, "holder": each.holder}
            for each in methods_of(user)
        ],
        "notices": {
            "phones": list(phones.order_by("pk")),
            "choices": list(choices.order_by("pk")),
            "told": list(notices.order_by("pk")),
        },
        "letters": list(_mails(user).values("subject", "body", "made_at").order_by("pk")),
        "players": [of_player(player) for player in players],
    }


def _signing_in(user: User) -> Data:
    """Return the user's sign-in methods and sessions, without secrets."""
    mine = {"user": user}
    return {
        "emails": list(EmailAddress.objects.filter(**mine).values("email", "verified", "primary")),
        "passkeys_and_codes": list(
            Authenticator.objects.filter(**mine)
            .values("type", "created_at", "last_used_at")
            .order_by("pk")
        ),
        "other_services": list(
            SocialAccount.objects.filter(**mine).values("provider", "uid", "date_joined")
        ),
        "sessions": list(
            UserSession.objects.filter(**mine)
            .values("ip", "user_agent", "created_at", "last_seen_at")
            .order_by("pk")
        ),
        "password_links": list(PasswordLink.objects.filter(**mine).values("made_at", "used_at")),
    }


def _mails(user: User) -> QuerySet[OutgoingMail]:
    """Return the e-mails sent to the user's addresses.

    An address that was typed when joining may belong to someone else. E-mails to such an address
    are included only if they are from the user's own leagues and no other user has verified the
    address.
    """
    proven = EmailAddress.objects.filter(verified=True)
    mine = Q(pk=None)
    for address in proven.filter(user=user).values_list("email", flat=True):
        mine |= Q(to__iexact=address)
    if user.email and not proven.filter(email__iexact=user.email).exclude(user=user).exists():
        leagues = Membership.objects.filter(user=user).values("league")
        mine |= Q(to__iexact=user.email, league__in=leagues)
    return OutgoingMail.objects.filter(mine)


def of_player(player: Player) -> Data:
    payments = PlannedPayment.objects.select_related("payer", "payee", "plan")
    tab = accounts.tab(player.pk).key
    of_nights: Data = {}
    for what, (model, night, columns) in OF_NIGHTS.items():
        time = MADE_WITH.get(model, "made_at")
        rows = model.objects.filter(player=player).order_by(time, "pk")
        undo = f"{POSTINGS[model]}__reversal" if model in POSTINGS else None
        of_nights[what] = [
            {
                "night": row[night],
                "at": row[time],
                **{name: row[name] for name in columns},
                **({"undone": row[undo] is not None} if undo else {}),
            }
            for row in rows.values(night, time, *columns, *filter(None, [undo]))
        ]
    answers = NightAnswer.objects.filter(player=player).select_related("planned_night")
    return {
        "id": player.pk,
        "name": player.name,
        "former_names": sorted(set(player.former_names.values_list("name", flat=True))),
        "league": player.league.name,
        "chips_on_the_tab": balances(player.league.book).get(tab, 0),
        **of_nights,
        "answers": [
            {
                "night": answer.planned_night_id,
                "starts_at": answer.planned_night.starts_at,
                "says": answer.says,
                "guests": answer.guests,
                "brings": answer.brings,
                "at": answer.answered_at,
            }
            for answer in answers.order_by("planned_night__starts_at", "pk")
        ],
        "payments": [
            {"says": str(payment), "made_at": payment.plan.made_at}
            for payment in payments.filter(payer=player) | payments.filter(payee=player)
        ],
        "objections": list(
            Objection.objects.filter(player=player)
            .order_by("made_at", "pk")
            .values("hand", "reason", "made_at", "answer__kind")
        ),
        "hands": _hands(player),
    }


def _hands(player: Player) -> list[Data]:
    """Return the player's own part of each hand, without the other players' cards."""
    rows = Revision.objects.filter(current=True, hand__night__seats__player=player)
    ordered = rows.select_related("hand", "document").order_by("hand__made_at", "pk")
    hands = []
    for revision in ordered.iterator(500):
        names = (name for name, number in revision.names.items() if number == str(player.pk))
        if (name := next(names, None)) is None:
            continue
        mine = (row for row in revision.record["players"] if row["name"] == name)
        hands.append(
            {
                "hand": revision.hand_id,
                "night": revision.hand.night_id,
                "at": revision.hand.made_at,
                "game": revision.document.name,
                "told": next(mine, None),
                "net": revision.answer["net"].get(name),
                "undone": revision.hand.voided,
            }
        )
    return hands
