from importlib import import_module

Migration = import_module("ledger.migrations.0002_disposable_books").Migration
