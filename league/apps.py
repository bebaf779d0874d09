"""The Django app config. After each migration, it reinstalls the triggers that protect rows."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league.integrity import triggers  # noqa: PLC0415 (needs loaded models)
        from league.proofs import signing  # noqa: PLC0415
        from league.sign_in import activity  # noqa: F401, PLC0415 (connects its receivers)
        from ledger import guards  # noqa: PLC0415

        pre_migrate.connect(triggers.remove_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        post_migrate.connect(signing.sign_after_migrate, sender=self)
        guards.REGISTERED.append(triggers.league())
