"""`manage.py collectstatic`: but for what no page of ours asks for."""

from typing import Any

from django.contrib.staticfiles.management.commands import collectstatic

# Most of what there would be to compress: the browsable API, another reader of schemas, and the
# parts of Swagger for other builds.
UNUSED = ("rest_framework", "redoc", "swagger-ui-es-*", "swagger-ui.js", "swagger-ui.js.map")


class Command(collectstatic.Command):
    def set_options(self, **options: Any) -> None:
        super().set_options(**options)
        self.ignore_patterns = [*self.ignore_patterns, *UNUSED]
