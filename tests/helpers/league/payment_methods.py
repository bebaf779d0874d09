"""A debtor and a creditor with payment methods."""

from dataclasses import dataclass

from django.test import Client

from league.models import League, Membership, Night, PlannedPayment, Player, Role, User
from league.payment_methods.methods import add_method
from league.people.leagues import add_member
from tests.helpers.league.leagues import a_league, a_night, a_user
from tests.helpers.league.nights import closed, dealt

IBAN = "DE33100205000001194700"  # differs from the example on the page
HOLDER = "Annabel Example"
PAYPAL = "annplays2day"


@dataclass(frozen=True, slots=True)
class Debt:
    """Bob owes ann 10 chips worth 1.25 each. Ann prefers IBAN, then PayPal."""

    night: Night
    planned: PlannedPayment
    ann: User
    bob: User

    @property
    def address(self) -> str:
        return f"/nights/{self.night.pk}/payments"


def a_debt(currency: str = "EUR") -> Debt:
    league = a_league()
    League.objects.filter(pk=league.pk).update(currency=currency, chip_value=125)
    night = a_night(League.objects.select_related("book").get(pk=league.pk))
    ann, bob = (named(night.league, name) for name in ("ann", "bob"))
    likes(ann)
    dealt(night)
    return Debt(night, closed(night).plan.payments.get(), ann, bob)


def named(league: League, name: str) -> User:
    """Create a user who plays as this player."""
    user = a_user(name)
    Player.objects.filter(league=league, name=name).update(user=user)
    if not Membership.objects.filter(league=league, user=user).exists():
        add_member(league, user, Role.PLAYER)
    return user


def likes(user: User) -> None:
    add_method(user, "iban", IBAN, HOLDER)
    add_method(user, "paypal", PAYPAL)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
