from importlib import import_module

Migration = import_module("ledger.migrations.0001_initial").Migration
