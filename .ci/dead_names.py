"""Names that nothing uses, as vulture finds them; what it can't see is told to it here.

A name is used as well where a tag of a template asks for it, or a string of ours names it:
so Django finds views, fields and settings. What else a framework looks for is in IGNORED.
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
# A name, a path of names, or fields in an order: no sentence.
NAMES = re.compile(r"-?[A-Za-z_][\w.:]*")
IGNORED = [
    # Django: models, forms, views, commands, routers, expressions and middleware
    "Meta", "abstract", "app_name", "handler500", "default_auto_field", "indexes", "ordering",
    "help", "add_arguments", "help_text*", "verbose_name*", "template_name*", "form_class",
    "field_order",
    "clean_*", "get_*", "label_from_instance", "output_field", "as_sqlite", "as_postgresql",
    "allow_*", "db_for_*", "extra_data", "prepare_value", "process_view", "regex", "adding",
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
    # asyncio calls `accept` of a socket that listens, http.client has a connection's `sock`
    "accept", "sock",
    # Celery: the steps that a step of a worker comes after
    "requires",
    # pydantic, which the SDK for assistants reads tools with
    "model_config", "field_title_should_be_set",
    # the receiver of webhooks that the documentation shows
    "do_POST",
    # Python's logging finds `observability.logs.Plain` by a name that is put together
    "Plain",
    # serializers: fields that are declared, and listed nowhere
    "closed_at", "explained", "has_seat", "level_left",
    # figures: the API tells every field of their classes
    "streak",
    # the ledger is whole, whatever this service asks of it
    "balance_at", "open_accounts",
    # for the tests: what the documentation shows, forgetting what was found, people in a league
    "meaning", "forget_checks", "add_member",
    # how an operation is declared to be one that will go; none is today
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
    """Return the words of the templates: what they ask of an object is in no Python."""
    return {
        word
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
        for tag in TAG.findall(path.read_text("utf-8"))
        for word in WORD.findall(tag)
    }


def words_of_strings() -> set[str]:
    """Return the words of strings that are names: paths of functions, fields and attributes."""
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
