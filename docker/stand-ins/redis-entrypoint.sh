#!/bin/sh
# What of the image of Redis compose.yaml relies on: as the user redis, in a folder of its own.
set -eu
cd /data
if [ "$1" = redis-server ]; then
	chown redis /data
	exec setpriv --reuid redis --regid redis --init-groups "$@"
fi
exec "$@"
