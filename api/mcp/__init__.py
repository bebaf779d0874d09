"""The league by the Model Context Protocol: what an assistant may ask, over stdio and HTTP.

Each tool asks what an address of the API asks, for a bearer who reads one league. Nothing here
imports the SDK but what `extra` says may be imported: it is an extra.
"""
