"""The Redis cache in the settings being tested."""

from django.core.cache.backends import redis


class RedisCache(redis.RedisCache):
    def clear(self) -> None:
        """Delete only this run's keys.

        Django's method empties the database, including the queues.
        """
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
