# Requires Python 3.11 or newer with venv (on Debian: python3-venv), make and git.

HOST ?= 127.0.0.1
PORT ?= 8000

# The first Python that is new enough and can create virtual environments.
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

run: .venv/ready-base ## Start the service (on HOST and PORT)
	@STATIC_ROOT="$${STATIC_ROOT:-$${DATA_DIR:-var}/static}" \
		$(BIN)/python manage.py serve --prepare --host $(HOST) --port $(PORT)

demo: .venv/ready-base ## Add a league with a closed night and an open night
	@$(BIN)/python manage.py migrate --no-input --verbosity 0
	@$(BIN)/python manage.py demo --before 24 --port $(PORT)

test: .venv/ready-test ## Run the tests, except browser tests
	@$(BIN)/python -m pytest

# The tests that fail most often, without tests that start processes, and with few random examples.
QUICK := tests/rules tests/catalog tests/ledger tests/league/recording tests/test_architecture.py
test-quick: .venv/ready-test ## Run the most useful tests in under a minute
	@HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -m 'not slow and not scheduled' $(QUICK)

# tests/helpers/stages.py sets the markers. The rules engine uses no database.
# SERVERS='database or writes' also runs the nightly tests.
SERVERS ?= database and not scheduled
NO_DATABASE := tests/catalog tests/laws tests/rules
test-servers: .venv/ready-test ## Run the tests that depend on the database (DATABASE_URL and REDIS_URL)
	@$(BIN)/python -m pytest -m '$(SERVERS)' $(addprefix --ignore=,$(NO_DATABASE))

test-long: .venv/ready-test ## Run the long versions of tests: all games, ten times as many examples (half an hour)
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest --timeout 3600 -m '(scheduled or hypothesis) and not browser'

# Pages wait for timers and the server, so three workers keep two cores busy.
# PAGES=browser also runs the scheduled tests and takes the pictures.
PAGES ?= browser and not pictures and not scheduled
test-browser: .venv/ready-browser ## Run the browser tests (needs chromium-headless-shell or chromium)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true $(BIN)/python -m pytest -m '$(PAGES)' --numprocesses 3 tests/browser

# One process, because each one generates the requests of all operations first.
test-api: .venv/ready-browser ## Send random valid and invalid requests to the API (API_EXAMPLES each, one in API_SHARE)
	@$(BIN)/python -m pytest -m fuzz --numprocesses 0 tests/fuzz

test-clients: .venv/ready-clients .venv/ready-browser ## Generate API clients from the schema and a page from the feeds (requires node, npm and chromium)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true $(BIN)/python -m pytest -m clients --numprocesses 2 tests/clients
	@$(BIN)/python -m tests.helpers.api.schema_digest

# The tests compare the recorded examples before they write them, so the first run may fail.
EXAMPLES := tests/api/http/test_examples.py tests/api/openapi/test_webhooks.py
examples: .venv/ready-test ## Record the example requests and responses in the API's schema again
	-@WRITE_EXAMPLES=1 $(BIN)/python -m pytest --numprocesses 0 $(EXAMPLES)
	@$(BIN)/python -m pytest --numprocesses 0 $(EXAMPLES)

# WHICH=faults also runs the scheduled tests.
WHICH ?= faults and not scheduled
test-faults: .venv/ready-test ## Kill web, worker, PostgreSQL and Redis, and check that nothing is lost
	@$(BIN)/python -m pytest -m '$(WHICH)' --numprocesses 2 --dist loadfile tests/faults

simulate: .venv/ready-test ## Simulate evenings with failures (one with SEED=, or for SECONDS=; also DATABASE_URL)
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED)) $(if $(FIRST),--first $(FIRST)) $(if $(SECONDS),--seconds $(SECONDS))

fuzz: .venv/ready-test ## Feed corrupt input to all parsers (READER_SECONDS each, 60 by default)
	@$(BIN)/python -m pytest -m readers tests/readers

wheel: .venv/bin/python ## Build the package in dist/
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@rm -rf build *.egg-info
	@ls dist/*.whl

# The list is generated from an installed wheel, so it includes the dependencies of packages.
SBOM ?= dist/dealers-choice.cdx.json
sbom: wheel .venv/ready-sbom ## List the wheel and its dependencies (CycloneDX) in SBOM
	@$(PYTHON) -m venv --clear .venv/inside
	@.venv/inside/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	@.venv/inside/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	@.venv/inside/bin/python -m pip uninstall --quiet --yes pip setuptools 2>/dev/null
	@.venv/sbom/bin/cyclonedx-py environment --short-PURLs --output-reproducible --of JSON -o $(SBOM) .venv/inside/bin/python

release-file: .venv/ready-test ## Store a backup of this version, which later versions must be able to restore
	@$(BIN)/python -m tests.helpers.config.release_file

try-stack: ## Start all services of compose.yaml from scratch (requires root on Debian, takes ten minutes)
	@docker/try-stack

pictures: .venv/ready-browser ## Take the pictures of the start page and documentation (also needs node and npm)
	@DJANGO_ALLOW_ASYNC_UNSAFE=true PICTURES=docs/pictures LANDING=league/static/league/landing \
		$(BIN)/python -m pytest -m pictures --numprocesses 1 tests/browser
	@PICTURES=docs/pictures $(BIN)/python -m pytest -m "" --numprocesses 0 tests/docs/test_notebook.py
	@DJANGO_ALLOW_ASYNC_UNSAFE=true PICTURES=docs/pictures \
		$(BIN)/python -m pytest -m clients --numprocesses 0 tests/clients/test_dashboard.py

# Each tool is a target, so that two run at the same time, the slowest first.
CHECKS := types style templates security imports migrations names format image
check: .venv/ready-test ## Check format, style, types, imports, migrations and the image
	@$(MAKE) --no-print-directory --jobs 2 --keep-going \
		$(if $(filter output-sync,$(.FEATURES)),--output-sync) $(CHECKS:%=check-%)

check-types:
	$(BIN)/mypy
check-style:
	$(BIN)/ruff check .
check-templates:
	$(BIN)/djlint --quiet --check templates league/static/league/verify.html
	$(BIN)/djlint --quiet --lint templates league/static/league/verify.html
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
		else echo "hadolint did NOT run: it is unavailable for this machine."; fi

format: .venv/ready-test ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djlint --quiet --reformat templates league/static/league/verify.html

# The lock files contain hashes for all platforms. They are resolved in a separate environment.
COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: .venv/ready-lock ## Write the lock files from requirements/*.in (UPGRADE=--upgrade for new versions)
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) requirements/base.in -o requirements/base.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/data.in -o requirements/data.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/mcp.in -o requirements/mcp.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/base.txt requirements/test.in -o requirements/test.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/browser.in -o requirements/browser.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/bench.in -o requirements/bench.txt
	.venv/lock/bin/uv $(COMPILE) $(UPGRADE) -c requirements/test.txt requirements/clients.in -o requirements/clients.txt

bench: .venv/ready-bench ## Measure the speed, compared with other libraries; writes docs/performance.md
	@$(BIN)/python -m bench --write

clean: ## Delete the environment and the caches, but not the data in var/
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

# The npm lock file contains a hash of each package, too.
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
