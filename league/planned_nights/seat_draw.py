"""Draw seats so that everybody can check the draw: by hashes, from a seed that is told afterwards.

The hash of the seed is told with the plan, the seed when the night starts: who planned it could
not change it any more, and everybody else did not know it.
"""

import secrets
from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

SEED_BYTES = 32


def new_seed() -> str:
    """Return a seed that nobody can guess."""
    return secrets.token_hex(SEED_BYTES)


def seed_hash(seed: str) -> str:
    """Return what is told of the seed beforehand: its SHA-256 in hex."""
    return sha256(seed.encode()).hexdigest()


def drawn_order(seed: str, players: Iterable[UUID]) -> list[UUID]:
    """Return the players by the SHA-256 of the seed followed by their id, as the API tells it."""
    return sorted(players, key=lambda player: sha256(f"{seed}{player}".encode()).digest())
