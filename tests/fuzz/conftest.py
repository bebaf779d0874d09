"""The fuzz tests use the sample league of the API tests."""

from tests.api.conftest import world as world  # noqa: PLC0414 (pytest finds it by its name here)
