"""What a query costs that does not say so itself, and whether an earlier answer may serve: SET changes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from dpduck.errors import InternalError
from dpduck.quantities import Number, parse_delta, parse_epsilon
from dpduck.query.parse import Options
from dpduck.statements import parse_bound


@dataclass
class Settings:
    """The settings of a session.

    `groups`: the most groups that a unit may contribute to, beside the table's own bound. `replay`: whether
    an answer that is paid for is given again.
    """

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    groups: int | None = None
    replay: bool = True

    @classmethod
    def parse(cls, epsilon: Number | None, delta: Number | None) -> Self:
        """Errors: ParameterError."""
        return cls(
            None if epsilon is None else parse_epsilon(epsilon),
            Fraction(0) if delta is None else parse_delta(delta),
        )

    def set(self, name: str, value: str) -> None:
        """Errors: ParameterError."""
        match name:
            case "dp_epsilon":
                self.epsilon = parse_epsilon(value)
            case "dp_delta":
                self.delta = parse_delta(value)
            case "dp_max_groups_contributed":
                self.groups = parse_bound(value, name)
            case "dp_replay":
                self.replay = value == "on"
            case _:
                raise InternalError(f"there is no setting {name}")

    def of_query(self, options: Options) -> Settings:
        """What holds for a query that says some of it itself. Errors: ParameterError."""
        groups = [bound for bound in (self.groups, options.groups) if bound is not None]
        return replace(
            self,
            epsilon=self.epsilon if options.epsilon is None else parse_epsilon(options.epsilon),
            delta=self.delta if options.delta is None else parse_delta(options.delta),
            groups=min(groups, default=None),
        )
