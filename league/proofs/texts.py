"""The signed texts of a closing, generated from its rows.

A statement is signed, and contains the digests of the text of the chips and the text of the names.
Verifiers use the texts byte for byte, so JSON needs no canonical form.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from league.models import Closing, ClosingLine, PlannedPayment

STATEMENT = "dealers-choice closing 1"
IMPORTED_STATEMENT = "dealers-choice closing 2"  # of a closing from a season file
LINE = (
    *("position", "bought", "cashed", "stack", "back", "counted", "put_right", "bears"),
    *("entered", "prizes", "cash", "charged", "settles", "chips", "net"),
)


@dataclass(frozen=True, slots=True)
class Settled:
    """The chips of a closing: its lines as they were written, its payments by position."""

    lines: Sequence[ClosingLine]
    payments: Sequence[PlannedPayment]

    def players(self) -> list[UUID]:
        """Return the players: those with a line, then those who are only in a payment.

        In the texts a player is the place in this list, from 1.
        """
        paying = (who for each in self.payments for who in (each.payer_id, each.payee_id))
        return list(dict.fromkeys([*(line.player_id for line in self.lines), *paying]))


def chips_text(settled: Settled, *, chip_value: int, currency: str) -> str:
    """Return the numbers of a closing as text."""
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
                    "payer": places[each.payer_id],
                    "payee": places[each.payee_id],
                    "chips": each.chips,
                }
                for each in settled.payments
            ],
        }
    )


def names_text(players: Iterable[str], *, league: str, night: int, name: str, salt: str) -> str:
    """Return the names of a closing as text: the night's number, its `name` if any, the players.

    The salt prevents guessing them from the digest.
    """
    told = {"salt": salt, "league": league, "night": night, "name": name}
    return _json(told | {"players": list(players)})


def statement_text(
    closing: Closing, *, chips: str, names: str, imported_at: datetime | None
) -> str:
    """Return the statement to sign: the closing, its seal, the seal before, both digests.

    A closing from a season file was not closed here: its statement has `imported`.
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
    """Return the mark that all proofs of one league share. It does not reveal the league's id."""
    return digest(f"dealers-choice league {league}")[:32]


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
