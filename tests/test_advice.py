"""Hints as data: each action and each hint in the words of each audience."""

import ast
import copy
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpduck.answers.delta_advice import NoDelta
from dpduck.compiler.parse.dialect import OPTION_NAMES
from dpduck.kernel.errors import DpduckError, ParameterError, tell_charge
from dpduck.kernel.errors.advice import (
    Action,
    AlterTable,
    AnyOf,
    AskOwner,
    Audience,
    BoundGroups,
    BoundRows,
    ByOwner,
    DeclareDomain,
    DeclareUnit,
    Hint,
    MoreBudget,
    OpenTable,
    ReadAsNumbers,
    SetGroups,
    SetTo,
    WithBounds,
    text_for,
)

SQL, SHELL, DATABASE, FILE, PLAIN = Audience
OPEN = " LOW and HIGH are bounds that are known without looking at the data."
OPEN_ABOVE = " HIGH is a bound that is known without looking at the data."
RANGE = "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (LOW, HIGH)"
SOURCES = sorted((Path(__file__).parent.parent / "dpduck").rglob("*.py"))

# What is advised, and how it is said to each audience. One text: the same for all.
_CLAMP = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'private') ..."
KNOWN = " Write values that are known without looking at the data."
HINTS: list[tuple[Hint, str | tuple[str, str, str, str]]] = [
    (
        Hint.of("With ", SetTo("dp_clamp", "'private'"), "."),
        (*["With SET dp_clamp = 'private'."] * 2, *[f"With {_CLAMP}."] * 2),
    ),
    (
        Hint.of(SetTo("dp_epsilon", "0.5"), "."),
        ("SET dp_epsilon = 0.5.", "SET dp_epsilon = 0.5.", "Add --epsilon 0.5.", "Add --epsilon 0.5."),
    ),
    (
        Hint.of("Write ", SetTo("dp_epsilon", "0.5"), " or ", SetTo("dp_delta", "1e-6"), "."),
        (
            "Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.",
            "Write SET dp_epsilon = 0.5 or SET dp_delta = 1e-6.",
            "Write --epsilon 0.5 or --delta 1e-6.",
            "Write --epsilon 0.5 or --delta 1e-6.",
        ),
    ),
    (
        Hint.of("It is old. ", SetTo("dp_replay", "off"), " asks for a new one."),
        (
            "It is old. SET dp_replay = off asks for a new one.",
            "It is old. SET dp_replay = off asks for a new one.",
            "It is old. --fresh asks for a new one.",
            "It is old. --fresh asks for a new one.",
        ),
    ),
    (
        Hint.of(SetTo("dp_max_groups_contributed", "3"), "."),
        (
            *["SET dp_max_groups_contributed = 3."] * 2,
            *["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 3) ...."] * 2,
        ),
    ),
    (
        Hint.of("To count more: ", BoundRows("t", 10), "."),
        (
            "To count more: ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 10).",
            "To count more: --rows 10.",
            "To count more: ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 10).",
            "To count more: --rows 10.",
        ),
    ),
    (
        Hint.of(DeclareDomain("t", "c", ("flu", "gout")), ", or ", SetTo("dp_delta", "1e-6"), "."),
        (
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('...', '...'), or SET dp_delta = 1e-6."
            + KNOWN,
            "Start again with --domain c=...,..., or SET dp_delta = 1e-6." + KNOWN,
            "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN ('...', '...'), or --delta 1e-6." + KNOWN,
            "Add --domain c=...,..., or --delta 1e-6." + KNOWN,
        ),
    ),
    (
        Hint.of(DeclareDomain("my t", "a day", ("2024-01-01", "2024-12-31"), is_range=True), "."),
        (
            f'ALTER TABLE "my t" ALTER COLUMN "a day" SET PRIVACY DOMAIN BETWEEN (LOW, HIGH).{OPEN}',
            f'Start again with --domain "a day=LOW..HIGH".{OPEN}',
            f'ALTER TABLE "my t" ALTER COLUMN "a day" SET PRIVACY DOMAIN BETWEEN (LOW, HIGH).{OPEN}',
            f'Add --domain "a day=LOW..HIGH".{OPEN}',
        ),
    ),
    (
        Hint.of("Write, for example, ", DeclareDomain("t", "c", (0, 100), is_range=True), "."),
        (
            f"Write, for example, {RANGE}.{OPEN}",
            f"Write, for example, --domain c=LOW..HIGH.{OPEN}",
            f"Write, for example, {RANGE}.{OPEN}",
            f"Write, for example, --domain c=LOW..HIGH.{OPEN}",
        ),
    ),
    (
        Hint.of(OpenTable("t"), "."),
        (
            "The owner can run ALTER TABLE t ADD PRIVACY_KEY (column), or ALTER TABLE t SET PUBLIC.",
            "Start again with --unit COLUMN.",
            "The owner can run ALTER TABLE t ADD PRIVACY_KEY (column), or ALTER TABLE t SET PUBLIC.",
            "Add --unit COLUMN.",
        ),
    ),
    (
        Hint.of(DeclareUnit("t", "the id"), " first."),
        (
            'ALTER TABLE t ADD PRIVACY_KEY ("the id") first.',
            "Start again with --unit COLUMN first.",
            'ALTER TABLE t ADD PRIVACY_KEY ("the id") first.',
            "Add --unit COLUMN first.",
        ),
    ),
    (
        Hint.of(AlterTable("my t", "DROP PRIVACY_KEY"), " first."),
        'ALTER TABLE "my t" DROP PRIVACY_KEY first.',
    ),
    (
        Hint.of("Or ", AskOwner(AlterTable("t", "SET PUBLIC")), "."),
        "Or ask the owner to run ALTER TABLE t SET PUBLIC.",
    ),
    (
        Hint.of("Or ", ByOwner(DeclareDomain("t", "c", (0, 100), is_range=True)), "."),
        (
            f"Or the owner can run {RANGE}.{OPEN}",
            f"Or add --domain c=LOW..HIGH.{OPEN}",
            f"Or the owner can run {RANGE}.{OPEN}",
            f"Or add --domain c=LOW..HIGH.{OPEN}",
        ),
    ),
    (
        Hint.of("Write ", Hint.of("one of: ", AnyOf(("SELECT ...", SetTo("dp_delta", "0"), "SHOW PRIVACY")))),
        (
            "Write one of: SELECT ..., SET dp_delta = 0, SHOW PRIVACY",
            "Write one of: SELECT ..., SET dp_delta = 0, SHOW PRIVACY",
            "Write one of: SELECT ..., SHOW PRIVACY",
            "Write one of: SELECT ..., SHOW PRIVACY",
        ),
    ),
    (
        Hint.of(SetTo("dp_delta", "0"), " and ", BoundGroups("visits", 5), "."),
        (
            "SET dp_delta = 0 and ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5).",
            "SET dp_delta = 0 and --groups 5.",
            "Add --delta 0 and ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5).",
            "Add --delta 0 and --groups 5.",
        ),
    ),
    (
        Hint.of("Write ", WithBounds("sum(least(x, HIGH))"), " or ", WithBounds("least(x, HIGH)"), "."),
        f"Write sum(least(x, HIGH)) or least(x, HIGH).{OPEN_ABOVE}",
    ),
    (
        Hint.of(ReadAsNumbers("x", "Use a numeric column"), ", or count(*)."),
        (
            "Use a numeric column, or count(*).",
            "Start again with --type x=DOUBLE, if its numbers are read as text of a CSV file, with "
            "--decimal , for 1,5, or count(*).",
            "Use a numeric column, or count(*).",
            "Add --type x=DOUBLE, if its numbers are read as text of a CSV file, with --decimal , "
            "for 1,5, or count(*).",
        ),
    ),
    (
        Hint.of("Or ", SetGroups("private"), "."),
        (
            "Or SET dp_max_groups_contributed = 'private'.",
            "Or SET dp_max_groups_contributed = 'private'.",
            "Or SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 'private') ....",
            "Or SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 'private') ....",
        ),
    ),
    (
        Hint.of("Or ", SetGroups(5), "."),
        (
            "Or SET dp_max_groups_contributed = 5.",
            "Or SET dp_max_groups_contributed = 5.",
            "Or SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 5) ....",
            "Or SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 5) ....",
        ),
    ),
    (
        Hint.of("Or set ", NoDelta("people 'visits'"), "."),
        "Or set a delta, of which people 'visits' has none left: its owner can raise it.",
    ),
    (
        Hint.of("Lower it, or ", MoreBudget("session", "cli"), "."),
        "Lower it, or ask the data owner for more.",
    ),
    (
        Hint.of("Lower it, or ", MoreBudget("session", "cli"), ".").for_owner(),
        (
            "Lower it, or raise the budget of the session.",
            "Lower it, or raise --budget.",
            "Lower it, or raise --budget.",
            "Lower it, or raise --budget.",
        ),
    ),
    (
        Hint.of(MoreBudget("budget", "of may", begins=True), ".").for_owner(),
        (
            'Raise it by ALTER PRIVACY BUDGET "of may" LIMIT ....',
            'Raise it by ALTER PRIVACY BUDGET "of may" LIMIT ... in the policy script.',
            'Raise it by ALTER PRIVACY BUDGET "of may" LIMIT ....',
            'Raise it by ALTER PRIVACY BUDGET "of may" LIMIT ... in the policy script.',
        ),
    ),
    (
        Hint.of(MoreBudget("people", "visits", begins=True), ".").for_owner(),
        (
            "Raise their lifetime cap (CREATE OR REPLACE PRIVACY BUDGET).",
            "Raise their lifetime cap (CREATE OR REPLACE PRIVACY BUDGET) in the policy script.",
            "Raise their lifetime cap (CREATE OR REPLACE PRIVACY BUDGET).",
            "Raise their lifetime cap (CREATE OR REPLACE PRIVACY BUDGET) in the policy script.",
        ),
    ),
    (Hint.of("Write SET x, or --y."), "Write SET x, or --y."),
    (Hint.of("--domain is text."), "--domain is text."),
    (Hint.of(), ""),
]
IDS = [hint.text(SQL) for hint, _ in HINTS]


@pytest.mark.parametrize(("hint", "texts"), HINTS, ids=IDS)
def test_a_hint_is_in_the_words_of_its_audience(hint: Hint, texts: str | tuple[str, str, str, str]) -> None:
    expected = (texts,) * 4 if isinstance(texts, str) else texts
    assert tuple(hint.text(audience) for audience in (SQL, SHELL, DATABASE, FILE)) == expected
    error = DpduckError("no", hint=hint)
    assert tuple(error.hint_for(audience) for audience in (SQL, SHELL, DATABASE, FILE)) == expected
    assert error.hint == expected[0]
    assert str(error) == f"no\nDETAIL: Nothing was charged.\nHINT: {expected[0]}"


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Hint.of(SetTo("dp_epsilon", "0.5"), "."), "FROM dp('SET dp_epsilon = 0.5')."),
        (
            Hint.of("Or ", SetGroups("private"), "."),
            "Or FROM dp('SET dp_max_groups_contributed = ''private''').",
        ),
        (Hint.of(AlterTable("t", "SET PUBLIC"), "."), "ALTER TABLE t SET PUBLIC."),
    ],
)
def test_a_plain_connection_of_duckdb_has_no_settings_of_ours(hint: Hint, text: str) -> None:
    assert hint.text(PLAIN) == text


def test_each_kind_of_action_is_rendered_above() -> None:
    used = {type(part) for hint, _ in HINTS for part in hint.parts if isinstance(part, Action)}
    assert used == set(Action.__subclasses__())


@pytest.mark.parametrize("audience", Audience)
def test_text_is_the_same_for_all(audience: Audience) -> None:
    assert text_for("SET dp_epsilon = 1.", audience) == "SET dp_epsilon = 1."
    assert DpduckError("no").hint_for(audience) is None


@pytest.mark.parametrize(("hint", "texts"), HINTS, ids=IDS)
def test_an_error_travels_with_its_hint(hint: Hint, texts: object) -> None:
    error = ParameterError("no", detail="So it is.", hint=hint, position=3, charged="0.5")
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(other) is ParameterError
        assert vars(other) == vars(error)
        assert str(other) == str(error)


def test_a_charge_is_said_once_however_late_it_is_told() -> None:
    error = DpduckError("no", detail="It said: Nothing was charged.")
    tell_charge(error, "0.5")
    tell_charge(error, "0.7")
    assert error.detail == "It said: Nothing was charged. Epsilon 0.5 was charged."
    bare = DpduckError("no")
    tell_charge(bare, "0")
    assert bare.detail == "Nothing was charged."


# --- nobody reads our own English ----------------------------------------------------------------

FIELDS = {"message", "detail", "hint", "reason", "advice"}
CUTS = {
    "replace",
    "removesuffix",
    "removeprefix",
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
}
CUTS |= {"strip", "lstrip", "rstrip", "find", "index", "count", "translate"}


def holds_field(node: ast.AST) -> bool:
    """Whether an expression reads a text of an error: `error.hint`, also as `error.hint or ''`."""
    return any(
        isinstance(inner, ast.Attribute) and inner.attr in FIELDS and isinstance(inner.ctx, ast.Load)
        for inner in ast.walk(node)
    )


def cuts(node: ast.AST) -> bool:
    """Whether a node tests or cuts a text of an error."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        on, name = node.func.value, node.func.attr
        if isinstance(on, ast.Name) and on.id == "re":
            return any(holds_field(argument) for argument in node.args)
        if name in ("search", "match", "fullmatch", "sub", "findall", "finditer"):
            return any(holds_field(argument) for argument in node.args)
        return name in CUTS and holds_field(on)
    if isinstance(node, ast.Compare):
        texts = any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in ast.walk(node))
        return texts and holds_field(node)
    return isinstance(node, ast.Subscript) and holds_field(node.value)


@pytest.mark.parametrize(
    "source",
    [
        "error.hint.removesuffix('.')",
        "(error.hint or '').startswith('--')",
        "re.sub('a', 'b', error.detail)",
        "_PATTERN.sub('b', error.message)",
        "'charged' in error.detail",
        "error.message == 'no'",
        "error.hint[:3]",
    ],
)
def test_the_check_finds_what_it_looks_for(source: str) -> None:
    assert any(cuts(node) for node in ast.walk(ast.parse(source)))


def parsed_sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in SOURCES:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_no_module_tests_or_cuts_the_text_of_an_error() -> None:
    found = [
        (path, ast.unparse(node)) for path, tree in parsed_sources() for node in ast.walk(tree) if cuts(node)
    ]
    assert not found


def texts_in(node: ast.AST) -> str:
    """The words of a string, or of the constant parts of one."""
    parts = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)]
    return "".join(part for part in parts if isinstance(part, str))


def test_no_hint_is_a_statement_as_text() -> None:
    """A plain text is the same for all, so a statement in it would be SQL for those who type options."""
    hints = [
        (path, texts_in(keyword.value))
        for path, tree in parsed_sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "hint" and isinstance(keyword.value, (ast.Constant, ast.JoinedStr))
    ]
    assert hints
    statements = [(path, text) for path, text in hints if "ALTER TABLE" in text or " SET dp_" in f" {text}"]
    assert not [one for one in statements if "--" not in one[1] and "dpduck query" not in one[1]]


@pytest.mark.parametrize("name", ["count", "interval", "clamp", "noise", "distinct_values"])
def test_a_command_is_told_options_that_a_query_takes(name: str) -> None:
    setting = SetTo({"distinct_values": "dp_distinct"}.get(name, f"dp_{name}"), "'x'")
    assert f"({name} = 'x')" in setting.text(Audience.COMMAND_ON_DATABASE)
    assert name in OPTION_NAMES
