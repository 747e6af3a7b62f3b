"""Errors: their fields, their full text, and amounts written without loss."""

import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel import errors
from dpduck.kernel.errors import DpduckError, ExecutionError, InternalError, ParameterError, decimal_text

SQLSTATES = {
    "SqlSyntaxError": "42601",
    "UnsupportedSqlError": "0A000",
    "UnknownNameError": "42703",
    "PolicyError": "55000",
    "ParameterError": "22023",
    "BudgetExceededError": "53400",
    "LedgerError": "58030",
    "ExecutionError": "58000",
    "AuthenticationError": "28P01",
    "PermissionDeniedError": "42501",
    "InternalError": "XX000",
}


def test_every_error_has_its_own_sqlstate() -> None:
    found = {
        cls.__name__: cls.sqlstate
        for cls in DpduckError.__subclasses__()
        if cls.__module__ == errors.__name__
    }
    assert found == SQLSTATES
    assert issubclass(ParameterError, ValueError)


def test_an_error_says_what_what_is_so_and_what_to_type() -> None:
    error = DpduckError("no such thing", detail="There are two.", hint="Write one.", position=7)
    assert str(error) == "no such thing\nDETAIL: There are two. Nothing was charged.\nHINT: Write one."
    assert (error.message, error.hint, error.position, error.charged) == (
        "no such thing",
        "Write one.",
        7,
        "0",
    )
    assert error.detail == "There are two. Nothing was charged."


@pytest.mark.parametrize(
    ("charged", "detail"), [("0", "Nothing was charged."), ("0.5", "Epsilon 0.5 was charged.")]
)
def test_the_detail_always_says_what_was_charged(charged: str, detail: str) -> None:
    error = InternalError("it broke", charged=charged)
    assert str(error) == f"it broke\nDETAIL: {detail}"
    assert error.args == (str(error),)


def test_below_the_data_line_an_error_is_constant() -> None:
    assert str(ExecutionError(charged="0.5")) == (
        "query failed while reading private data\n"
        "DETAIL: The cause is withheld because it may quote a private value. Epsilon 0.5 was charged.\n"
        "HINT: Ask the data owner, who can run the same query on the raw table."
    )
    error = ExecutionError(charged="1")
    assert error.__cause__ is None
    assert error.__context__ is None


def test_a_pickled_error_of_a_worker_is_still_an_error() -> None:
    """Only the text travels; nothing else was attached."""
    copy = pickle.loads(pickle.dumps(DpduckError("it broke")))
    assert isinstance(copy, DpduckError)
    assert "it broke" in str(copy)


# Amounts


@settings(deadline=None)
@given(st.integers(-(10**30), 10**30), st.integers(0, 25))
def test_decimal_text_is_exact(digits: int, places: int) -> None:
    amount = Fraction(digits, 10**places)
    text = decimal_text(amount)
    assert Fraction(text) == amount
    assert Fraction(Decimal(text)) == amount
    assert "e" not in text.lower()
    assert "." not in text or not text.endswith(("0", "."))
    assert text.lstrip("-")[0].isdigit()


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(10**20), "1" + "0" * 20),
        (Fraction(1, 10**9), "0.000000001"),
        (Fraction(1, 2**10), "0.0009765625"),
        (Fraction(7, 5**3), "0.056"),
    ],
)
def test_decimal_text_in_full(amount: Fraction, text: str) -> None:
    assert decimal_text(amount) == text


@pytest.mark.parametrize(
    "amount", [Fraction(1, 3), Fraction(1, 6), Fraction(1, 14), Fraction(22, 7), Fraction(1, 15)]
)
def test_an_amount_without_a_finite_expansion_is_refused(amount: Fraction) -> None:
    with pytest.raises(ValueError, match="no finite decimal expansion"):
        decimal_text(amount)
