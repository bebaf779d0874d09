from django.apps import AppConfig


class ServiceConfig(AppConfig):
    """Makes `serve` and the housekeeping tasks known to Django and Celery."""

    name = "config"
