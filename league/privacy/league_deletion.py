"""Delete a league with a disposable book, and all its rows.

The triggers reject the deletion of any other league. Rows are deleted table by table, starting with
the tables that are furthest from the league, because a trigger finds a row's book through the rows
that it references. Foreign keys are checked when the transaction ends.
"""

from django.db import transaction

from league.integrity.row_owners import LINK, owned, path_to_league, rows_of
from league.integrity.sealed_audit import documents_of
from league.models import (
    ConflictingRecord,
    GameDocument,
    HouseGameVersion,
    League,
    Odds,
    Revision,
)
from ledger.models import Book


class NotDisposableError(Exception):
    """The league was not deleted, because its book is not disposable."""


@transaction.atomic
def delete_league(league: League) -> None:
    """Delete the league, its book and every row that belongs to them. Users are kept.

    Raises NotDisposableError.
    """
    book = Book.objects.select_for_update().get(pk=league.book_id)
    if not book.disposable:
        raise NotDisposableError
    documents = documents_of(league)
    models = sorted(owned(), key=lambda model: path_to_league(model).count(LINK), reverse=True)
    for model in (each for each in models if each not in {League, Book}):
        rows_of(model, league.pk)._raw_delete("default")  # noqa: SLF001 (no rows to collect)
    Odds.objects.filter(asker=str(league.pk)).delete()
    League.objects.filter(pk=league.pk)._raw_delete("default")  # noqa: SLF001
    Book.objects.filter(pk=book.pk)._raw_delete("default")  # noqa: SLF001
    unused = GameDocument.objects.filter(pk__in=documents, slug="")
    for model in (Revision, ConflictingRecord, HouseGameVersion):
        unused = unused.exclude(pk__in=model._default_manager.values("document"))  # noqa: SLF001
    unused._raw_delete("default")  # noqa: SLF001
