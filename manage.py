#!/usr/bin/env python
import gc
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # What is loaded stays: to look through it over and over took a third of the start.
        # `config.server.preload` turns the collector on.
        gc.disable()
    execute_from_command_line(sys.argv)
