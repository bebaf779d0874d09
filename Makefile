# Everything a fresh machine needs is Python 3.11 or newer with venv (on Debian python3-venv), make and git.

HOST ?= 127.0.0.1
PORT ?= 8000

# The first Python that is new enough and can make a virtual environment.
CANDIDATES := python3.11 python3 python3.12 python3.13 python3.14 python
PYTHON ?= $(shell for name in $(CANDIDATES); do \
	$$name -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$name && break; done)

BIN := .venv/bin
# Modules are compiled when they are first imported, which halves the time of an installation.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes

.DEFAULT_GOAL := help
.PHONY: help run demo test test-quick test-servers test-long test-browser test-api test-clients examples test-faults simulate fuzz check format \
	lock wheel sbom release-file try-stack pictures bench clean
.PHONY: check-types check-style check-templates check-security check-imports check-migrations check-names check-format check-image

help: ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/ready-base ## Start the service (HOST and PORT say where)
	@STATIC_ROOT="$${STATIC_ROOT:-$${DATA_DIR:-var}/static}" \
		$(BIN)/python manage.py serve --prepare --host $(HOST) --port $(PORT)

demo: .venv/ready-base ## Fill a league with a night of last week and one that is on
	@$(BIN)/python manage.py migrate --no-input --verbosity 0
	@$(BIN)/python manage.py demo --before 24 --port $(PORT)

test: .venv/ready-test ## Run the tests (all but the browser's)
	@$(BIN)/python -m pytest

# What goes wrong most where it is changed, without what waits for processes; laws try a few examples.
QUICK := tests/rules tests/catalog tests/ledger tests/league/recording tests/test_architecture.py
test-quick: .venv/ready-test ## Run what tells most in under a minute
	@HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -m 'not slow and not scheduled' $(QUICK)

# The marks are set by tests/helpers/stages.py. The engine knows no database.
# SERVERS='database or writes' runs those of the night too.
SERVERS ?= database and not scheduled
NO_DATABASE := tests/catalog tests/laws tests/rules
test-servers: .venv/ready-test ## Run the tests that depend on the database (DATABASE_URL and REDIS_URL)
	@$(BIN)/python -m pytest -m '$(SERVERS)' $(addprefix --ignore=,$(NO_DATABASE))

test-long: .venv/ready-test ## Run the long forms: every game, ten times as many examples (half an hour)
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest --timeout 3600 -m '(scheduled or hypothesis) and not browser'

# Pages wait for timers and the server, so three workers keep two cores busy.
# PAGES=browser runs the scheduled ones and the pictures too.
PAGES ?= browser and not pictures and not scheduled
test-browser: .venv/ready-browser ## Run the browser tests (needs chromium-headless-shell or chromium)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true $(BIN)/python -m pytest -m '$(PAGES)' --numprocesses 3 tests/browser

# One process, because each one generates the requests of all operations first.
test-api: .venv/ready-browser ## Ask the API whatever its schema allows, and what it doesn't (API_EXAMPLES each, one in API_SHARE)
	@$(BIN)/python -m pytest -m fuzz --numprocesses 0 tests/fuzz

test-clients: .venv/ready-clients .venv/ready-browser ## Make clients of the schema and a page of the feeds (wants node, npm and chromium)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true $(BIN)/python -m pytest -m clients --numprocesses 2 tests/clients
	@$(BIN)/python -m tests.helpers.api.schema_digest

# What is shown is read before it is written anew, so the first run may fail; the second one may not.
EXAMPLES := tests/api/http/test_examples.py tests/api/openapi/test_webhooks.py
examples: .venv/ready-test ## Record anew the exchanges that the API's schema shows
	-@WRITE_EXAMPLES=1 $(BIN)/python -m pytest --numprocesses 0 $(EXAMPLES)
	@$(BIN)/python -m pytest --numprocesses 0 $(EXAMPLES)

# WHICH=faults runs the scheduled ones too.
WHICH ?= faults and not scheduled
test-faults: .venv/ready-test ## Kill web, worker, PostgreSQL and Redis, and count what is lost
	@$(BIN)/python -m pytest -m '$(WHICH)' --numprocesses 2 --dist loadfile tests/faults

simulate: .venv/ready-test ## Play evenings of failures (SEED= for one, else for SECONDS=; also DATABASE_URL)
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED)) $(if $(FIRST),--first $(FIRST)) $(if $(SECONDS),--seconds $(SECONDS))

fuzz: .venv/ready-test ## Feed the readers spoilt texts (READER_SECONDS each, a minute unless told)
	@$(BIN)/python -m pytest -m readers tests/readers

wheel: .venv/bin/python ## Put the package into dist/
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@rm -rf build *.egg-info
	@ls dist/*.whl

# Looked at where it is installed, so that what needs what is in it too.
SBOM ?= dist/dealers-choice.cdx.json
sbom: wheel .venv/ready-sbom ## List what the wheel brings along (CycloneDX), into SBOM
	@$(PYTHON) -m venv --clear .venv/inside
	@.venv/inside/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	@.venv/inside/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	@.venv/inside/bin/python -m pip uninstall --quiet --yes pip setuptools 2>/dev/null
	@.venv/sbom/bin/cyclonedx-py environment --short-PURLs --output-reproducible --of JSON -o $(SBOM) .venv/inside/bin/python

release-file: .venv/ready-test ## Keep a backup of this version for all later ones to read
	@$(BIN)/python -m tests.helpers.config.release_file

try-stack: ## Start all of compose.yaml from nothing (wants Debian, its root, ten minutes)
	@docker/try-stack

pictures: .venv/ready-browser ## Take the pictures of the start page and documentation (also needs node and npm)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true PICTURES=docs/pictures LANDING=league/static/league/landing \
		$(BIN)/python -m pytest -m pictures --numprocesses 1 tests/browser
	@PICTURES=docs/pictures $(BIN)/python -m pytest -m "" --numprocesses 0 tests/docs/test_notebook.py
	@DJANGO_ALLOW_ASYNC_UNSAFE=true PICTURES=docs/pictures \
		$(BIN)/python -m pytest -m clients --numprocesses 0 tests/clients/test_dashboard.py

# Each tool is a target, so that two of them run at the same time. The slowest one comes first.
CHECKS := types style templates security imports migrations names format image
check: .venv/ready-test ## Check format, style, types, imports, migrations and the image
	@$(MAKE) --no-print-directory --jobs 2 --keep-going \
		$(if $(filter output-sync,$(.FEATURES)),--output-sync) $(CHECKS:%=check-%)

check-types:
	$(BIN)/mypy
check-style:
	$(BIN)/ruff check .
check-templates:
	$(BIN)/djlint --quiet --check templates
	$(BIN)/djlint --quiet --lint templates
check-security:
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive config api league ledger rules
check-imports:
	$(BIN)/lint-imports
check-migrations:
	$(BIN)/python manage.py makemigrations --check --dry-run
check-names:
	$(BIN)/python .ci/dead_names.py
	$(BIN)/python .ci/plain_words.py
check-format:
	$(BIN)/ruff format --check .
check-image:
	@if [ -x $(BIN)/hadolint ]; then $(BIN)/hadolint docker/Dockerfile; \
		else echo "hadolint did NOT run: there is none for this machine."; fi

format: .venv/ready-test ## Put the code in its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djlint --quiet --reformat templates

# The locks hold hashes for every platform; a throwaway environment resolves them.
COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: .venv/ready-lock ## Resolve requirements/*.in into locks (UPGRADE=--upgrade for new versions)
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) requirements/base.in -o requirements/base.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/data.in -o requirements/data.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/mcp.in -o requirements/mcp.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/test.in -o requirements/test.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/browser.in -o requirements/browser.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/bench.in -o requirements/bench.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/clients.in -o requirements/clients.txt

bench: .venv/ready-bench ## Time us beside peers and floors; writes docs/performance.md
	@$(BIN)/python -m bench --write

clean: ## Remove the environment and the caches, never the data in var/
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with venv was not found. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/ready-base: requirements/base.txt | .venv/bin/python
	$(INSTALL) -r requirements/base.txt
	@touch $@

.venv/ready-test: requirements/test.txt | .venv/bin/python
	$(INSTALL) -r requirements/test.txt
	@touch $@

.venv/ready-browser: requirements/browser.txt .venv/ready-test
	$(INSTALL) -r requirements/browser.txt
	@touch $@

# Of npm's packages each has its hash in the lock as well.
.venv/ready-clients: requirements/clients.txt tests/clients/package-lock.json .venv/ready-test
	$(INSTALL) -r requirements/clients.txt
	@mkdir -p .venv/clients
	@cp tests/clients/package.json tests/clients/package-lock.json .venv/clients/
	@cd .venv/clients && npm ci --silent
	@touch $@

.venv/ready-bench: requirements/bench.txt .venv/ready-test
	$(INSTALL) -r requirements/bench.txt
	@touch $@

.venv/ready-sbom: | .venv/bin/python
	$(PYTHON) -m venv .venv/sbom
	.venv/sbom/bin/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom
	@touch $@

.venv/ready-lock: | .venv/bin/python
	$(PYTHON) -m venv .venv/lock
	.venv/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@
