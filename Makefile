# Two commands: `make run` starts the simulator, `make test` runs the tests. Both set up what they need first.
.PHONY: run test lint slow docs clean

# Programs are started some hundred times in the tests: each would compile all of its Python again.
unexport PYTHONDONTWRITEBYTECODE

ARGS ?=
VOLERY = .venv/bin/volery

run: .venv/.ready-run
	@scripts/fresh-kernels
	@$(VOLERY) run $(ARGS)

test: .venv/.ready-test lint
	@scripts/fresh-kernels
	@.venv/bin/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

slow: .venv/.ready-test
	@.venv/bin/python -m pytest -m slow $(ARGS)

docs: .venv/.ready-test
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet --strict && echo "make: the documentation is in site/index.html"

lint: .venv/.ready-test
	@.venv/bin/ruff check --quiet . && .venv/bin/ruff format --check --quiet . || \
	  { echo "make: the code is not formatted or has lint; run: .venv/bin/ruff check . and .venv/bin/ruff format ."; exit 1; }

.venv/.ready-run: pyproject.toml scripts/setup
	@scripts/setup run

.venv/.ready-test: pyproject.toml scripts/setup
	@scripts/setup test

clean:
	rm -rf .venv out build dist site
	find . -name __pycache__ -prune -exec rm -rf {} +
