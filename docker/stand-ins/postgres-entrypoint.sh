#!/bin/sh
# The features of the PostgreSQL image that compose.yaml relies on: in a new volume, create the user
# and the database, and run the files in /docker-entrypoint-initdb.d.
set -eu
bin=$(echo /usr/lib/postgresql/*/bin) data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
install -d -o postgres -g postgres -m 0700 "$data" /run/postgresql
if [ ! -s "$data/PG_VERSION" ]; then
	printf %s "$POSTGRES_PASSWORD" >/tmp/password && chown postgres /tmp/password
	as_postgres "$bin/initdb" -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 \
		-E UTF8 --locale C.UTF-8 >/dev/null
	rm /tmp/password
	echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
	sed -i 's/^local all all .*/local all all trust/; s/^local  *all  *all .*/local all all trust/' "$data/pg_hba.conf"
	as_postgres "$bin/pg_ctl" -D "$data" -w -o "-c listen_addresses=''" start >/dev/null
	[ "$POSTGRES_DB" = postgres ] || as_postgres createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
	for file in /docker-entrypoint-initdb.d/*.sql; do
		as_postgres psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v ON_ERROR_STOP=1 -f "$file"
	done
	as_postgres "$bin/pg_ctl" -D "$data" -w stop >/dev/null
fi
exec setpriv --reuid postgres --regid postgres --init-groups "$bin/postgres" -D "$data" -c 'listen_addresses=*'
