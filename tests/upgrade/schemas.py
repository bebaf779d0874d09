"""All that a database says of its tables, in words that compare."""

import re

from django.db.backends.base.base import BaseDatabaseWrapper

Schema = dict[tuple[str, ...], list[str]]

# Of PostgreSQL, after the kind of thing: its name, and what is to be said of it.
ASKED = {
    "column": """
        SELECT concat_ws('.', table_name, column_name), concat_ws(' ', udt_name,
            character_maximum_length, numeric_precision, datetime_precision, is_nullable,
            column_default, is_identity, identity_generation, collation_name)
        FROM information_schema.columns WHERE table_schema = 'public'""",
    "constraint": """
        SELECT concat_ws('.', conrelid::regclass, conname), concat_ws(' ',
            pg_get_constraintdef(oid), condeferrable, condeferred, convalidated)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "index": """
        SELECT concat_ws('.', tablename, indexname), indexdef
        FROM pg_indexes WHERE schemaname = 'public'""",
    "sequence": """
        SELECT sequencename, concat_ws(' ', data_type, start_value, increment_by, cycle)
        FROM pg_sequences WHERE schemaname = 'public'""",
    "trigger": """
        SELECT concat_ws('.', tgrelid::regclass, tgname),
            concat_ws(' ', pg_get_triggerdef(oid), tgenabled)
        FROM pg_trigger WHERE NOT tgisinternal""",
    "function": """
        SELECT proname, pg_get_functiondef(oid)
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace""",
}


def schema_of(connection: BaseDatabaseWrapper) -> Schema:
    """What stands in the database; the order of columns, which nothing asks for, left out."""
    return (_sqlite if connection.vendor == "sqlite" else _postgresql)(connection)


def _sqlite(connection: BaseDatabaseWrapper) -> Schema:
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
        return {
            (kind, table, name): sorted(_parts(sql)) if kind == "table" else [sql]
            for kind, name, table, sql in cursor.fetchall()
        }


def _parts(sql: str) -> list[str]:
    """What CREATE TABLE lists: columns and constraints, divided where no bracket is open."""
    head, _, listed = sql.partition("(")
    parts, depth = [head.strip(), ""], 0
    for mark in re.split(r"([(),])", listed.strip().removesuffix(")")):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if mark == "," and not depth:
            parts.append("")
        else:
            parts[-1] += mark
    return [part.strip() for part in parts]


def _postgresql(connection: BaseDatabaseWrapper) -> Schema:
    schema: Schema = {}
    with connection.cursor() as cursor:
        for kind, sql in ASKED.items():
            cursor.execute(sql)
            schema |= {(kind, name): [said] for name, said in cursor.fetchall()}
    return schema
