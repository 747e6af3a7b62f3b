"""What is run before a change is handed in: `nox` runs lint, types and tests; `nox -l` lists the rest."""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "tests"]
nox.options.reuse_existing_virtualenvs = True

OLDEST = "1.5.5"  # the oldest DuckDB that is supported
HEAVY = "clients or docs or lint or services or slow"
CODE = ("dpduck", "tests", "benchmarks", "examples", "docs", "conftest.py", "noxfile.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Rules and format of the code."""
    session.install("ruff>=0.9")
    session.run("ruff", "check", *CODE)
    session.run("ruff", "format", "--check", *CODE)


@nox.session
def types(session: nox.Session) -> None:
    """Types of the package."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """The README's tests, on the newest DuckDB; `nox -s tests -- FILE` runs a part."""
    session.install("-e", ".[test]")
    session.run("pytest", "-m", f"not ({HEAVY})", *session.posargs)


@nox.session(name=f"tests-{OLDEST}")
def tests_on_oldest(session: nox.Session) -> None:
    """The same on the oldest DuckDB that is supported."""
    session.install("-e", ".[test]", f"duckdb=={OLDEST}")
    session.run("pytest", "-m", f"not ({HEAVY})", *session.posargs)


@nox.session
def heavy(session: nox.Session) -> None:
    """What the README's command leaves out; needs the services that .ci/run installs."""
    session.install("-e", ".[dev,docs,integration]")
    session.run("pytest", "-m", HEAVY, *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """What is left to the night; DPDUCK_DEPTH=full tries all random queries, runs and draws there are."""
    session.install("-e", ".[dev,docs,integration]")
    session.run("pytest", "-m", "nightly", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation site and check its links; `-- serve` shows it while you write."""
    session.install("-e", ".[docs,test]")
    if session.posargs == ["serve"]:
        session.run("mkdocs", "serve")
        return
    session.run("mkdocs", "build", "--strict")
    session.run("pytest", "-m", "docs", "tests/documents")


@nox.session
def lock(session: nox.Session) -> None:
    """Write requirements.lock: what contributors install, with hashes, for each Python that is supported."""
    session.install("uv>=0.5")
    session.run("uv", "pip", "compile", "--universal", "--python-version=3.11", "--all-extras",
                "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--quiet",
                "--upgrade", "--output-file=requirements.lock", "pyproject.toml")  # fmt: skip


@nox.session(venv_backend="none")
def release(session: nox.Session) -> None:
    """Sdist and wheel into dist, checked and tried in each Python at hand; `-- --trial` at any time."""
    session.run("bash", ".ci/release", *session.posargs, external=True)


@nox.session(venv_backend="none")
def ci(session: nox.Session) -> None:
    """All of it, as continuous integration does, on a clean copy of the last commit."""
    session.run("bash", ".ci/run", external=True)
