"""The league as a Django app: what is said of an evening is guarded after every migrate."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league import seals  # noqa: PLC0415 (it wants the models, ready by now)
        from ledger import guards  # noqa: PLC0415

        post_migrate.connect(seals.install_after_migrate, sender=self)
        guards.REGISTERED.append(seals.league())
