"""Changes that the database rejects, made as the database owner could make them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from league.closing import closing_hash
from league.common.crypto import encoded
from league.integrity import sealed_audit, triggers
from league.models import ClosingSignature, JournalEntry, JournalHead, League
from league.proofs.signing import sign_unsigned
from league.proofs.verification import Proof
from ledger import guards


@contextmanager
def unguarded() -> Iterator[None]:
    """Remove the league app's triggers inside the block."""
    connection.check_constraints()
    guards.remove(connection, triggers.league())
    yield
    connection.check_constraints()
    guards.install(connection, triggers.league())


def rewrite_past(league: League, reason: str) -> None:
    """Change the reason on all closings and rebuild the journal, so an audit still passes."""
    with unguarded():
        signed = ClosingSignature.objects.filter(closing__league=league)
        signed._raw_delete("default")  # type: ignore[attr-defined]
        JournalEntry.objects.filter(chain=league.pk)._raw_delete("default")  # type: ignore[attr-defined]
        JournalHead.objects.filter(pk=league.pk).update(sequence=0, hash="")
        before = ""
        for closing in league.closings.order_by("sequence"):
            closing.reason, closing.previous_hash = reason, before
            closing.save(update_fields=["reason", "previous_hash"])
            closing_hash.seal(closing)
            before = closing.hash
        sealed_audit.seal_imported(league)
        sign_unsigned(league)


def forged_successor(proof: Proof, *, league: str = "", names: str | None = None) -> Proof:
    """Return a closing that follows this one and is signed with a different key.

    If given, `league` and `names` replace the closing's own.
    """
    private, content = Ed25519PrivateKey.generate(), json.loads(proof.statement)
    following = {
        "sequence": content["sequence"] + 1,
        "previous": content["hash"],
        "hash": "ab" * 32,
    }
    statement = json.dumps(content | following | ({"league": league} if league else {}))
    return replace(
        proof,
        names=proof.names if names is None else names,
        statement=statement,
        signature=encoded(private.sign(statement.encode())),
        key=encoded(private.public_key().public_bytes_raw()),
    )
