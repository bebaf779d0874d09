"""The version of the service; between releases that of the next one, as PEP 440 orders it."""

VERSION = "0.2.0.dev0"
