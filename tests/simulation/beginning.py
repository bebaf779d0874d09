"""The initial database for all evenings, created once and restored for each one."""

import shutil
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch
from uuid import UUID, uuid4

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

if TYPE_CHECKING:
    from league.models import User

NAMES = ("ann", "bob", "cat", "dan")
BOX = "the cash box"
MOST_CHIPS = 3_000  # the league's limit after a buy-in
SETTINGS = {
    "seven_deuce": 3,
    "stand_up": 5,
    "bomb_pot_every": 4,
    "leave_notice": 30,
    "chip_set": [],
}
HOOK = "https://example.org/hook"  # never called, because `outside` replaces senders
CHAT = "https://example.org/evenings"
# PostgreSQL copies all rows to a separate schema, because creating a database from a template takes
# half a minute on a busy machine. Triggers and foreign keys are off while rows are restored.
_KEEP = """
    DROP SCHEMA IF EXISTS beginning CASCADE;
    CREATE SCHEMA beginning;
    DO $$ DECLARE each record; BEGIN
        FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('CREATE TABLE beginning.%I AS TABLE public.%I',
                each.tablename, each.tablename);
        END LOOP;
        CREATE TABLE beginning.all_sequences AS
            SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public';
    END $$"""
_PUT_BACK = """
    DO $$ DECLARE each record; BEGIN
        SET LOCAL session_replication_role = replica;
        FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
            AND tablename NOT IN ('auth_permission', 'django_content_type', 'django_migrations')
        LOOP
            EXECUTE format('DELETE FROM public.%I', each.tablename);
            EXECUTE format('INSERT INTO public.%I SELECT * FROM beginning.%I',
                each.tablename, each.tablename);
        END LOOP;
        FOR each IN SELECT * FROM beginning.all_sequences LOOP
            PERFORM setval(format('public.%I', each.sequencename)::regclass,
                coalesce(each.last_value, 1), each.last_value IS NOT NULL);
        END LOOP;
    END $$"""


@dataclass(frozen=True)
class League:
    """The initial league: its ids, the API keys of its phones and bob's, and the host's session."""

    league: str
    players: dict[str, str]
    box: str
    record: str
    manage: str
    bob: str
    session: str
    house_game: str

    @property
    def names(self) -> dict[str, str]:
        """The names of the players and the cash box, keyed by id."""
        return {player: name for name, player in self.players.items()} | {self.box: BOX}


class Beginning:
    """A database with one league that can be saved and restored."""

    def __init__(self) -> None:
        self.league: League | None = None
        self.name = str(connection.settings_dict["NAME"])
        self.copy = Path(f"{self.name}.beginning")

    def make(self) -> None:
        """Create the database as a new installation does."""
        if connection.vendor == "postgresql":
            _of_server(f'DROP DATABASE IF EXISTS "{self.name}"', f'CREATE DATABASE "{self.name}"')
        call_command("migrate", verbosity=0)
        self.league = _furnished()
        self.keep()

    def keep(self) -> None:
        """Save the current state as the initial state."""
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(_KEEP)
                return
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        shutil.copyfile(self.name, self.copy)

    def put_back(self) -> League:
        """Restore the initial state."""
        if self.league is None:
            raise RuntimeError("nothing was made to begin with")
        cache.clear()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_PUT_BACK)
            return self.league
        connection.close()
        for beside in ("-wal", "-shm"):
            Path(f"{self.name}{beside}").unlink(missing_ok=True)
        shutil.copyfile(self.copy, self.name)
        return self.league

    def forget(self) -> None:
        """Delete the database."""
        connection.close()
        if connection.vendor == "postgresql":
            _of_server(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')
        else:
            self.copy.unlink(missing_ok=True)


def _of_server(*statements: str) -> None:
    """Execute statements that create or drop databases, connected to a different database."""
    import psycopg  # noqa: PLC0415 (SQLite does without)

    connection.close()
    settings = connection.settings_dict
    with psycopg.connect(
        host=settings["HOST"],
        port=settings["PORT"] or None,
        user=settings["USER"],
        password=settings["PASSWORD"] or None,
        dbname="postgres",
        autocommit=True,
    ) as server:
        for each in statements:
            server.execute(each)  # type: ignore[call-overload]


def _furnished() -> League:
    from league.chat.services import add_channel  # noqa: PLC0415 (models come after settings)
    from league.games import rules_process  # noqa: PLC0415
    from league.games.house_games import write  # noqa: PLC0415
    from league.models import League as Row  # noqa: PLC0415
    from league.models import Membership, Player, Role, Scope, UncountedPolicy, User  # noqa: PLC0415
    from league.nights.cash_box import cash_box  # noqa: PLC0415
    from league.people.api_keys import make_token  # noqa: PLC0415
    from league.people.leagues import add_player, make_league  # noqa: PLC0415
    from league.webhooks import management  # noqa: PLC0415
    from tests.simulation.deals import IN_TURN  # noqa: PLC0415 (imports the names from here)

    host = User.objects.create_user(username="host", email="host@example.org")
    bob = User.objects.create_user(username="bob", email="bob@example.org")
    league = make_league(host, "Thursdays")
    options = {"uncounted": UncountedPolicy.HANDS, "most_buy_in": MOST_CHIPS, **SETTINGS}
    Row.objects.filter(pk=league.pk).update(**options)
    players = {name: str(add_player(league, name).pk) for name in NAMES}
    Membership.objects.create(league=league, user=bob, role=Role.PLAYER)
    for name, user in (("ann", host), ("bob", bob)):
        Player.objects.filter(pk=players[name]).update(user=user)
        _take_pushes(user)
    management.create(league, uuid4(), HOOK, by=host)
    add_channel(league, UUID(int=1), CHAT, by=host)
    # On a busy machine, checking a game can take longer than a host would wait.
    with patch.object(rules_process, "MOST_SECONDS", 600):
        game = write(Row.objects.get(pk=league.pk), IN_TURN, by=host)
    return League(
        str(league.pk),
        players,
        str(cash_box(league).pk),
        make_token(league, host, "a phone", Scope.RECORD)[1],
        make_token(league, host, "the host", Scope.MANAGE)[1],
        make_token(league, bob, "bob", Scope.RECORD)[1],
        _session_of(host),
        game.slug,
    )


def _session_of(user: "User") -> str:
    """Return a session of a browser in which the user has signed in."""
    session = SessionStore()
    session.set_expiry(timezone.now() + timedelta(days=400))
    session.update(
        {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
    )
    session.save()
    return str(session.session_key)


def _take_pushes(user: object) -> None:
    """Subscribe the user's phone to push messages for longer than any evening lasts."""
    from league.common.crypto import encoded  # noqa: PLC0415 (as above)
    from league.notices import subscriptions  # noqa: PLC0415

    subscriptions.public_text()
    session = SessionStore()
    session.set_expiry(timezone.now() + timedelta(days=400))
    session.create()
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    address = subscriptions.Address(
        f"https://example.org/push/{user}", encoded(raw), encoded(bytes(16)), "https://example.org"
    )
    key = str(session.session_key)
    subscriptions.subscribe(user, address, session_key=key, kind="a phone")  # type: ignore[arg-type]
