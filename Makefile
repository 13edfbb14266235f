# Two commands: `make run` starts the simulator, `make test` runs the tests. Both set up what they need first.
.PHONY: run test check native wheel sdist release sanitize fuzz lint types slow docs clean

# Programs are started some hundred times in the tests: each would compile all of its Python again.
unexport PYTHONDONTWRITEBYTECODE

ARGS ?=
VOLERY = .venv/bin/volery

run: .venv/.ready-run
	@scripts/build-native
	@$(VOLERY) run $(ARGS)

test: .venv/.ready-test lint
	@scripts/build-native
	@.venv/bin/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

# Before each commit: lint, types, and the tests of the files that tests/quick.txt lists, which take some seconds each.
check: .venv/.ready-test lint types
	@scripts/build-native
	@.venv/bin/python -m pytest --quick --numprocesses 2 --dist loadfile $(ARGS)

# Compiles what changed of the native core (run, test and slow do it too).
native: .venv/.ready-run
	@scripts/build-native

slow: .venv/.ready-test
	@scripts/build-native
	@.venv/bin/python -m pytest -m slow $(ARGS)

# The native core with AddressSanitizer and UBSan, and the tests of its kernels and of what parses outside bytes.
sanitize: .venv/.ready-test
	@scripts/sanitize $(ARGS)

# Half a minute of coverage-guided fuzzing for each decoder of others' bytes; `make fuzz ARGS="600 mavlink_datagram"`: ten for one.
fuzz: .venv/.ready-test
	@scripts/build-native
	@scripts/fuzz $(ARGS)

# A wheel for this Python that any Linux of this age or newer takes, in dist/.
wheel: .venv/.ready-run
	@scripts/wheel

sdist: .venv/.ready-run
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check build
	@.venv/bin/python -m build --sdist --outdir dist . >/dev/null && ls dist/volery-*.tar.gz

# All that a release is made of, in dist/ and site/, after its checks. CONTRIBUTING.md says what comes before and after.
release: check
	@scripts/release

docs: .venv/.ready-test
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet --strict && echo "make: the documentation is in site/index.html"

lint: .venv/.ready-test
	@.venv/bin/ruff check --quiet . && .venv/bin/ruff format --check --quiet . || \
	  { echo "make: the code is not formatted or has lint; run: .venv/bin/ruff check . and .venv/bin/ruff format ."; exit 1; }

types: .venv/.ready-test
	@.venv/bin/mypy --no-error-summary

.venv/.ready-run: pyproject.toml scripts/setup
	@scripts/setup run

.venv/.ready-test: pyproject.toml scripts/setup
	@scripts/setup test

clean:
	rm -rf .venv out build dist site
	rm -f src/volery/_native*.so
	find . -name __pycache__ -prune -exec rm -rf {} +
