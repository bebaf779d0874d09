"""The Redis cache of the settings under test."""

from config.data import redis_cache


class RedisCache(redis_cache.RedisCache):
    def clear(self) -> None:
        """Delete the keys of this run only.

        Django's method empties the database, including queues.
        """
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
