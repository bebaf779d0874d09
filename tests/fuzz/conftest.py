"""The league that is asked about is that of the tests of the API."""

from tests.api.conftest import world as world  # noqa: PLC0414 (pytest finds it by its name here)
