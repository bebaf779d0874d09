"""What the database itself refuses of an evening: who bought, counted, won and owes what, stays.

The ledger guards the chips; these guards keep what is said about them. Set after every migrate, as
the ledger's are.
"""

from collections.abc import Iterator

from django.apps import apps
from django.db import connections

from ledger import guards
from ledger.guards import Guard, Guards, abort, function, raising, sqlite_trigger, trigger

# A row says who made it, and to whom, until that account is gone. A closing gets its hash once,
# when all that it covers stands.
MODELS = (
    *("BuyIn", "CashOut", "Count", "Closing", "Line", "Plan", "PlannedPayment", "PaymentStep"),
    "LogbookEntry",
)
MAY_CHANGE = ("made_by_id", "of_id", "hash")
KEPT = "what was bought, counted, closed, planned and noted is kept as it was: {what} is refused"
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
    """Return the columns of each table that never change."""
    tables = [apps.get_model("league", name)._meta for name in MODELS]  # noqa: SLF001 (public)
    return {
        table.db_table: [
            each.column for each in table.concrete_fields if each.column not in MAY_CHANGE
        ]
        for table in tables
    }


def _sqlite() -> Iterator[Guard]:
    for table, columns in _tables().items():
        changed = [f'NEW."{column}" IS NOT OLD."{column}"' for column in columns]
        if table == "league_closing":
            changed.append(SEALED.format(new="NEW", old="OLD"))
        update = abort(_kept(table, "UPDATE"), where=" OR ".join(changed))
        yield sqlite_trigger(table, "kept", "BEFORE DELETE", abort(_kept(table, "DELETE")))
        yield sqlite_trigger(table, "fixed", "BEFORE UPDATE", update)


def _kept(table: str, event: str) -> str:
    return KEPT.format(what=f"{event} on {table}")


def _postgresql() -> Iterator[Guard]:
    refuse = raising(f"format('{KEPT.format(what='%s on %s')}', TG_OP, TG_TABLE_NAME)")
    free = " ".join(f"- '{column}'" for column in MAY_CHANGE)
    changed = f"to_jsonb(NEW) {free} IS DISTINCT FROM to_jsonb(OLD) {free}"
    sealed = SEALED.format(new="NEW", old="OLD")
    yield function("league_refuse", refuse)
    yield function("league_fixed", f"IF {changed} THEN {refuse} END IF; RETURN NEW;")
    yield function("league_sealed", f"IF {changed} OR {sealed} THEN {refuse} END IF; RETURN NEW;")
    for table in _tables():
        fixed = "league_sealed" if table == "league_closing" else "league_fixed"
        yield trigger(table, "kept", "BEFORE DELETE", "FOR EACH ROW", "league_refuse")
        yield trigger(table, "fixed", "BEFORE UPDATE", "FOR EACH ROW", fixed)
        yield trigger(table, "filled", "BEFORE TRUNCATE", "FOR EACH STATEMENT", "league_refuse")
