# Each target sets up what it needs; python3, make and a C++ compiler are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(wildcard src/core/* src/bindings/*) CMakeLists.txt pyproject.toml
PYTEST_ARGS ?= -n 2

.PHONY: demo test browser lint format sanitize bench bench-check soak pictures clean

$(VENV)/.ready: $(CORE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U "pip>=25.1"
	$(BIN)/python -m pip install -q --group build
	@echo "compiling the core for three levels of instructions: one to five minutes"
	$(BIN)/python -m pip install -q --no-build-isolation -e ".[files,sklearn,plot]"
	cmp -s build/cp*/_core.pyi src/rosenblatt/_core.pyi || cp build/cp*/_core.pyi src/rosenblatt/_core.pyi
	touch $@

$(VENV)/.tools: $(VENV)/.ready
	$(BIN)/python -m pip install -q --group test --group lint
	touch $@

demo: $(VENV)/.ready
	$(BIN)/python -m rosenblatt demo

test: lint js/node_modules/.ready browser
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# The lab is tested in a real browser: one that is there, or Debian's where it may be installed. Elsewhere those tests
# say in the last lines that they were skipped.
browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    apt-get -qq update && apt-get -qq install -y chromium >/dev/null; } || \
	  echo "no Chromium here and none could be installed: the lab's browser tests will be skipped"

# The lab's module is rebuilt and checked where Node is found; elsewhere those tests say that they were skipped.
js/node_modules/.ready: js/package-lock.json
	if command -v npm >/dev/null; then cd js && npm ci --silent --no-audit --no-fund && touch node_modules/.ready; fi

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror src/core/* src/bindings/*
	$(BIN)/codespell src tests README.md CONTRIBUTING.md CHANGELOG.md Makefile CMakeLists.txt

format: $(VENV)/.tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i src/core/* src/bindings/*

# Whatever reaches the core, against a build with AddressSanitizer and UndefinedBehaviorSanitizer: the loop and its policies,
# every element type and level, blocks, checkpoints, one example at a time, votes and kernels, the readers of text.
# Captured in Python only, so that a report is seen although it ends the process.
SANITIZED := tests/core tests/contracts/test_oracle.py tests/contracts/test_kernel_oracle.py tests/contracts/test_levels.py \
  tests/learning/test_identities.py tests/learning/test_online.py tests/learning/test_run.py tests/learning/test_stream.py \
  tests/learning/test_checkpoint.py tests/estimators/test_partial_fit.py \
  tests/data/test_svmlight.py tests/data/test_delimited.py tests/data/test_windows.py

sanitize: $(VENV)-sanitize/.ready
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	$(VENV)-sanitize/bin/python -m pytest -q -p no:cacheprovider --capture=sys -m "not slow" $(PYTEST_ARGS) $(SANITIZED)

$(VENV)-sanitize/.ready: $(CORE)
	test -x $(VENV)-sanitize/bin/python || $(PYTHON) -m venv $(VENV)-sanitize
	$(VENV)-sanitize/bin/python -m pip install -q -U "pip>=25.1"
	$(VENV)-sanitize/bin/python -m pip install -q --group build --group test-core
	$(VENV)-sanitize/bin/python -m pip install -q --no-build-isolation -e . \
	  -C cmake.define.ROSENBLATT_SANITIZE=ON -C build-dir=build/sanitize
	touch $@

# Every kind of plot, and the lab in twelve states (this needs a Chromium), drawn into docs/pictures.
pictures: $(VENV)/.tools
	$(BIN)/python docs/make_pictures.py docs/pictures
	PYTHONPATH=. $(BIN)/python tests/lab/pictures.py docs/pictures

# Peers side by side; those that are missing are installed first. ARGS=--quick takes two minutes, the whole twenty.
bench: $(VENV)/.tools
	$(BIN)/python -m benchmarks $(ARGS)

# README's figures hold here too, by half at least. Not part of the tests: it asks for a machine that is left alone.
bench-check: $(VENV)/.tools
	$(BIN)/python -m benchmarks --quick --check

# Large files in little memory, kill -9, fuzz, full disk, concurrent writers; ARGS=--small takes seconds.
soak: $(VENV)/.tools
	$(BIN)/python -m tests.soak $(ARGS)

clean:
	rm -rf $(VENV) $(VENV)-sanitize build
