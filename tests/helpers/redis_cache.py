"""The cache of the settings under test, where it is Redis."""

from config.data import redis_cache


class RedisCache(redis_cache.RedisCache):
    def clear(self) -> None:
        """Delete what this run has kept: theirs empties the database, queues of others with it."""
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
