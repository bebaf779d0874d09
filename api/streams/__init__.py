"""Feeds that are told as they grow, by Server-Sent Events; the process that does is of `config`."""
