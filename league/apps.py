"""The league as a Django app: what is said of an evening is guarded after every migrate."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league.integrity import triggers  # noqa: PLC0415 (they want the models, ready by now)
        from league.proofs import signing  # noqa: PLC0415
        from league.sign_in import activity  # noqa: F401, PLC0415 (connects its receivers)
        from ledger import guards  # noqa: PLC0415

        pre_migrate.connect(triggers.lift_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        post_migrate.connect(signing.sign_after_migrate, sender=self)
        guards.REGISTERED.append(triggers.league())
