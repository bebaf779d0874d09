-- Two roles beside the server's own superuser: one that owns what the service keeps, and makes and
-- changes tables; one for the service itself, which reads and writes rows and can do no more. So
-- nobody who gets into a web process takes away a trigger, a table or a whole closed night.
--
-- The image of PostgreSQL runs this once, when its volume is new. To run it again, which does no
-- harm, and makes an older database over to the owner:
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

-- What an older installation has made as another role.
SELECT format('ALTER TABLE %s OWNER TO league_owner', oid::regclass) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') \gexec
SELECT format('ALTER FUNCTION %s OWNER TO league_owner', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace \gexec
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO league_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO league_service;

-- What migrations will make.
ALTER DEFAULT PRIVILEGES FOR ROLE league_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO league_service;
ALTER DEFAULT PRIVILEGES FOR ROLE league_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO league_service;
