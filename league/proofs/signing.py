"""Sign closings with the league's key. Only this module writes signatures and keys.

A closing is signed in its transaction, after it is sealed. All parts of a proof except the
statement, and the names if a player was renamed since, are regenerated from the rows each time. If
a row has changed, the proof is not valid.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connections, transaction
from django.db.models import F, Max, Q, QuerySet

from league.common.crypto import cipher, encoded
from league.models import (
    Closing,
    ClosingLine,
    ClosingSignature,
    Erasure,
    League,
    Night,
    PlannedPayment,
    Player,
    SigningKey,
)
from league.models.journal import new_salt
from league.proofs.verification import (
    IMPORTED_STATEMENT,
    STATEMENT,
    Proof,
    ProofError,
    digest,
    read_names,
    read_statement,
)
from ledger.sql import batched

LINE = (
    *("position", "bought", "cashed", "stack", "back", "counted", "put_right", "bears"),
    *("entered", "prizes", "cash", "charged", "settles", "chips", "net"),
)


@dataclass(frozen=True, slots=True)
class Settled:
    """A closing's chips: its lines as first written, and its payments, keyed by position."""

    lines: Sequence[ClosingLine]
    payments: Sequence[PlannedPayment]

    def players(self) -> list[UUID]:
        """Return the players with a line, followed by players who appear only in a payment.

        A proof identifies players by their position in this list, from 1.
        """
        paying = (who for each in self.payments for who in (each.payer_id, each.payee_id))
        return list(dict.fromkeys([*(line.player_id for line in self.lines), *paying]))


def chips_text(settled: Settled, *, chip_value: int, currency: str) -> str:
    """Return a closing's chips as text."""
    places = {player: place for place, player in enumerate(settled.players(), start=1)}
    return _json(
        {
            "chip_value": chip_value,
            "currency": currency,
            "lines": [
                {"player": places[line.player_id]} | {name: getattr(line, name) for name in LINE}
                for line in settled.lines
            ],
            "payments": [
                {
                    "payer": places[payment.payer_id],
                    "payee": places[payment.payee_id],
                    "chips": payment.chips,
                }
                for payment in settled.payments
            ],
        }
    )


def names_text(players: Iterable[str], *, league: str, night: int, name: str, salt: str) -> str:
    """Return a closing's names as text: the night's number and name, and the players.

    The salt prevents guessing the names from the digest.
    """
    content = {"salt": salt, "league": league, "night": night, "name": name}
    return _json(content | {"players": list(players)})


def statement_text(
    closing: Closing, *, chips: str, names: str, imported_at: datetime | None
) -> str:
    """Return the statement to sign: the closing, its seal, the previous seal and both digests.

    `imported_at` adds `imported` to the statement if this service did not make the closing.
    """
    imported = imported_at and {"imported": imported_at.astimezone(UTC).isoformat()}
    return _json(
        {
            "format": IMPORTED_STATEMENT if imported else STATEMENT,
            "league": league_mark(closing.league_id),
            "sequence": closing.sequence,
            "hash": closing.hash,
            "previous": closing.previous_hash,
            "closed_at": closing.made_at.astimezone(UTC).isoformat(),
            "chips": chips,
            "names": names,
        }
        | (imported or {})
    )


def league_mark(league: UUID) -> str:
    """Return an identifier that all proofs of a league share, without revealing the league's id."""
    return digest(f"dealers-choice league {league}")[:32]


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


# The keys that sign closings. Each league has its own key, encrypted with the service's secret and
# created for the league's first closing. A league with closings from the time when all leagues
# shared one key keeps that key, so that all its receipts have the same key
# (docs/decisions/0063-a-key-per-league.md).


PURPOSE = "signing key"


def public_key(league: League) -> str:
    """Return the league's public key, or "" before its first closing."""
    key = _readable(league)
    return key[0].public if key else ""


def signing_key(league: League) -> tuple[SigningKey, Ed25519PrivateKey]:
    """Return the league's key. Create a key if the league has none that can be decrypted."""
    if key := _readable(league):
        return key
    private = Ed25519PrivateKey.from_private_bytes(secrets.token_bytes(32))
    secret = cipher(PURPOSE).encrypt(private.private_bytes_raw().hex().encode()).decode()
    row = SigningKey.objects.create(public=_public(private), private=secret, league=league)
    return row, private


def _readable(league: League) -> tuple[SigningKey, Ed25519PrivateKey] | None:
    """Return the key of the league's latest closing, or else its oldest key, if decryptable."""
    signed = Q(signatures__closing__league=league)
    rows = SigningKey.objects.filter(Q(league=league) | signed)
    last = Max("signatures__closing__sequence", filter=signed)
    ordered = rows.annotate(last=last).order_by(F("last").desc(nulls_last=True), "made_at")
    for row in ordered:
        try:
            raw = cipher(PURPOSE).decrypt(row.private.encode())
            private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(raw.decode()))
        except (InvalidToken, ValueError):
            continue
        if _public(private) == row.public:
            return row, private
    return None


def _public(private: Ed25519PrivateKey) -> str:
    return encoded(private.public_key().public_bytes_raw())


AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class ClosingContent:
    """The current content of a closing's rows."""

    closing: Closing
    settled: Settled
    called: Mapping[UUID, str]

    def chips(self) -> str:
        night = self.closing.night
        return chips_text(self.settled, chip_value=night.chip_value, currency=night.currency)

    def names(self, salt: str) -> str:
        night = self.closing.night
        return names_text(
            (self.called[player] for player in self.settled.players()),
            league=self.closing.league.name,
            night=night.number,
            name=night.name,
            salt=salt,
        )

    def names_differ(self, erased: Set[UUID]) -> bool:
        """Check whether the signed names differ from the rows, apart from renamed players."""
        proof, stored = _proof(self), self.closing.signed.names
        if stored and not erased.isdisjoint(self.settled.players()):
            return True
        if stored and read_names(stored).get("name") != self.closing.night.name:
            return True
        try:
            return digest(proof.names) != read_statement(proof.statement).names
        except ProofError:  # the statement was tampered with
            return True


def sign(closings: Sequence[Closing], *, imported_at: datetime | None = None) -> list[Proof]:
    """Sign sealed closings of one league, and return their proofs.

    `imported_at` is when the closings were imported, if they come from a season file.
    """
    key, private = signing_key(closings[0].league)
    signatures, proofs = [], []
    for content in _contents(closings):
        salt = new_salt()
        chips, names = digest(content.chips()), digest(content.names(salt))
        statement = statement_text(
            content.closing, chips=chips, names=names, imported_at=imported_at
        )
        signed = ClosingSignature(
            closing=content.closing,
            key=key,
            statement=statement,
            signature=encoded(private.sign(statement.encode())),
            salt=salt,
            imported_at=imported_at,
        )
        signatures.append(signed)
        proofs.append(_proof(content))
    ClosingSignature.objects.bulk_create(signatures)
    return proofs


def sign_unsigned(league: League, *, imported_at: datetime | None = None) -> int:
    """Sign the league's unsigned closings, which come from a season file or an old version."""
    rows = Closing.objects.filter(signed=None, league=league).exclude(hash="")
    return sum(len(sign(batch, imported_at=imported_at)) for batch in _batches(rows))


def sign_after_migrate(using: str, **_: object) -> None:
    """Handle post_migrate: sign the current state of closings that have no signature."""
    connection = connections[using]
    if ClosingSignature._meta.db_table in connection.introspection.table_names():  # noqa: SLF001
        unsigned = Closing.objects.filter(signed=None).exclude(hash="").values("league")
        for league in League.objects.filter(pk__in=unsigned):
            sign_unsigned(league)


def proofs_of(closings: "QuerySet[Closing]") -> Iterator[tuple[Closing, Proof]]:
    """Yield the signed closings with their proofs, oldest first.

    Names are "" if an erasure has changed them.
    """
    for batch in _batches(closings.exclude(signed=None)):
        yield from ((content.closing, _proof(content)) for content in _contents(batch))


def proof_of(closing: Closing) -> Proof | None:
    """Return the proof of the closing, or None if it is not signed."""
    rows = Closing.objects.filter(pk=closing.pk).exclude(signed=None)
    closings = rows.select_related("night", "league", "signed")
    return next((_proof(content) for content in _contents(closings)), None)


@transaction.atomic
def delete_salts(league: League) -> None:
    """Delete the salts of signed names that an erasure has removed from the rows.

    Stored names are deleted with them.
    """
    erased = set(Erasure.objects.filter(player__league=league).values_list("player", flat=True))
    salted = Closing.objects.filter(league=league).exclude(signed__salt="")
    changed = [
        content.closing.pk
        for batch in _batches(salted.exclude(signed=None))
        for content in _contents(batch)
        if content.names_differ(erased)
    ]
    for pks in batched(changed, AT_ONCE):
        ClosingSignature.objects.filter(pk__in=pks).update(salt="", names="")


def keep_names(player: Player, nights: "QuerySet[Night]") -> set[UUID]:
    """Store the signed names of the nights' closings that contain the player's current name.

    The name is about to change. Return the nights of these closings. The caller allows changes to
    sealed words.
    """
    kept = set()
    rows = Closing.objects.filter(night__in=nights).exclude(signed__salt="")
    for closing, proof in proofs_of(rows):
        if player.name in read_names(proof.names).get("players", ()):
            ClosingSignature.objects.filter(pk=closing.pk).update(names=proof.names)
            kept.add(closing.night_id)
    return kept


def former_names(closing: Closing) -> dict[UUID, str]:
    """Return the signed names of players who were renamed since the closing."""
    rows = Closing.objects.filter(pk=closing.pk).exclude(signed=None).exclude(signed__names="")
    for content in _contents(rows.select_related("night", "league", "signed")):
        signed = read_names(content.closing.signed.names).get("players", ())
        named = zip(content.settled.players(), signed, strict=False)
        return {player: name for player, name in named if name != content.called[player]}
    return {}


def _proof(content: ClosingContent) -> Proof:
    signed = content.closing.signed
    return Proof(
        statement=signed.statement,
        signature=signed.signature,
        key=signed.key_id,
        chips=content.chips(),
        names=signed.names or (content.names(signed.salt) if signed.salt else ""),
    )


def _batches(rows: "QuerySet[Closing]") -> Iterator[list[Closing]]:
    keys = list(rows.order_by("league", "sequence").values_list("pk", flat=True))
    for batch in batched(keys, AT_ONCE):
        closings = Closing.objects.filter(pk__in=batch).order_by("league", "sequence")
        yield list(closings.select_related("night", "league", "signed"))


def _contents(closings: Iterable[Closing]) -> Iterator[ClosingContent]:
    in_order = list(closings)
    lines: dict[UUID, list[ClosingLine]] = {}
    payments: dict[UUID, list[PlannedPayment]] = {}
    called: dict[UUID, str] = {}
    rows = ClosingLine.objects.filter(closing__in=in_order).order_by("closing", "pk")
    for line in rows.select_related("player"):
        lines.setdefault(line.closing_id, []).append(line)
        called[line.player_id] = line.player.name
    planned = PlannedPayment.objects.filter(plan__closing__in=in_order)
    planned = planned.select_related("plan", "payer", "payee")
    for planned_payment in planned.order_by("plan", "position"):
        if planned_payment.plan.closing_id:
            payments.setdefault(planned_payment.plan.closing_id, []).append(planned_payment)
        called |= {
            planned_payment.payer_id: planned_payment.payer.name,
            planned_payment.payee_id: planned_payment.payee.name,
        }
    for closing in in_order:
        settled = Settled(lines.get(closing.pk, []), payments.get(closing.pk, []))
        yield ClosingContent(closing, settled, called)
