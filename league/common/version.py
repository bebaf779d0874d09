"""Which version of the service this is: the only place that says so."""

VERSION = "0.1.0"
