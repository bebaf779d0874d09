"""Tokens of links that open a page to whoever has them; only their hashes are kept."""

import secrets
from hashlib import sha256

TOKEN_BYTES = 24


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """Return what is kept of a token.

    Looked up by its hash, how long the search takes says nothing about the token.
    """
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
