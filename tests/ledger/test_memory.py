"""The ledger in memory keeps the contract."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Ledger, open_ledger
from tests.ledger.contract import LedgerContract, TestRecords, cost
from tests.ledger.processes import fork, wait

__all__ = ["TestRecords"]


class TestMemoryLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> Iterator[Ledger]:
        with open_ledger(None) as ledger:
            yield ledger

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_it_is_not_spent_twice_after_a_fork(self, ledger: Ledger) -> None:
        def child() -> None:
            with pytest.raises(LedgerError, match="belongs to the process that opened it"):
                ledger.charge(cost())

        wait(fork(child))
        assert ledger.charge(cost()) == 1
