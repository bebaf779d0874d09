"""The Model Context Protocol: read-only access to a league for assistants, over stdio and HTTP.

Each tool corresponds to a GET request to the API by a caller who can read one league. The SDK is
optional. Modules import it only after `extra` has confirmed that it is installed.
"""
