"""A connection that detects a pooler, such as PgBouncer, between itself and PostgreSQL.

In transaction mode, each transaction may run on a different server connection. Session state, i.e.
named prepared statements and cursors declared WITH HOLD, is lost or belongs to another client.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import OperationalError
from psycopg.pq import ExecStatus, TransactionStatus

from config.data.postgresql import NO_TRANSACTIONS


class DatabaseWrapper(base.DatabaseWrapper):
    is_pooled = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> "psycopg.Connection[Any]":
        connection: psycopg.Connection[Any] = super().get_new_connection(conn_params)
        self.is_pooled = is_pooled(connection)
        if self.is_pooled:  # a pooler in statement mode rejects transactions
            if connection.pgconn.exec_(b"BEGIN").status != ExecStatus.COMMAND_OK:
                connection.close()
                raise OperationalError(NO_TRANSACTIONS)
            connection.pgconn.exec_(b"ROLLBACK")
        return connection

    def chunked_cursor(self) -> Any:
        """Return a server-side cursor, or a plain one outside of transactions behind a pooler."""
        self.ensure_connection()
        status = self.connection.info.transaction_status
        if self.is_pooled and status == TransactionStatus.IDLE:
            return self.cursor()
        return super().chunked_cursor()


def is_pooled(connection: "psycopg.Connection[Any]") -> bool:
    """Return whether there is a pooler between the client and the server.

    A pooler makes up the process id that it sends when a client connects, so this id differs from
    the server process's id.
    """
    # Uses libpq directly, because psycopg would begin a transaction.
    answer = connection.pgconn.exec_(b"SELECT pg_backend_pid()")
    return answer.get_value(0, 0) != str(connection.info.backend_pid).encode()
