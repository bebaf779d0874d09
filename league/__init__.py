# Between releases the version of the next one, as PEP 440 orders it.
VERSION = "0.2.0.dev0"
