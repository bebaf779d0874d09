"""The ledger's app configuration. It installs the guards after every migration and checks them."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ledger import guards, triggers  # noqa: PLC0415 (they import the models, which are ready now)

        # docs/decisions/0003-ledger.md explains why triggers are installed by signals.
        pre_migrate.connect(triggers.remove_before_migrate, sender=self)
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        guards.REGISTERED.append(triggers.GUARDS)
        register(triggers.check_guards, Tags.database)
