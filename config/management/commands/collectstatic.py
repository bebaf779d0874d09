"""`manage.py collectstatic` without the files that this service does not use."""

from typing import Any

from django.contrib.staticfiles.management.commands import collectstatic

# The browsable API, whose files would be most of the files to compress.
UNUSED = ("rest_framework",)


class Command(collectstatic.Command):
    def set_options(self, **options: Any) -> None:
        super().set_options(**options)
        self.ignore_patterns = [*self.ignore_patterns, *UNUSED]
