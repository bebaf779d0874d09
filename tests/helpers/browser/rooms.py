"""Every page in the service, with at least one visit for each route that shows a page.

A new route without a visit fails `tests/league/pages/test_addresses.py`.
"""

from dataclasses import dataclass, replace
from datetime import time, timedelta
from inspect import getclosurevars
from typing import Any
from uuid import UUID, uuid4

from django.urls import URLPattern, reverse
from django.utils import timezone

from league.charges.charging import NewCharge, Share, charge
from league.chat import services
from league.closing.receipts import share
from league.deals.declarations import declare
from league.deals.shown_cards import show_cards
from league.imports.contents import ImportOptions
from league.imports.jobs import start_import
from league.models import Hand, League, Night, Role, Tournament, User
from league.nights.opening import open_night
from league.nights.share_links import share_hand
from league.options import choose, options_of
from league.pages.urls import urlpatterns
from league.people.joining import invite
from league.people.leagues import add_member
from league.planned_nights.answer_links import share_answers
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, plan
from league.planned_nights.series import Rhythm, make_series
from league.recording.record import record_hand
from league.sign_in import password_links
from league.stats.count import count_marked
from league.stats.luck import find_luck
from league.tournaments.events import draw_seats, start_clock
from league.tournaments.field import Act
from league.tournaments.finishing import finish
from league.webhooks import management
from tests.helpers.league.deals import a_deal, at_stage
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.tournaments import a_tournament, entered, happens

# Routes that are not pages: files, and fragments loaded by pages.
NOT_PAGES = {
    "receipt-csv": "a file",
    "shared-receipt-csv": "a file",
    "receipt-file": "a file",
    "shared-receipt-file": "a file",
    "seals": "what a page fetches",
    "shared-replay-picture": "a picture",
    "recap-picture": "a picture",
    "night-picture": "a picture",
    "renew-push": "what a worker asks for",
    "sign-out": "a door",
    "start-demo": "leads to the night of a demo",
    "demo-screen": "leads to the screen of a demo",
    "wait": "of a phone that waits: test_door.py",
    "season-file": "a file",
    "account_login": "another name of sign-in",
    "account_signup": "another name of sign-up",
    "account_logout": "another name of sign-out",
    "account_inactive": "leads to sign-in",
    "mfa_login_webauthn": "what the button of a passkey asks for",
    "openid_connect_callback": "where a provider sends back to",
    "socialaccount_login_cancelled": "leads to sign-in",
    "account_reset_password_from_key_done": "leads to sign-in",
    # Pages for accounts with codes, passkeys or a provider.
    # tests/security/sign_in/test_account_pages.py renders them, and tests/browser/test_sign_in.py
    # checks them.
    "account_set_password": "wants a phone that joined",
    "mfa_authenticate": "wants a password before it",
    "mfa_reauthenticate": "wants an account with codes",
    "mfa_reauthenticate_webauthn": "wants an account with passkeys",
    "mfa_deactivate_totp": "wants an account with codes",
    "mfa_view_recovery_codes": "wants an account with codes",
    "mfa_edit_webauthn": "wants an account with passkeys",
    "reauthenticate-oidc": "wants a provider",
    "socialaccount_connections": "wants a provider",
    "socialaccount_login_error": "wants a provider",
    "socialaccount_signup": "wants a provider",
    "pulse": "a number that phones ask for",
    "screen-pulse": "likewise, for the table's screen",
    "screen": "for a wall and not for a hand: tests/browser/test_screen.py",
    "shared-screen": "likewise",
    "league-pulse": "likewise, for the pages of a league",
    "table": "a part of the recording page",
    "service-worker": "a file",
    "manifest": "a file",
    "forms": "what a phone keeps of the recording page",
    "games-index": "likewise",
    "some-forms": "what a phone keeps of the recording page",
    "style": "shown in development only",
    "chart": "a part of the pages of seasons, players and games",
    "chart-picture": "a picture",
    "game-odds": "a part of the page of a game",
    "house-game-odds": "a part of the page of a game",
}


@dataclass(frozen=True, slots=True)
class House:
    """A league with a house game, a closed night with shared links, and an open night with hands.

    The deal in the night `dealing` has reached its showdown.
    """

    closed: Night
    open: Night
    dealing: Night
    hand: Hand
    house_game: str
    receipt: str
    replay: str
    webhook: UUID
    import_job: UUID
    tournament: Tournament
    planned: UUID
    answers: str
    invitation: str
    password_link: str


def a_house(password: str | None = None) -> House:
    """Create the league with joel as the host."""
    old = a_night()
    user = User.objects.create_user("joel", password=password)
    add_member(old.league, user, Role.HOST)
    dealt(old)
    closed(old)
    night = open_night(old.league, players=list(old.league.players.order_by("name")))
    game = a_house_game(night)
    charge_side_bets(night)
    enter_chips(night)
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    hand = record_hand(night, uuid4(), holdem(took={"bob": 20}), by=None).hand
    while count_marked(night.league.pk):
        pass
    find_luck(night.league.pk, deals=50)
    dealing = a_showdown(night.league, user)
    return House(
        closed=old,
        open=night,
        dealing=dealing,
        tournament=tournaments(night, dealing),
        hand=hand,
        house_game=game.slug,
        receipt=share(old, by=None),
        replay=share_hand(hand, by=None),
        webhook=a_webhook(night.league),
        import_job=start_import(night.league, "may.csv", "", ImportOptions(), by=user).pk,
        planned=planned_nights(night.league, user),
        answers=share_answers(night.league, by=user),
        invitation=invite(night.league, "cat", by=user)[1],
        password_link=password_links.make(User.objects.create_user("kim"), by=None),
    )


def charge_side_bets(night: Night) -> None:
    """Charge a pizza and payments into the fund, in a league that plays for 7-2 and high hands."""
    ann, bob = night.league.players.order_by("name")[:2]
    rules = {"seven_deuce": 2, "high_hand": 5, "fund_each": 2, "fund_keeper": ann}
    night.season.league = choose(night.league, replace(options_of(night.league), **rules))
    pizza = {ann: Share(gets=30, owes=15), bob: Share(owes=15)}
    fund = {bob: Share(owes=2)}
    charges = (
        NewCharge(kind="cost", title="Pizza", shares=pizza),
        NewCharge(kind="fund", shares=fund, fund=2, keeper=ann),
    )
    for each in charges:
        charge(night, each, charge_id=uuid4(), by=None)


def enter_chips(night: Night) -> None:
    """Enter a chip set with three colours."""
    values = {"white": 1, "red": 5, "black": 100}
    chips = [{"colour": colour, "value": value, "count": 50} for colour, value in values.items()]
    night.season.league = choose(night.league, replace(options_of(night.league), chip_set=chips))


def tournaments(night: Night, later: Night) -> Tournament:
    """Create a finished tournament, and one in progress with two tables, rebuys and bounties."""
    first = a_tournament(night, rebuy=0, rebuy_stack=0)
    ann, bob, cat = entered(first, "ann", "bob", "cat")
    happens(first, Act.OUT, cat, bob)
    happens(first, Act.OUT, bob, ann)
    finish(first, by=None)
    tournament = a_tournament(later, name="Deepstack", seats=2)
    ann, bob, cat, dan = entered(tournament, "ann", "bob", "cat", "dan")
    draw_seats(tournament, uuid4(), by=None)
    start_clock(tournament, by=None)
    happens(tournament, Act.OUT, bob, cat)
    happens(tournament, Act.REBUY, bob)
    happens(tournament, Act.OUT, dan, ann)
    return tournament


def planned_nights(league: League, host: User) -> UUID:
    """Create a series, and a planned night with three seats, one of them for a guest."""
    ann, bob, cat = league.players.order_by("name")[:3]
    at = timezone.now() + timedelta(days=2)
    details = Details(name="The big one", place="At ann's", seats=3, note="Bring chairs")
    planned = plan(league, uuid4(), at, details, by=host)
    rhythm = Rhythm(starts_on=at.date(), at=time(20), every_weeks=2)
    make_series(league, uuid4(), rhythm, Details(seats=8), by=host)
    answer_for(planned, ann, "yes", guests=1, brings="crisps")
    answer_for(planned, "Zoe", "yes")
    answer_for(planned, bob, "yes")
    answer_for(planned, cat, "maybe")
    return planned.pk


def a_showdown(league: League, host: User) -> Night:
    """Create a night with a deal that has revealed declarations and some reported cards."""
    seated = list(league.players.order_by("name")[:3])
    night = open_night(league, players=seated)
    deal = at_stage(a_deal(night), "declare")
    for each in seated:
        declare(night, deal.pk, each, "high", by=host)
    show_cards(night, deal.pk, seated[0], {"down": "As Ad Kc Kh"}, by=host)
    show_cards(night, deal.pk, None, {"board/0": "2c 3c 4c 9h 9d"}, by=host)
    return night


def a_webhook(league: League) -> UUID:
    """Create a webhook with a pending delivery, and a chat that has received its first message."""
    services.add_channel(league, uuid4(), "https://ntfy.example.org/thursdays", by=None)
    hook, _ = management.create(league, uuid4(), "https://hooks.example.org/board", by=None)
    management.ping(hook)
    return hook.pk


def visits(house: House) -> dict[str, list[str]]:
    """Return the URLs to visit, by page name."""
    league, night, hand = house.open.league, house.open.pk, house.hand.pk
    made: dict[str, list[Any]] = {
        "home sign-up sign-in account looks new-league join games offline": [],
        "change-username account_change_password payment-methods": [],
        "account_reset_password account_reset_password_done": [],
        "notices": [],
        "account_email account_email_verification_sent sessions account_reauthenticate": [],
        "mfa_index mfa_activate_totp mfa_list_webauthn mfa_add_webauthn": [],
        "account_confirm_email": ["a-key-of-nothing"],
        "account_reset_password_from_key": ["1", "a-key-of-nothing"],
        "password-link": [house.password_link],
        "house-rules what-now chip-set edit-chip-set": [league.pk],
        "league tonight money stats new-night import options keys chat webhooks": [league.pk],
        "phones logbook passwords": [league.pk],
        "house-games write-game": [league.pk],
        "plan-night plan-series": [league.pk],
        "planned-night change-planned-night start-planned-night": [house.planned],
        "answers": [house.answers],
        "webhook": [league.pk, house.webhook],
        "import-job": [league.pk, house.import_job],
        "house-game rewrite-game": [league.pk, house.house_game],
        "night hands leave count close charges record": [night],
        "deal": [night],
        "own-cards": [house.dealing.pk],
        "tournaments new-tournament": [night],
        "tournament change-tournament end-tournament": [house.dealing.pk, house.tournament.pk],
        "payments receipt": [house.closed.pk],
        "hand record-again replay conflicts what-if": [hand],
        "shared-receipt": [house.receipt],
        "shared-replay": [house.replay],
        "season recap season-scoring": [house.open.season_id],
        "player edit-player": [house.open.league.players.order_by("name")[0].pk],
        "pick-name": [league.code],
        "invitation": [house.invitation],
        "game": ["omaha-8"],
    }
    addresses = {
        name: [reverse(name, args=args)] for names, args in made.items() for name in names.split()
    }
    record, replay = addresses["record"][0], addresses["replay"][0]
    addresses["record"] += [f"{record}?game={game}" for game in ("middlemost", "put-and-take")]
    figures = reverse("game-stats", args=[league.pk])
    addresses["game-stats"] = [f"{figures}?game=texas-holdem", f"{figures}?game={house.house_game}"]
    addresses["replay"].append(f"{replay}#step-99")
    nights = (house.closed, house.dealing)
    addresses["night"] += [reverse("night", args=[each.pk]) for each in nights]
    addresses["game"].append(reverse("game", args=["nightmare"]))
    return addresses


def shown() -> set[str]:
    """Return the names of all routes that respond to GET with a page."""
    patterns = (each for each in urlpatterns if isinstance(each, URLPattern))
    names = {str(each.name) for each in patterns if "GET" in methods(each.callback)}
    return names - NOT_PAGES.keys()


def methods(view: Any) -> set[str]:
    """Return the methods that the view's class or decorators allow, or GET by default."""
    options = getattr(view, "view_initkwargs", {})
    names = options.get("http_method_names") or getattr(
        getattr(view, "view_class", None), "http_method_names", ()
    )
    if names:
        return {name.upper() for name in names}
    while view is not None:
        allowed = getclosurevars(view).nonlocals.get("request_method_list")
        if allowed:
            return set(allowed)
        view = getattr(view, "__wrapped__", None)
    return {"GET"}
