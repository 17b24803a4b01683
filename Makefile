# Every command of the project. `make help` lists them.
#
# A fresh machine needs make and Python 3.11 or newer. The first command makes a virtual environment from the locked
# requirements. After that only these commands need a network: `bot`, `lock`, `sam-*`, `checkov`, `ci`, and the commands
# that build the bundle (`build`, `test-cloud` and `bench`).

PYTHON ?= python3
# Another interpreter gets its own environment: `make test PYTHON=python3.13`. A path works too.
VENV ?= $(if $(filter python3,$(PYTHON)),.venv,.venv-$(notdir $(PYTHON)))
JOBS ?= 2
SEEDS ?= 200
UPDATES ?= 10000
ARGS ?=

PY := $(VENV)/bin/python
# There are two locks: one for playing, and one for playing, testing and checking. Each has a stamp file with the lock's
# checksum in its name. So a changed lock is installed again, but one that was only touched is not.
lock_id = $(firstword $(shell cksum < $(1)))
PLAYABLE := $(VENV)/.installed-play-$(call lock_id,requirements/play.txt)
INSTALLED := $(VENV)/.installed-$(call lock_id,requirements/dev.txt)
# The locks are complete, so pip does not need to resolve anything (with extras and hashes it would do so wrongly).
PIP_INSTALL = -m pip install --no-deps --quiet --disable-pip-version-check --no-input --require-hashes

# aws-sam-cli pins many of the libraries that we use, so it has its own environment.
SAM_VENV := .venv-sam
SAM := $(SAM_VENV)/bin/sam
SAM_INSTALLED := $(SAM_VENV)/.installed-$(call lock_id,requirements/sam.txt)
export SAM_CLI_TELEMETRY := 0

.DEFAULT_GOAL := help
.PHONY: help install play bot bot-install game test test-browser screenshots test-cloud detectors thorough coverage check release-check format bench duels faults fuzz crowd storm mutants \
	sam-install sam-validate checkov build cloud-tests lock clean ci

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'

$(PY):
	@python="$(PYTHON)"; \
		case "$$python" in python3.*) python=$$(scripts/find-python "$${python#python}") || exit 1;; esac; \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
			echo "$$python is missing or older than 3.11. Name another: make PYTHON=python3.13"; exit 1; }; \
		made=$$(test -e $(VENV) || echo $(VENV)); \
		"$$python" -m venv $(VENV) || { rm -rf $$made; \
			echo "$$python cannot make a virtual environment (Debian: apt-get install python3-venv)"; exit 1; }

$(PLAYABLE): | $(PY) requirements/play.txt
	@echo "Installing what playing needs into $(VENV) (once for each lock) ..."
	@$(PY) $(PIP_INSTALL) -r requirements/play.txt
	@rm -f $(VENV)/.installed-play-* && touch $@

$(INSTALLED): | $(PY) requirements/dev.txt
	@echo "Installing into $(VENV) (once for each lock) ..."
	@$(PY) $(PIP_INSTALL) -r requirements/dev.txt
	@rm -f $(VENV)/.installed-* && touch $(PLAYABLE) $@

install: $(INSTALLED) ## make the virtual environment with everything, and do nothing else

play: $(PLAYABLE) ## play on this machine: start the sandbox and print its address
	@$(PY) -m sandbox play $(ARGS)

bot: $(PLAYABLE) ## run a real bot on this machine by long polling (BOT_TOKEN in the environment)
	@$(PY) scripts/catalogues.py && $(PY) -m local $(ARGS)

bot-install: $(PLAYABLE) ## install only what `make bot` needs, for a service (docs/operating.md, At home)
	@$(PY) scripts/catalogues.py

game: $(INSTALLED) ## play one whole game without a page: make game ARGS="--players 7 --seed 1"
	@$(PY) -m sandbox game $(ARGS)

test: $(INSTALLED) ## run the tests, offline, in under five minutes (another interpreter: PYTHON=python3.13)
	@$(PY) -m pytest -q -n $(JOBS) $(ARGS)

test-browser: $(INSTALLED) ## test the page in headless Chromium
	@$(PY) -m pytest -q -n $(JOBS) -m browser tests/browser $(ARGS)

screenshots: $(INSTALLED) ## take the pictures in docs/screenshots/ again, by playing on the page
	@SCREENSHOTS=docs/screenshots $(PY) -m pytest -q -m browser tests/browser/test_screenshots.py \
		tests/browser/test_gallery.py $(ARGS)

test-cloud: $(SAM_INSTALLED) ## test the bundle under the real Lambda runtime interface (needs python3.13)
	@$(MAKE) --no-print-directory cloud-tests PYTHON="$$(scripts/find-python 3.13)"

cloud-tests: $(INSTALLED)
	@$(PY) -m pytest -q -m cloud tests/cloud $(ARGS)

detectors: $(INSTALLED) ## break the bot on purpose in every way that the simulators must notice
	@$(PY) -m pytest -q -n $(JOBS) -m detector tests $(ARGS)

thorough: $(INSTALLED) ## run the tests, and those that take long as well
	@LEAKS=4 COMPUTER_LEAKS=6 $(PY) -m pytest -q -n $(JOBS) -m 'not cloud and not browser and not detector' --timeout 900 $(ARGS)

coverage: $(INSTALLED) ## run the tests; fail under 100 % of the engine's branches, 97 % of all
	@$(PY) -m coverage erase
	@$(PY) -m pytest -q -n $(JOBS) --cov --cov-report= $(ARGS)
	@$(PY) -m coverage report --include='engine/*' --fail-under=100
	@$(PY) -m coverage report --precision=2 --fail-under=97

check: $(INSTALLED) ## check lint, format, types, and imports between the packages
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check --quiet . || { $(PY) -m ruff format --check .; exit 1; }
	@$(PY) scripts/style.py
	@$(PY) -m mypy $(wildcard ai bot engine handlers infra local operate sandbox scripts) tests
	@$(VENV)/bin/lint-imports --no-logo
	@$(PY) -m tests.rules_map >/dev/null # fails for a rule without a test, or a test without a rule
	@$(PY) scripts/catalogues.py --missing >/dev/null || { echo "warning: these texts are shown in English:"; $(PY) scripts/catalogues.py --missing | grep -v ": 0 missing"; }

release-check: check ## check what only a release must pass: texts of all languages, figures, changelog, a clone
	@$(PY) scripts/catalogues.py --missing
	@$(PY) scripts/release.py

format: $(INSTALLED) ## format the code
	@$(PY) -m ruff check --fix --quiet . || true
	@$(PY) -m ruff format .

duels: $(INSTALLED) ## let levels of computers play each other, and write docs/computers.md: make duels ARGS="--games 3000"
	@$(PY) -m sandbox duels $(ARGS)

bench: $(INSTALLED) ## measure and write docs/measurements.md
	@$(PY) -m sandbox bench $(ARGS)

faults: $(INSTALLED) ## play whole games while requests fail and processes die: SEEDS=200, or a range SEEDS=700:900
	@$(PY) -m sandbox faults --seeds $(SEEDS) $(ARGS)

fuzz: $(INSTALLED) ## send updates of every kind, odd and broken: UPDATES=100000, or a range UPDATES=40000:100000
	@$(PY) -m tests.fuzz $(UPDATES) $(ARGS)

storm: $(INSTALLED) ## play many games at once on one bot, in virtual time (ten minutes): make storm ARGS="--rooms 400"
	@$(PY) -m sandbox storm $(ARGS)

crowd: $(INSTALLED) ## play 200 rooms at once against a local DynamoDB
	@$(PY) -m sandbox crowd $(ARGS)

# --- the cloud ------------------------------------------------------------------------------------------------

$(SAM_INSTALLED): | requirements/sam.txt
	@test -x $(SAM_VENV)/bin/python || $(PYTHON) -m venv $(SAM_VENV)
	@echo "Installing the SAM command line into $(SAM_VENV) ..."
	@$(SAM_VENV)/bin/python $(PIP_INSTALL) -r requirements/sam.txt
	@rm -f $(SAM_VENV)/.installed-* && touch $@

sam-install: $(SAM_INSTALLED)

sam-validate: $(SAM_INSTALLED) $(INSTALLED) ## check template.yaml
	@AWS_DEFAULT_REGION=$${AWS_DEFAULT_REGION:-eu-central-1} $(SAM) validate --lint --template template.yaml
	@$(VENV)/bin/cfn-lint template.yaml # its rules are newer than those in aws-sam-cli's environment

CHECKOV_VENV := .venv-checkov
CHECKOV_INSTALLED := $(CHECKOV_VENV)/.installed-$(call lock_id,requirements/checkov.txt)

$(CHECKOV_INSTALLED): | requirements/checkov.txt
	@test -x $(CHECKOV_VENV)/bin/python || $(PYTHON) -m venv $(CHECKOV_VENV)
	@echo "Installing checkov into $(CHECKOV_VENV) ..."
	@$(CHECKOV_VENV)/bin/python $(PIP_INSTALL) -r requirements/checkov.txt
	@rm -f $(CHECKOV_VENV)/.installed-* && touch $@

checkov: $(CHECKOV_INSTALLED) $(INSTALLED) ## check the security of the expanded template; exceptions are in .checkov.yaml
	@mkdir -p .build && $(PY) -m scripts.expanded >.build/expanded.json
	@$(CHECKOV_VENV)/bin/checkov --config-file .checkov.yaml --skip-download --file .build/expanded.json

MUTANTS_VENV := .venv-mutants
MUTANTS_INSTALLED := $(MUTANTS_VENV)/.installed-$(call lock_id,requirements/mutants.txt)

$(MUTANTS_INSTALLED): | requirements/mutants.txt
	@test -x $(MUTANTS_VENV)/bin/python || $(PYTHON) -m venv $(MUTANTS_VENV)
	@echo "Installing mutmut into $(MUTANTS_VENV) ..."
	@$(MUTANTS_VENV)/bin/python $(PIP_INSTALL) -r requirements/mutants.txt
	@rm -f $(MUTANTS_VENV)/.installed-* && touch $@

mutants: $(MUTANTS_INSTALLED) ## count how many of 600 small changes the tests notice, into docs/measurements.md (ten minutes)
	@$(MUTANTS_VENV)/bin/python scripts/catalogues.py
	@$(MUTANTS_VENV)/bin/python -m tests.mutants $(ARGS)

build: $(SAM_INSTALLED) ## build what `sam deploy` ships, in .aws-sam/build (see scripts/lambda/Makefile)
	@$(SAM) build

# --- upkeep ---------------------------------------------------------------------------------------------------

UV := .venv-lock/bin/uv
UV_COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" $(ARGS)

.venv-lock/bin/uv:
	@$(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet uv

lock: .venv-lock/bin/uv ## resolve requirements/*.in (newer versions: ARGS=--upgrade)
	@$(UV_COMPILE) requirements/dev.in -o requirements/dev.txt
	@$(UV_COMPILE) requirements/play.in --constraint requirements/dev.txt -o requirements/play.txt
	@$(UV_COMPILE) requirements/runtime.in --constraint requirements/dev.txt -o requirements/runtime.txt
	@$(UV_COMPILE) requirements/sam.in -o requirements/sam.txt
	@$(UV_COMPILE) requirements/checkov.in -o requirements/checkov.txt
	@$(UV_COMPILE) requirements/mutants.in --constraint requirements/dev.txt -o requirements/mutants.txt

clean: ## remove all files that commands made, but not the environments
	@rm -rf .aws-sam .build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache htmlcov .coverage .coverage.*
	@find ai bot engine handlers infra local operate sandbox tests scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

ci: ## run everything that a change must pass
	@.ci/run
