"""Verify a proof, and the consistency of several proofs, using only their content.

This module uses no database, and does not trust content before its signature is verified.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any
from unicodedata import category, normalize

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from league.common.crypto import decoded, encoded

STATEMENT = "dealers-choice closing 1"
IMPORTED_STATEMENT = "dealers-choice closing 2"  # for closings imported from a season file
RECEIPT = "dealers-choice receipt 1"
LONGEST_FILE = 4 * 1024 * 1024  # in bytes; a receipt with a hundred players takes about 40 kB
LONGEST_TEXT = 1024 * 1024  # in characters
# number of hexadecimal digits; with 128 bits, finding a different key is infeasible
FINGERPRINT = 32
_SEAL = re.compile(r"[0-9a-f]{64}")


class ProofError(Exception):
    """The input is not a proof. The message explains why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The strings needed to verify a closing.

    `chips` and `names` are "" if they are not included. `key` is the public key. It and the
    signature are base64url-encoded.
    """

    statement: str
    signature: str
    key: str
    chips: str = ""
    names: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The content of a statement. `chips` and `names` are digests, and `hash` is the seal.

    `imported` is when the closing was imported from a season file, or "" for a night closed by this
    service.
    """

    format: str
    league: str
    sequence: int
    hash: str
    previous: str
    closed_at: str
    chips: str
    names: str
    imported: str = ""


SIGNED = {each.name for each in fields(Statement)} - {"imported"}
FORMATS = {STATEMENT: SIGNED, IMPORTED_STATEMENT: SIGNED | {"imported"}}


def as_file(proof: Proof) -> str:
    content = {each.name: getattr(proof, each.name) for each in fields(proof)}
    return json.dumps({"format": RECEIPT} | content, indent=1) + "\n"


def as_code(proof: Proof) -> str:
    """Return the content of the QR code: the file without the chips and names printed near it."""
    content = {"statement": proof.statement, "signature": proof.signature, "key": proof.key}
    return json.dumps({"format": RECEIPT} | content, separators=(",", ":"))


def read_receipt(text: str) -> Proof:
    """Read the proof from a receipt file. Raises ProofError."""
    content = _object(text)
    if content.pop("format", None) != RECEIPT:
        raise ProofError("it is not a receipt of this service")
    names = {field.name for field in fields(Proof)}
    needed = {"statement", "signature", "key"}
    if not needed <= content.keys() <= names:
        raise ProofError(f"it has {', '.join(sorted(names))} and nothing else")
    if not all(isinstance(field, str) for field in content.values()):
        raise ProofError("one of its fields is not text")
    return Proof(**content)


def read_statement(text: str) -> Statement:
    """Read the content of a statement. Raises ProofError."""
    content = _object(text)
    form = content.get("format")
    if not isinstance(form, str) or content.keys() != FORMATS.get(form):
        raise ProofError("the statement does not describe a closing of this service")
    sequence = content.pop("sequence")
    if type(sequence) is not int or sequence < 1:
        raise ProofError("the statement has no closing number")
    if not all(isinstance(text_field, str) for text_field in content.values()):
        raise ProofError("a field of the statement is not text")
    seals = [content["hash"], *filter(None, [content["previous"]])]
    if not all(_SEAL.fullmatch(text_field) for text_field in seals):
        raise ProofError("a seal of the statement is invalid")
    return Statement(sequence=sequence, **content)


def read_names(text: str) -> dict[str, Any]:
    """Read a proof's names. Return {} if they are missing or invalid."""
    try:
        return _object(text)
    except ProofError:
        return {}


def flaws(proof: Proof, *, trusted: Sequence[str] = ()) -> Iterator[str]:
    """Yield all problems with a proof. `trusted` contains keys or fingerprints, if any."""
    if not is_signed(proof):
        yield "the signature does not match the statement and the key"
    elif trusted and not {proof.key, fingerprint(proof.key)} & set(trusted):
        yield f"it is signed with the key {fingerprint(proof.key)}, which is not the one you trust"
    try:
        statement = read_statement(proof.statement)
    except ProofError as spoilt:
        yield str(spoilt)
        return
    if proof.chips and digest(proof.chips) != statement.chips:
        yield "the chips were changed after signing"
    if proof.names and digest(proof.names) != statement.names:
        yield "the names were changed after signing"


def is_signed(proof: Proof) -> bool:
    try:
        raw, key = decoded(proof.signature), decoded(proof.key)
        # The last character has spare bits, so several encodings decode to the same signature. Only
        # one of them is valid, because otherwise a character could be changed.
        if (encoded(raw), encoded(key)) != (proof.signature, proof.key):
            return False
        Ed25519PublicKey.from_public_bytes(key).verify(raw, proof.statement.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def fingerprint(key: str) -> str:
    """Return the fingerprint that people use to compare public keys."""
    return sha256(decoded(key)).hexdigest()[:FINGERPRINT]


def breaks(statements: Iterable[tuple[str, Statement]]) -> Iterator[str]:
    """Yield contradictions between labelled statements."""
    by_sequence: dict[tuple[str, int], tuple[str, Statement]] = {}
    for called, statement in statements:
        before, same = by_sequence.setdefault(
            (statement.league, statement.sequence), (called, statement)
        )
        if same.hash != statement.hash:
            yield (
                f"{before} and {called} belong to different histories: closing {statement.sequence}"
                f" has the seal {short(same.hash)} in one and {short(statement.hash)} in the other"
            )
    for (league, sequence), (called, statement) in by_sequence.items():
        before, last = by_sequence.get((league, sequence - 1), ("", None))
        if last and last.hash != statement.previous:
            seal = short(statement.previous)
            yield f"{called} does not follow {before}: its previous seal is {seal}"
        if (statement.previous == "") != (sequence == 1):
            yield f"{called} is closing {sequence}, but its link to an earlier closing does not fit"


def mixed(
    labelled_proofs: Iterable[tuple[str, Proof]], *, trusted: Sequence[str] = ()
) -> Iterator[str]:
    """Yield problems with valid, labelled proofs that only appear to be from one league.

    The problems are several leagues with the same name, a closing that follows a different league's
    closing, and several keys that signed for one league. If `trusted` keys are given, several keys
    are not a problem, because `flaws` rejects all other keys.
    """
    keys: dict[str, tuple[str, str]] = {}
    leagues: dict[str, tuple[str, str]] = {}
    seals: dict[str, tuple[str, str]] = {}
    proofs = [(called, proof, read_statement(proof.statement)) for called, proof in labelled_proofs]
    for called, proof, statement in proofs:
        seals.setdefault(statement.hash, (called, statement.league))
        before, key = keys.setdefault(statement.league, (called, proof.key))
        if key != proof.key and not trusted:
            yield (
                f"{before} and {called} are from one league but signed with two keys,"
                f" {short(fingerprint(key))} and {short(fingerprint(proof.key))}:"
                " one of them may be forged"
            )
        name = str(read_names(proof.names).get("league", "")) if proof.names else ""
        # readers overlook differences such as case, spaces and invisible characters
        visible = "".join(each for each in normalize("NFKC", name) if category(each) != "Cf")
        looks_like = " ".join(visible.lower().split())
        before, league = leagues.setdefault(looks_like, (called, statement.league))
        if name and league != statement.league:
            yield (
                f"{before} and {called} are from two leagues named {name}:"
                f" {short(league)} and {short(statement.league)}"
            )
    for called, _, statement in proofs:
        before, league = seals.get(statement.previous, ("", statement.league))
        if league != statement.league:
            yield f"{called} follows {before}, which is from another league"


def short(seal: str) -> str:
    """Return the part of a seal or fingerprint that people compare."""
    return " ".join(seal[at : at + 4] for at in range(0, min(len(seal), 16), 4)) or "none"


def _object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise ProofError("it is not a JSON object")
    return content
