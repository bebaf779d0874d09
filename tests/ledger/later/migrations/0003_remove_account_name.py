from importlib import import_module

Migration = import_module("ledger.migrations.0003_remove_account_name").Migration
