"""Whether what was signed of the closings is what their rows say."""

from collections.abc import Iterator

from django.db.models import Q

from league.models import Closing, Erasure, League
from league.proofs.signing import proofs_of
from league.proofs.texts import digest, statement_text
from league.proofs.verification import Proof, Spoilt, is_signed, read_statement
from ledger.checks import Finding


def broken_proofs(league: League) -> Iterator[Finding]:
    """Yield the closings that are not signed, or of which something else was signed."""
    rows = Closing.objects.filter(league=league)
    for closing in rows.filter(signed=None).select_related("night").order_by("sequence"):
        text = f"{league}, {closing} was never signed"
        yield Finding("not-signed", text, (str(closing.pk),))
    erased = Erasure.objects.filter(Q(player__league=league) | Q(player=None)).exists()
    for closing, proof in proofs_of(rows):
        if wrong := _wrong(closing, proof, erased=erased):
            yield Finding("proof-broken", f"{league}, {closing}: {wrong}", (str(closing.pk),))


def _wrong(closing: Closing, proof: Proof, *, erased: bool) -> str:
    if not is_signed(proof):
        return "its signature is not of its statement"
    if not proof.names and not erased:
        return "its names can't be checked, and nobody was erased"
    try:
        names = digest(proof.names) if proof.names else read_statement(proof.statement).names
    except Spoilt as spoilt:
        return str(spoilt)
    at = closing.signed.imported_at
    text = statement_text(closing, chips=digest(proof.chips), names=names, imported_at=at)
    if text != proof.statement:
        return "something else was signed than its rows say"
    return ""
