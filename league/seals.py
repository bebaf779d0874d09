"""What the database itself refuses of an evening: who bought, counted, won and owes what, stays.

The ledger guards the chips; these guards keep what is said about them. Set after every migrate, as
the ledger's are.
"""

from collections.abc import Iterator

from django.apps import apps
from django.db import connections

from ledger import guards
from ledger.guards import Guard, Guards, abort, function, raising, sqlite_trigger, trigger

# A row says who made it, and to whom, until that account is gone: never that it was another's. A
# closing gets its hash once, when all that it covers stands.
MODELS = (
    *("BuyIn", "CashOut", "Count", "Closing", "Line", "Plan", "PlannedPayment", "PaymentStep"),
    *("LogbookEntry", "Erasure"),
)
MAY_GO = ("made_by_id", "of_id")
MAY_CHANGE = (*MAY_GO, "hash")
KEPT = "what was bought, counted, closed, planned and noted is kept as it was: {what} is refused"
# In words that both databases know: it was nobody, or somebody else, and now names somebody.
OTHER = "coalesce({new} <> {old}, {new} IS NOT NULL)"
SEALED = "{new}.hash <> {old}.hash AND {old}.hash <> ''"


def install_after_migrate(using: str, **_: object) -> None:
    """Receive post_migrate."""
    guards.install(connections[using], league())


def league() -> Guards:
    """Return the guards of the league, by the tables as they are."""
    return Guards("league", tuple(_tables()), _of)


def _of(vendor: str) -> tuple[Guard, ...]:
    return tuple({"sqlite": _sqlite, "postgresql": _postgresql}[vendor]())


def _tables() -> dict[str, list[str]]:
    """Return the columns of each table."""
    tables = [apps.get_model("league", name)._meta for name in MODELS]  # noqa: SLF001 (public)
    return {table.db_table: [each.column for each in table.concrete_fields] for table in tables}


def _sqlite() -> Iterator[Guard]:
    for table, columns in _tables().items():
        update = abort(_kept(table, "UPDATE"), where=" OR ".join(_changed(table, columns)))
        yield sqlite_trigger(table, "kept", "BEFORE DELETE", abort(_kept(table, "DELETE")))
        yield sqlite_trigger(table, "fixed", "BEFORE UPDATE", update)


def _changed(table: str, columns: list[str]) -> Iterator[str]:
    for column in columns:
        new, old = f'NEW."{column}"', f'OLD."{column}"'
        if column in MAY_GO:
            yield OTHER.format(new=new, old=old)
        elif column not in MAY_CHANGE:
            yield f"{new} IS NOT {old}"
    if table == "league_closing":
        yield SEALED.format(new="NEW", old="OLD")


def _kept(table: str, event: str) -> str:
    return KEPT.format(what=f"{event} on {table}")


def _postgresql() -> Iterator[Guard]:
    refuse = raising(f"format('{KEPT.format(what='%s on %s')}', TG_OP, TG_TABLE_NAME)")
    free = " ".join(f"- '{column}'" for column in MAY_CHANGE)
    others = [
        OTHER.format(new=f"(to_jsonb(NEW) ->> '{each}')", old=f"(to_jsonb(OLD) ->> '{each}')")
        for each in MAY_GO
    ]
    fixed = f"to_jsonb(NEW) {free} IS DISTINCT FROM to_jsonb(OLD) {free}"
    changed = " OR ".join([fixed, *others])
    sealed = SEALED.format(new="NEW", old="OLD")
    yield function("league_refuse", refuse)
    yield function("league_fixed", f"IF {changed} THEN {refuse} END IF; RETURN NEW;")
    yield function("league_sealed", f"IF {changed} OR {sealed} THEN {refuse} END IF; RETURN NEW;")
    for table in _tables():
        by = "league_sealed" if table == "league_closing" else "league_fixed"
        yield trigger(table, "kept", "BEFORE DELETE", "FOR EACH ROW", "league_refuse")
        yield trigger(table, "fixed", "BEFORE UPDATE", "FOR EACH ROW", by)
        yield trigger(table, "filled", "BEFORE TRUNCATE", "FOR EACH STATEMENT", "league_refuse")
