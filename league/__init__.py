# Between releases, the version is a development version of the next release (PEP 440).
VERSION = "0.2.0.dev0"
