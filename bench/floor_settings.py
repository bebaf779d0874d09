"""The service's settings, with the URLs of the floors."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.floor_urls"
