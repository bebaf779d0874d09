-- Create two roles in addition to the server's superuser. league_owner owns the tables and can
-- create and change them. league_service is for the service itself and can only read and write
-- rows. An attacker who controls a web process therefore can't remove triggers or tables.
--
-- The PostgreSQL image runs this file once, when its volume is new. It can be run again, for
-- example to transfer the tables of an older database to the owner:
--     docker compose -f docker/compose.yaml exec postgres \
--         sh -c 'psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f /docker-entrypoint-initdb.d/roles.sql'
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

SELECT format('CREATE ROLE %I', name) FROM (VALUES ('league_owner'), ('league_service')) AS role (name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE league_owner
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE league_service
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'service_password';

REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"DBNAME" TO league_owner, league_service;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO league_owner;
GRANT USAGE ON SCHEMA public TO league_service;

-- Transfer tables and functions that an older installation created with another role.
SELECT format('ALTER TABLE %s OWNER TO league_owner', oid::regclass) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') \gexec
SELECT format('ALTER FUNCTION %s OWNER TO league_owner', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace \gexec
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO league_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO league_service;

-- Privileges for tables and sequences that later migrations create.
ALTER DEFAULT PRIVILEGES FOR ROLE league_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO league_service;
ALTER DEFAULT PRIVILEGES FOR ROLE league_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO league_service;
