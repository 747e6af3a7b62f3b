"""Settings of PostgreSQL's planner, memory and housekeeping, which have no meaning here.

Clients set them to make PostgreSQL faster or more patient. None of them changes what a query means, so each
is accepted, shown as it was set, and has no effect. The values are the defaults of PostgreSQL 15.
"""

from __future__ import annotations

_TEXT = """
backend_flush_after 0 | check_function_bodies on | client_connection_check_interval 0 | commit_siblings 5
constraint_exclusion partition | cpu_index_tuple_cost 0.005 | cpu_operator_cost 0.0025 | cpu_tuple_cost 0.01
cursor_tuple_fraction 0.1 | default_statistics_target 100 | default_table_access_method heap
default_text_search_config pg_catalog.simple | default_toast_compression pglz
default_transaction_deferrable off | effective_cache_size 4GB | effective_io_concurrency 1
from_collapse_limit 8 | geqo_effort 5 | geqo_generations 0 | geqo_pool_size 0 | geqo_seed 0
geqo_selection_bias 2 | geqo_threshold 12 | gin_fuzzy_search_limit 0 | gin_pending_list_limit 4MB
hash_mem_multiplier 2 | idle_session_timeout 0 | jit_above_cost 100000 | jit_inline_above_cost 500000
jit_optimize_above_cost 500000 | join_collapse_limit 8 | log_parameter_max_length_on_error 0
logical_decoding_work_mem 64MB | maintenance_io_concurrency 10 | maintenance_work_mem 64MB
max_parallel_maintenance_workers 2 | max_parallel_workers 8 | max_parallel_workers_per_gather 2
min_parallel_index_scan_size 512kB | min_parallel_table_scan_size 8MB | parallel_leader_participation on
parallel_setup_cost 1000 | parallel_tuple_cost 0.1 | password_encryption scram-sha-256
plan_cache_mode auto | quote_all_identifiers off | random_page_cost 4 | recursive_worktable_factor 10
seq_page_cost 1 | stats_fetch_consistency cache | synchronous_commit on | tcp_keepalives_count 0
tcp_keepalives_idle 0 | tcp_keepalives_interval 0 | tcp_user_timeout 0 | temp_buffers 8MB
timezone_abbreviations Default | vacuum_cost_delay 0 | vacuum_cost_limit 200 | vacuum_cost_page_dirty 20
vacuum_cost_page_hit 1 | vacuum_cost_page_miss 2 | vacuum_freeze_min_age 50000000
vacuum_freeze_table_age 150000000 | wal_sender_timeout 1min | wal_skip_threshold 2MB
"""


def planner_settings() -> dict[str, str]:
    """Their names and values.

    >>> planner_settings()["plan_cache_mode"]
    'auto'
    """
    lines = _TEXT.strip().splitlines()
    items = (item.strip().partition(" ") for line in lines for item in line.split("|"))
    return {name: value for name, _, value in items}
