"""`manage.py collectstatic` without the files that this service does not use."""

from typing import Any

from django.contrib.staticfiles.management.commands import collectstatic

# These make up most of the files that would be compressed: the browsable API, another schema
# viewer, and the parts of Swagger for other builds.
UNUSED = ("rest_framework", "redoc", "swagger-ui-es-*", "swagger-ui.js", "swagger-ui.js.map")


class Command(collectstatic.Command):
    def set_options(self, **options: Any) -> None:
        super().set_options(**options)
        self.ignore_patterns = [*self.ignore_patterns, *UNUSED]
