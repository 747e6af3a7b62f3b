"""Epsilon, delta and budgets: the decimal that was written, exactly, and nothing else."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.accounting.amounts import parse_budget, parse_decimal, parse_delta, parse_epsilon
from dpduck.kernel.errors import ParameterError, decimal_text

Parse = Callable[[object], Fraction]


# What is read


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (1, Fraction(1)),
        (20, Fraction(20)),
        (0.1, Fraction(1, 10)),
        (0.3, Fraction(3, 10)),
        (1e-4, Fraction(1, 10_000)),
        ("0.5", Fraction(1, 2)),
        (" 0.5 ", Fraction(1, 2)),
        ("5e-1", Fraction(1, 2)),
        ("+2", Fraction(2)),
        ("1.", Fraction(1)),
        ("0.123456789", Fraction(123456789, 10**9)),
        ("0.500000000000000000", Fraction(1, 2)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1E+1"), Fraction(10)),
        (Fraction(1, 8), Fraction(1, 8)),
        (np.float64(0.1), Fraction(1, 10)),
    ],
)
def test_epsilon_is_the_decimal_written(written: object, meant: Fraction) -> None:
    assert parse_epsilon(written) == meant


@settings(deadline=None)
@given(st.integers(10**5, 20 * 10**9))
def test_every_epsilon_of_nine_places_is_exact(billionths: int) -> None:
    exact = Fraction(billionths, 10**9)
    for written in (exact, decimal_text(exact), Decimal(decimal_text(exact))):
        assert parse_epsilon(written) == exact


@settings(deadline=None)
@given(st.integers(1, 999_999))
def test_a_short_decimal_that_became_a_double_is_still_that_decimal(millionths: int) -> None:
    exact = Fraction(millionths, 10**6)
    assert parse_budget(millionths / 10**6) == exact
    assert parse_delta(float(exact)) == exact


# What is not


BAD_EPSILONS = [
    *(
        float("nan"),
        float("inf"),
        -float("inf"),
        "nan",
        "inf",
        "Infinity",
        Decimal("NaN"),
        Decimal("-Infinity"),
    ),
    *(
        0,
        0.0,
        "0",
        -1,
        -0.5,
        "-0.5",
        "-0",
        0.00001,
        "0.00009999",
        21,
        20.000000001,
        "1e400",
        "1e-320",
        1e-320,
    ),
    *(
        "1_0",
        "1_0.5",
        "\u0660.\u0665",
        "\uff10.\uff15",
        "½",
        "0,5",
        "0x1",
        "1e",
        "e1",
        ".5",
        "--1",
        "1 2",
        "0.5\n",
        "\t0.5",
        "0.5\0",
    ),
    *(True, False, None, "", " ", b"0.5", [0.5], (1,), {}, object, 1j, "half", "0.5 or 1", np.int64(1)),
    *(0.1 + 0.2, 1 / 3, "0.1234567891", Fraction(1, 3), Fraction(1, 2**10), Decimal("0.1000000001")),
    *(10**5000, -(10**5000), Fraction(1, 10**5000), Decimal("1e999999"), "9" * 50, "0." + "1" * 41),
]


def numbered(values: list[object]) -> list[str]:
    """Names for values that have no short one, or none that can be printed."""
    return [f"{i}-{type(value).__name__}" for i, value in enumerate(values)]


@pytest.mark.parametrize("bad", BAD_EPSILONS, ids=numbered(BAD_EPSILONS))
def test_a_bad_epsilon_is_an_error(bad: object) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_epsilon(bad)
    error = caught.value
    assert error.sqlstate == "22023"
    assert isinstance(error, ValueError)
    assert error.charged == "0"
    assert error.message.startswith("epsilon ")
    assert error.detail.endswith("Nothing was charged.")
    assert error.hint
    assert len(error.message) < 100


NO_NUMBER = (
    "DETAIL: It must be an exact decimal written with the digits 0 to 9. Nothing was charged.\n"
    "HINT: Write it as 0.5, without underscores or words."
)
OUT_OF_RANGE = (
    "DETAIL: One query may use an epsilon from 0.0001 to 20. Nothing was charged.\n"
    "HINT: Write a decimal such as 0.5."
)
TOO_LONG = "DETAIL: Budgets are added exactly, so each amount must be a short decimal. Nothing was charged.\n"


FULL_TEXTS: list[tuple[Parse, object, str]] = [
    (parse_epsilon, "1_0", f"epsilon '1_0' is not a decimal number\n{NO_NUMBER}"),
    (parse_epsilon, None, f"epsilon of type NoneType is not a decimal number\n{NO_NUMBER}"),
    (parse_epsilon, float("nan"), f"epsilon nan is not a decimal number\n{NO_NUMBER}"),
    (parse_epsilon, True, f"epsilon True is not a decimal number\n{NO_NUMBER}"),
    (parse_epsilon, "x" * 99, f"epsilon '{'x' * 40}' is not a decimal number\n{NO_NUMBER}"),
    (parse_epsilon, 0, f"epsilon 0 is out of range\n{OUT_OF_RANGE}"),
    (parse_epsilon, 21, f"epsilon 21 is out of range\n{OUT_OF_RANGE}"),
    (parse_epsilon, "1e-320", f"epsilon '1e-320' is out of range\n{OUT_OF_RANGE}"),
    (parse_epsilon, 10**5000, f"epsilon with thousands of digits is out of range\n{OUT_OF_RANGE}"),
    (
        parse_epsilon,
        0.1 + 0.2,
        f"epsilon 0.30000000000000004 has more than 9 decimal places\n{TOO_LONG}HINT: Did you mean 0.3?",
    ),
    (
        parse_budget,
        "1000000.5",
        "budget '1000000.5' is out of range\nDETAIL: A budget is an epsilon from 0 to 1000000. "
        "Nothing was charged.\nHINT: Write a decimal such as 3.0.",
    ),
    (
        parse_budget,
        1 / 3,
        f"budget {1 / 3} has more than 9 decimal places\n{TOO_LONG}HINT: Did you mean 0.333333333?",
    ),
    (
        parse_delta,
        1,
        "delta 1 is out of range\nDETAIL: Delta is a probability of failure: at least 0 and below 1. "
        "Nothing was charged.\nHINT: Write a small decimal such as 1e-6.",
    ),
]


@pytest.mark.parametrize(("parse", "bad", "text"), FULL_TEXTS, ids=numbered([row[1] for row in FULL_TEXTS]))
def test_the_error_in_full(parse: Parse, bad: object, text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(bad)
    assert str(caught.value) == text


@pytest.mark.parametrize("amount", [0, "0", "1000000", 1e6, "3.000000001", Decimal("0.5")])
def test_budgets_may_be_zero_and_large(amount: object) -> None:
    assert parse_budget(amount) == Fraction(str(amount))


@pytest.mark.parametrize("bad", [-1, "-0.1", 1000001, "1e7", "x", None, True, "0.0000000001"])
def test_a_bad_budget_is_called_by_its_name(bad: object) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_budget(bad, "limit of budget 'b'")
    assert caught.value.message.startswith("limit of budget 'b' ")


@pytest.mark.parametrize("amount", [0, "1e-18", 1e-6, "0.999999999999999999", Decimal("1E-9")])
def test_deltas_have_eighteen_places(amount: object) -> None:
    assert parse_delta(amount) == Fraction(str(amount))


@pytest.mark.parametrize("bad", [1, 1.0, -1e-9, "1e-19", "nan", "", None, False, "1.5"])
def test_a_bad_delta_is_an_error(bad: object) -> None:
    with pytest.raises(ParameterError, match=r"^delta "):
        parse_delta(bad)


@settings(deadline=None)
@given(st.text(max_size=12) | st.text(alphabet="0123456789.eE+-_ \u0660½", max_size=8))
def test_any_text_is_its_decimal_or_an_error(text: str) -> None:
    try:
        number = parse_decimal(text, "it")
    except ParameterError:
        return
    assert number == Fraction(text.strip(" "))
    assert text.isascii()
    assert "_" not in text
