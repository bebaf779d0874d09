"""Unused names, found by vulture.

A name also counts as used if a template or a string contains it, because Django finds views, fields
and settings by name. IGNORED lists names that other frameworks look up.
"""

import ast
import re
import sys
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[1]
PACKAGES = ["config", "api", "league", "ledger", "rules"]
EXCLUDED = ["*/migrations/*"]
SETTINGS = "config/settings.py"
WORD = re.compile(r"[A-Za-z_]\w*")
TAG = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
# A name, a dotted path or the fields of an ordering, but not a sentence.
NAMES = re.compile(r"-?[A-Za-z_][\w.:]*")
IGNORED = [
    # Django: models, forms, views, commands, routers, expressions and middleware
    "Meta", "abstract", "app_name", "handler500", "default_auto_field", "indexes", "ordering",
    "help", "add_arguments", "help_text*", "verbose_name*", "template_name*", "form_class",
    "field_order", "default_error_messages", "max_post_process_passes",
    "clean_*", "get_*", "label_from_instance", "output_field", "as_sqlite", "as_postgresql",
    "allow_*", "db_for_*", "extra_data", "prepare_value", "process_view", "regex", "adding", "cls",
    # Django REST framework, its filters and its schema
    "*_class", "*_classes", "*_fields", "filter_backends", "throttle_scope", "default_code",
    "to_representation", "to_internal_value", "validate", "validate_*", "default_detail",
    "has_permission", "authenticate*", "select_*", "page_size_query_param", "filter_queryset",
    "format_suffix", "parser_context", "accepted_*", "url_name", "auto_schema", "schemas",
    "*Scheme", "paginate_*", "permission_denied",
    # allauth's adapters and views
    "pre_*", "populate_user", "send_mail", "send_notification_mail", "on_authentication_error",
    "generate_authenticator_name", "email_addresses", "max_redirects", "socialaccount",
    "authentication_failed", "is_reauthentication_required", "form_invalid", "http_method_names",
    "pk_url_kwarg",
    # asyncio calls `accept` on a listening socket; http.client exposes a connection's `sock`
    "accept", "sock",
    # Celery: `requires` lists the steps that a worker's bootstep depends on
    "requires",
    # pydantic, which the MCP SDK uses for tools
    "model_config", "field_title_should_be_set",
    # http.server, in the documented webhook receiver
    "do_POST",
    # Python's logging looks up `observability.logs.Plain` by a computed name
    "Plain",
    # serializer fields that are declared but not listed by name in `fields`
    "charge_cash_difference_to", "charge_difference_to", "closed_at", "counted_nights",
    "duration_seconds", "explanations",
    "group_by", "has_seat", "mark_paid", "requirement", "rsvp", "unclaimed_pots", "unexplained",
    # the API returns every field of the classes in `figures`
    "streak",
    # used by tests: documented examples, clearing caches, adding members to a league
    "meaning", "clear_checks", "add_member",
    # marks deprecated operations; no operation is deprecated yet
    "deprecated",
]  # fmt: skip
DECORATORS = ["@shared_task", "@receiver", "@register.*", "@extend_schema*", "@pytest.fixture"]


def main() -> int:
    """Print the dead names of the packages, and return how many there are."""
    vulture = Vulture(ignore_names=IGNORED, ignore_decorators=DECORATORS)
    paths = [str(ROOT / name) for name in PACKAGES]
    vulture.scavenge(paths, exclude=EXCLUDED)
    vulture.used_names.update(words_of_templates(), words_of_strings())
    dead = [
        item
        for item in vulture.get_unused_code(min_confidence=60)
        if (path := item.filename.relative_to(ROOT)).parts[0] in PACKAGES and str(path) != SETTINGS
    ]
    for item in dead:
        sys.stdout.write(item.get_report().replace(f"{ROOT}/", "") + "\n")
    return len(dead)


def words_of_templates() -> set[str]:
    """Return the words in template tags, which refer to attributes by name."""
    return {
        word
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
        for tag in TAG.findall(path.read_text("utf-8"))
        for word in WORD.findall(tag)
    }


def words_of_strings() -> set[str]:
    """Return the words in strings that are names: paths of functions, fields and attributes."""
    return {
        word
        for name in PACKAGES
        for path in (ROOT / name).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and NAMES.fullmatch(str(node.value))
        for word in WORD.findall(str(node.value))
    }


if __name__ == "__main__":
    sys.exit(min(main(), 1))
