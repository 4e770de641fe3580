# The daily command is `make generate`; `make check` before every commit.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

ifeq ($(wildcard $(BIN)/specloom),)
$(shell rm -f $(READY))
endif

.PHONY: generate test check lint types snapshots bench corpus faults package clean

generate: $(READY) ## regenerate every client under generated/
	$(BIN)/specloom generate

test: $(READY) ## run the tests
	$(BIN)/pytest -n auto

check: lint types test ## everything that CI checks
	$(BIN)/specloom generate --check

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/black --check --quiet generated templates/runtime

types: $(READY)
	$(BIN)/mypy generator templates/runtime generated/openai-client/src
	$(BIN)/mypy tests
	$(BIN)/mypy generated/openai-client/tests
	$(BIN)/mypy generated/depot-client/tests
	$(BIN)/pyright --project pyproject.toml

snapshots: $(READY) ## rewrite the goldens of tests/cases, and what docs/ has of the code
	$(BIN)/pytest tests/test_cases.py -n auto --update -q
	$(BIN)/pytest tests/unit/test_inspection.py tests/unit/test_template_contract.py --update -q

bench: $(READY) ## measure the client against a peer, and loading against plain parsers
	$(BIN)/python tests/bench/run.py
	$(BIN)/python tests/bench/load.py
	$(BIN)/python tests/bench/wide.py

corpus: $(READY) ## make, import, type-check and call the clients of real descriptions
	cd tests && ../$(BIN)/python -m corpus.run
	cd tests && ../$(BIN)/python -m corpus.operations
	cd tests && ../$(BIN)/python -m oracle.run
	$(BIN)/pytest -m corpus -n auto

faults: $(READY) ## make thousands of calls to a server that fails at random
	cd tests && PYTHONPATH=../generated/openai-client/src ../$(BIN)/python -m faults.run

package: $(READY) ## build the sdist and the wheel
	$(BIN)/pip install --quiet --constraint constraints.txt build
	$(BIN)/python -m build

clean:
	rm -rf .venv .bench dist build

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable . --group dev
	touch $@
