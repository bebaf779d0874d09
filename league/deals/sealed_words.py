"""The encrypted words that players declare. The database and backups contain only these."""

from cryptography.fernet import InvalidToken

from league.common.crypto import cipher
from league.models import DealtPlayer

PURPOSE = "declarations"
LENGTH = 300  # length of the encrypted text; padding hides the length of the declared word


def sealed(row: DealtPlayer, word: str) -> str:
    """Return the declared word, encrypted with the service's key and bound to this row."""
    return (
        cipher(PURPOSE).encrypt(f"{_encryption_context(row)}{word}".ljust(LENGTH).encode()).decode()
    )


def opened(row: DealtPlayer) -> str:
    """Return the declared word, or "" if it was sealed with another key or for another row."""
    try:
        text = cipher(PURPOSE).decrypt(row.declaration.encode()).decode().rstrip()
    except InvalidToken:
        return ""
    context = _encryption_context(row)
    return text.removeprefix(context) if text.startswith(context) else ""


def _encryption_context(row: DealtPlayer) -> str:
    return f"{row.deal_id} {row.player_id} "
