"""PgBouncer in front of PostgreSQL: transaction mode works, statement mode is rejected."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.test import Client

from league.integrity.audit import audit
from league.models import Hand, Night, Role
from tests.helpers.api.clients import member, send
from tests.helpers.config.pgbouncer import through_pgbouncer
from tests.helpers.league.leagues import a_night, holdem, qualifiers
from tests.helpers.league.nights import closed

pytestmark = pytest.mark.django_db(transaction=True)


def record(client: Client, night: Night) -> int:
    """Send two hands, then close the connection, as a web process does after a minute."""
    record_of = [holdem(), qualifiers()]
    body = {"hands": [{"id": str(uuid4()), "record": each} for each in record_of]}
    try:
        return send(client, f"/api/v1/nights/{night.pk}/hands/batch", body).status_code
    finally:
        connection.close()


def test_four_clients_record_hands_through_two_server_connections(tmp_path: Path) -> None:
    """A prepared statement would exist on only one of the servers."""
    nights = [a_night() for _ in range(4)]
    hosts = [member(night.league, Role.HOST) for night in nights]
    with through_pgbouncer(tmp_path, servers=2), ThreadPoolExecutor(4) as threads:
        codes = [each for _ in range(5) for each in threads.map(record, hosts, nights)]
        assert set(codes) == {201}
        assert Hand.objects.count() == 40
        closed(nights[0])
        assert [found for night in nights for found in audit(night.league)] == []


def test_long_result_can_be_read_through_pgbouncer_outside_a_transaction(tmp_path: Path) -> None:
    """A cursor WITH HOLD belongs to a session, and Django declares one for `iterator()`."""
    for number in range(3):
        a_night(chips=number + 1)
    read, held, done = [], Event(), Event()

    def hold_a_server() -> None:
        with transaction.atomic():
            Night.objects.count()
            held.set()
            done.wait(10)
        connection.close()

    with through_pgbouncer(tmp_path, servers=2), ThreadPoolExecutor(1) as other:
        rows = Night.objects.order_by("pk").iterator(1)
        read.append(next(rows))
        other.submit(hold_a_server)
        assert held.wait(10)  # holds the most recently used server connection
        read += rows
        done.set()
    assert len(read) == 3


def test_backup_works_through_pgbouncer_and_doctor_mentions_it(tmp_path: Path) -> None:
    a_night()
    with through_pgbouncer(tmp_path):
        call_command("backup", str(file := tmp_path / "league.backup"), stdout=StringIO())
        assert file.stat().st_size
        assert "a connection pooler is in use" in doctor()
        assert connection.timezone_name == "UTC"


def test_pgbouncer_statement_mode_is_refused_with_the_reason(tmp_path: Path) -> None:
    """The driver begins a transaction for each hand, so no hand could be recorded."""
    with through_pgbouncer(tmp_path, mode="statement"):
        with pytest.raises(OperationalError, match="runs in statement mode"):
            connection.ensure_connection()
        with pytest.raises(CommandError, match="set its pool_mode to transaction"):
            call_command("serve", "--only-web", "--port", "0")
        assert "set its pool_mode to transaction" in doctor()
    connection.ensure_connection()


def doctor() -> str:
    out = StringIO()
    with pytest.raises(SystemExit):  # the test settings do not pass the production checks
        call_command("doctor", stdout=out)
    return out.getvalue()
