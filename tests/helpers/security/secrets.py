"""Secrets in the sample league: payment methods, addresses of phones and chats, a declaration."""

from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric import ec

from league.chat.services import add_channel
from league.deals.open_deal import sealed
from league.models import Deal, User
from league.notices.subscriptions import Address, subscribe
from tests.helpers.api.sample_league import World
from tests.helpers.league.deals import a_deal, at_stage
from tests.helpers.league.payment_methods import HOLDER, IBAN, PAYPAL, likes, named
from tests.helpers.league.push_service import point as of_curve
from tests.helpers.league.push_service import text_of

DECLARED = "A word that only bob knows"
METHODS = (IBAN, HOLDER, PAYPAL, "1002 0500")
# Secret addresses and keys for a phone and a chat.
ENDPOINT, AUTH, TOPIC = "push.example.org/of-anns-phone", b"sixteen letters.", "our-secret-topic"
SECRETS = (*METHODS, ENDPOINT, text_of(AUTH), TOPIC)


def receiving_user(world: World) -> User:
    """Return ann, who has payment methods and a phone. Bob owes her five more chips."""
    user = named(world.league, "ann")
    likes(user)
    add_channel(world.league, uuid4(), f"https://ntfy.example.org/{TOPIC}", by=None)
    point = text_of(of_curve(ec.generate_private_key(ec.SECP256R1()).public_key()))
    address = Address(f"https://{ENDPOINT}", point, text_of(AUTH))
    subscribe(user, address, session_key="of-ann", kind="Safari, iPhone")
    return user


def locked_declaration(world: World) -> Deal:
    """Return a deal in which bob has declared with a unique word and ann has not declared yet."""
    deal = at_stage(a_deal(world.night), "declare")
    row = deal.players.get(player__name="bob")
    row.declaration = sealed(row, DECLARED)
    row.save()
    return deal
