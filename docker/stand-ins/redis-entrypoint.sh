#!/bin/sh
# The features of the Redis image that compose.yaml relies on: run as the user redis in /data.
set -eu
cd /data
if [ "$1" = redis-server ]; then
	chown redis /data
	exec setpriv --reuid redis --regid redis --init-groups "$@"
fi
exec "$@"
