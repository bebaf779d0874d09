"""The Redis cache of the settings being tested."""

from config.data import redis_cache


class RedisCache(redis_cache.RedisCache):
    def clear(self) -> None:
        """Delete only the keys of this run.

        Django's method empties the database, including the queues.
        """
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
