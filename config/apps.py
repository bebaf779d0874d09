from django.apps import AppConfig


class ServiceConfig(AppConfig):
    """Registers the `serve` command and the housekeeping tasks with Django and Celery."""

    name = "config"
