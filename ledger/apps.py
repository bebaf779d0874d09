"""The ledger as a Django app: its guards are set after every migrate, and checked."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ledger import checks, guards, triggers  # noqa: PLC0415 (they want the models, ready by now)

        # The style says no signals; docs/decisions/0003-ledger.md says why these two are.
        pre_migrate.connect(triggers.lift_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        guards.REGISTERED.append(triggers.LEDGER)
        register(checks.guards_stand, Tags.database)
