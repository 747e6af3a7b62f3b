"""OpenDP's Context API over Polars: docs.opendp.org, API user guide, tabular data.

It has no top k, so all public keys are counted and sorted. The noise of each count grows with the number of
rows that a basket may keep: 100, above the size of all but one basket in some thousands.
"""

from __future__ import annotations

# user: every job
import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
# end

PACKAGE = "opendp"


def top_10(file: str, size: int) -> list[list[float]]:
    """Rows are distinct, so that rows kept are items kept."""
    # user: top_10
    context = dp.Context.compositor(
        data=pl.scan_parquet(file),
        privacy_unit=dp.unit_of(contributions=1, identifier="basket_id"),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=1,
    )
    keys = pl.LazyFrame({"item": range(size)}, schema={"item": pl.Int32})
    counts = context.query().truncate_per_group(100).group_by("item").agg(dp.len(signed=True)).with_keys(keys)
    top = counts.release().collect().sort("len", descending=True).head(10)
    # end
    return [list(row) for row in top.rows()]


def mode(file: str, size: int) -> int:
    """Each row is a unit."""
    # user: mode
    context = dp.Context.compositor(
        data=pl.scan_parquet(file),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=1,
    )
    keys = pl.LazyFrame({"item": range(size)}, schema={"item": pl.Int32})
    counts = context.query().group_by("item").agg(dp.len(signed=True)).with_keys(keys)
    top = counts.release().collect().sort("len", descending=True).head(1)
    # end
    return int(top["item"][0])
