"""The cache in Redis. The Redis server itself is tested only if REDIS_URL is set."""

import pytest
import redis

from config.data.redis_cache import RedisCache

NOBODY = "redis://127.0.0.1:1/0"


def test_all_commands_of_a_cache_share_one_client() -> None:
    clients = RedisCache(NOBODY, {})._cache
    assert clients.get_client() is clients.get_client("key", write=True)


def test_each_cache_has_its_own_client() -> None:
    one, other = RedisCache(NOBODY, {}), RedisCache(NOBODY, {})
    assert one._cache.get_client() is not other._cache.get_client()


def test_unavailable_redis_server_raises_a_connection_error() -> None:
    with pytest.raises(redis.ConnectionError):
        RedisCache(NOBODY, {}).get("key")
