-- Relations of PostgreSQL 15 that are empty here, since they tell of what dpduck does not have: statistics and
-- progress of a server, subscriptions, security labels, text search, foreign data. Tools join them.

CREATE TABLE pg.pg_aggregate (aggfnoid regproc, aggkind "char", aggnumdirectargs SMALLINT, aggtransfn
    regproc, aggfinalfn regproc, aggcombinefn regproc, aggserialfn regproc, aggdeserialfn regproc,
    aggmtransfn regproc, aggminvtransfn regproc, aggmfinalfn regproc, aggfinalextra BOOLEAN, aggmfinalextra
    BOOLEAN, aggfinalmodify "char", aggmfinalmodify "char", aggsortop oid, aggtranstype oid, aggtransspace
    INTEGER, aggmtranstype oid, aggmtransspace INTEGER, agginitval VARCHAR, aggminitval VARCHAR);
CREATE TABLE pg.pg_backend_memory_contexts (name VARCHAR, ident VARCHAR, parent VARCHAR, level INTEGER,
    total_bytes BIGINT, total_nblocks BIGINT, free_bytes BIGINT, free_chunks BIGINT, used_bytes BIGINT);
CREATE TABLE pg.pg_config (name VARCHAR, setting VARCHAR);
CREATE TABLE pg.pg_cursors (name VARCHAR, statement VARCHAR, is_holdable BOOLEAN, is_binary BOOLEAN,
    is_scrollable BOOLEAN, creation_time TIMESTAMPTZ);
CREATE TABLE pg.pg_file_settings (sourcefile VARCHAR, sourceline INTEGER, seqno INTEGER, name VARCHAR,
    setting VARCHAR, applied BOOLEAN, error VARCHAR);
CREATE TABLE pg.pg_hba_file_rules (line_number INTEGER, type VARCHAR, database VARCHAR[], user_name
    VARCHAR[], address VARCHAR, netmask VARCHAR, auth_method VARCHAR, options VARCHAR[], error VARCHAR);
CREATE TABLE pg.pg_ident_file_mappings (line_number INTEGER, map_name VARCHAR, sys_name VARCHAR, pg_username
    VARCHAR, error VARCHAR);
CREATE TABLE pg.pg_init_privs (objoid oid, classoid oid, objsubid INTEGER, privtype "char", initprivs
    VARCHAR[]);
CREATE TABLE pg.pg_largeobject (loid oid, pageno INTEGER, data BLOB);
CREATE TABLE pg.pg_parameter_acl (oid oid, parname VARCHAR, paracl VARCHAR[]);
CREATE TABLE pg.pg_prepared_statements (name VARCHAR, statement VARCHAR, prepare_time TIMESTAMPTZ,
    parameter_types BIGINT[], from_sql BOOLEAN, generic_plans BIGINT, custom_plans BIGINT);
CREATE TABLE pg.pg_prepared_xacts (transaction oid, gid VARCHAR, prepared TIMESTAMPTZ, owner name, database
    name);
CREATE TABLE pg.pg_publication_tables (pubname name, schemaname name, tablename name, attnames VARCHAR[],
    rowfilter VARCHAR);
CREATE TABLE pg.pg_replication_origin (roident oid, roname VARCHAR);
CREATE TABLE pg.pg_replication_origin_status (local_id oid, external_id VARCHAR, remote_lsn VARCHAR,
    local_lsn VARCHAR);
CREATE TABLE pg.pg_replication_slots (slot_name name, plugin name, slot_type VARCHAR, datoid oid, database
    name, temporary BOOLEAN, active BOOLEAN, active_pid INTEGER, xmin oid, catalog_xmin oid, restart_lsn
    VARCHAR, confirmed_flush_lsn VARCHAR, wal_status VARCHAR, safe_wal_size BIGINT, two_phase BOOLEAN);
CREATE TABLE pg.pg_shadow (usename name, usesysid oid, usecreatedb BOOLEAN, usesuper BOOLEAN, userepl
    BOOLEAN, usebypassrls BOOLEAN, passwd VARCHAR, valuntil TIMESTAMPTZ, useconfig VARCHAR[]);
CREATE TABLE pg.pg_shmem_allocations (name VARCHAR, off BIGINT, size BIGINT, allocated_size BIGINT);
CREATE TABLE pg.pg_stat_archiver (archived_count BIGINT, last_archived_wal VARCHAR, last_archived_time
    TIMESTAMPTZ, failed_count BIGINT, last_failed_wal VARCHAR, last_failed_time TIMESTAMPTZ, stats_reset
    TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_bgwriter (checkpoints_timed BIGINT, checkpoints_req BIGINT, checkpoint_write_time
    DOUBLE, checkpoint_sync_time DOUBLE, buffers_checkpoint BIGINT, buffers_clean BIGINT, maxwritten_clean
    BIGINT, buffers_backend BIGINT, buffers_backend_fsync BIGINT, buffers_alloc BIGINT, stats_reset
    TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_database_conflicts (datid oid, datname name, confl_tablespace BIGINT, confl_lock
    BIGINT, confl_snapshot BIGINT, confl_bufferpin BIGINT, confl_deadlock BIGINT);
CREATE TABLE pg.pg_stat_gssapi (pid INTEGER, gss_authenticated BOOLEAN, principal VARCHAR, encrypted
    BOOLEAN);
CREATE TABLE pg.pg_stat_progress_analyze (pid INTEGER, datid oid, datname name, relid oid, phase VARCHAR,
    sample_blks_total BIGINT, sample_blks_scanned BIGINT, ext_stats_total BIGINT, ext_stats_computed BIGINT,
    child_tables_total BIGINT, child_tables_done BIGINT, current_child_table_relid oid);
CREATE TABLE pg.pg_stat_progress_basebackup (pid INTEGER, phase VARCHAR, backup_total BIGINT,
    backup_streamed BIGINT, tablespaces_total BIGINT, tablespaces_streamed BIGINT);
CREATE TABLE pg.pg_stat_progress_cluster (pid INTEGER, datid oid, datname name, relid oid, command VARCHAR,
    phase VARCHAR, cluster_index_relid oid, heap_tuples_scanned BIGINT, heap_tuples_written BIGINT,
    heap_blks_total BIGINT, heap_blks_scanned BIGINT, index_rebuild_count BIGINT);
CREATE TABLE pg.pg_stat_progress_copy (pid INTEGER, datid oid, datname name, relid oid, command VARCHAR,
    type VARCHAR, bytes_processed BIGINT, bytes_total BIGINT, tuples_processed BIGINT, tuples_excluded
    BIGINT);
CREATE TABLE pg.pg_stat_progress_create_index (pid INTEGER, datid oid, datname name, relid oid, index_relid
    oid, command VARCHAR, phase VARCHAR, lockers_total BIGINT, lockers_done BIGINT, current_locker_pid
    BIGINT, blocks_total BIGINT, blocks_done BIGINT, tuples_total BIGINT, tuples_done BIGINT,
    partitions_total BIGINT, partitions_done BIGINT);
CREATE TABLE pg.pg_stat_progress_vacuum (pid INTEGER, datid oid, datname name, relid oid, phase VARCHAR,
    heap_blks_total BIGINT, heap_blks_scanned BIGINT, heap_blks_vacuumed BIGINT, index_vacuum_count BIGINT,
    max_dead_tuples BIGINT, num_dead_tuples BIGINT);
CREATE TABLE pg.pg_stat_recovery_prefetch (stats_reset TIMESTAMPTZ, prefetch BIGINT, hit BIGINT, skip_init
    BIGINT, skip_new BIGINT, skip_fpw BIGINT, skip_rep BIGINT, wal_distance INTEGER, block_distance INTEGER,
    io_depth INTEGER);
CREATE TABLE pg.pg_stat_replication (pid INTEGER, usesysid oid, usename name, application_name VARCHAR,
    client_addr VARCHAR, client_hostname VARCHAR, client_port INTEGER, backend_start TIMESTAMPTZ,
    backend_xmin oid, state VARCHAR, sent_lsn VARCHAR, write_lsn VARCHAR, flush_lsn VARCHAR, replay_lsn
    VARCHAR, write_lag INTERVAL, flush_lag INTERVAL, replay_lag INTERVAL, sync_priority INTEGER, sync_state
    VARCHAR, reply_time TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_replication_slots (slot_name VARCHAR, spill_txns BIGINT, spill_count BIGINT,
    spill_bytes BIGINT, stream_txns BIGINT, stream_count BIGINT, stream_bytes BIGINT, total_txns BIGINT,
    total_bytes BIGINT, stats_reset TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_slru (name VARCHAR, blks_zeroed BIGINT, blks_hit BIGINT, blks_read BIGINT,
    blks_written BIGINT, blks_exists BIGINT, flushes BIGINT, truncates BIGINT, stats_reset TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_ssl (pid INTEGER, ssl BOOLEAN, version VARCHAR, cipher VARCHAR, bits INTEGER,
    client_dn VARCHAR, client_serial DECIMAL(38, 6), issuer_dn VARCHAR);
CREATE TABLE pg.pg_stat_subscription (subid oid, subname name, pid INTEGER, relid oid, received_lsn VARCHAR,
    last_msg_send_time TIMESTAMPTZ, last_msg_receipt_time TIMESTAMPTZ, latest_end_lsn VARCHAR,
    latest_end_time TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_subscription_stats (subid oid, subname name, apply_error_count BIGINT,
    sync_error_count BIGINT, stats_reset TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_user_functions (funcid oid, schemaname name, funcname name, calls BIGINT, total_time
    DOUBLE, self_time DOUBLE);
CREATE TABLE pg.pg_stat_wal (wal_records BIGINT, wal_fpi BIGINT, wal_bytes DECIMAL(38, 6), wal_buffers_full
    BIGINT, wal_write BIGINT, wal_sync BIGINT, wal_write_time DOUBLE, wal_sync_time DOUBLE, stats_reset
    TIMESTAMPTZ);
CREATE TABLE pg.pg_stat_wal_receiver (pid INTEGER, status VARCHAR, receive_start_lsn VARCHAR,
    receive_start_tli INTEGER, written_lsn VARCHAR, flushed_lsn VARCHAR, received_tli INTEGER,
    last_msg_send_time TIMESTAMPTZ, last_msg_receipt_time TIMESTAMPTZ, latest_end_lsn VARCHAR,
    latest_end_time TIMESTAMPTZ, slot_name VARCHAR, sender_host VARCHAR, sender_port INTEGER, conninfo
    VARCHAR);
CREATE TABLE pg.pg_stat_xact_all_tables (relid oid, schemaname name, relname name, seq_scan BIGINT,
    seq_tup_read BIGINT, idx_scan BIGINT, idx_tup_fetch BIGINT, n_tup_ins BIGINT, n_tup_upd BIGINT,
    n_tup_del BIGINT, n_tup_hot_upd BIGINT);
CREATE TABLE pg.pg_stat_xact_sys_tables (relid oid, schemaname name, relname name, seq_scan BIGINT,
    seq_tup_read BIGINT, idx_scan BIGINT, idx_tup_fetch BIGINT, n_tup_ins BIGINT, n_tup_upd BIGINT,
    n_tup_del BIGINT, n_tup_hot_upd BIGINT);
CREATE TABLE pg.pg_stat_xact_user_functions (funcid oid, schemaname name, funcname name, calls BIGINT,
    total_time DOUBLE, self_time DOUBLE);
CREATE TABLE pg.pg_stat_xact_user_tables (relid oid, schemaname name, relname name, seq_scan BIGINT,
    seq_tup_read BIGINT, idx_scan BIGINT, idx_tup_fetch BIGINT, n_tup_ins BIGINT, n_tup_upd BIGINT,
    n_tup_del BIGINT, n_tup_hot_upd BIGINT);
CREATE TABLE pg.pg_statio_all_sequences (relid oid, schemaname name, relname name, blks_read BIGINT,
    blks_hit BIGINT);
CREATE TABLE pg.pg_statio_sys_sequences (relid oid, schemaname name, relname name, blks_read BIGINT,
    blks_hit BIGINT);
CREATE TABLE pg.pg_statio_user_sequences (relid oid, schemaname name, relname name, blks_read BIGINT,
    blks_hit BIGINT);
CREATE TABLE pg.pg_statistic_ext_data (stxoid oid, stxdinherit BOOLEAN, stxdndistinct VARCHAR,
    stxddependencies VARCHAR, stxdmcv VARCHAR, stxdexpr VARCHAR);
CREATE TABLE pg.pg_stats_ext (schemaname name, tablename name, statistics_schemaname name, statistics_name
    name, statistics_owner name, attnames VARCHAR[], exprs VARCHAR[], kinds VARCHAR[], inherited BOOLEAN,
    n_distinct VARCHAR, dependencies VARCHAR, most_common_vals VARCHAR[], most_common_val_nulls BOOLEAN[],
    most_common_freqs DOUBLE[], most_common_base_freqs DOUBLE[]);
CREATE TABLE pg.pg_stats_ext_exprs (schemaname name, tablename name, statistics_schemaname name,
    statistics_name name, statistics_owner name, expr VARCHAR, inherited BOOLEAN, null_frac FLOAT, avg_width
    INTEGER, n_distinct FLOAT, most_common_vals VARCHAR, most_common_freqs FLOAT[], histogram_bounds
    VARCHAR, correlation FLOAT, most_common_elems VARCHAR, most_common_elem_freqs FLOAT[],
    elem_count_histogram FLOAT[]);
CREATE TABLE pg.pg_subscription_rel (srsubid oid, srrelid oid, srsubstate "char", srsublsn VARCHAR);
CREATE TABLE pg.pg_timezone_abbrevs (abbrev VARCHAR, utc_offset INTERVAL, is_dst BOOLEAN);
CREATE TABLE pg.pg_transform (oid oid, trftype oid, trflang oid, trffromsql regproc, trftosql regproc);
CREATE TABLE pg.pg_user_mapping (oid oid, umuser oid, umserver oid, umoptions VARCHAR[]);
CREATE TABLE info.administrable_role_authorizations (grantee name, role_name name, is_grantable VARCHAR);
CREATE TABLE info.attributes (udt_catalog name, udt_schema name, udt_name name, attribute_name name,
    ordinal_position INTEGER, attribute_default VARCHAR, is_nullable VARCHAR, data_type VARCHAR,
    character_maximum_length INTEGER, character_octet_length INTEGER, character_set_catalog name,
    character_set_schema name, character_set_name name, collation_catalog name, collation_schema name,
    collation_name name, numeric_precision INTEGER, numeric_precision_radix INTEGER, numeric_scale INTEGER,
    datetime_precision INTEGER, interval_type VARCHAR, interval_precision INTEGER, attribute_udt_catalog
    name, attribute_udt_schema name, attribute_udt_name name, scope_catalog name, scope_schema name,
    scope_name name, maximum_cardinality INTEGER, dtd_identifier name, is_derived_reference_attribute
    VARCHAR);
CREATE TABLE info.check_constraint_routine_usage (constraint_catalog name, constraint_schema name,
    constraint_name name, specific_catalog name, specific_schema name, specific_name name);
CREATE TABLE info.column_column_usage (table_catalog name, table_schema name, table_name name, column_name
    name, dependent_column name);
CREATE TABLE info.column_options (table_catalog name, table_schema name, table_name name, column_name name,
    option_name name, option_value VARCHAR);
CREATE TABLE info.data_type_privileges (object_catalog name, object_schema name, object_name name,
    object_type VARCHAR, dtd_identifier name);
CREATE TABLE info.domain_udt_usage (udt_catalog name, udt_schema name, udt_name name, domain_catalog name,
    domain_schema name, domain_name name);
CREATE TABLE info.foreign_data_wrapper_options (foreign_data_wrapper_catalog name, foreign_data_wrapper_name
    name, option_name name, option_value VARCHAR);
CREATE TABLE info.foreign_data_wrappers (foreign_data_wrapper_catalog name, foreign_data_wrapper_name name,
    authorization_identifier name, library_name VARCHAR, foreign_data_wrapper_language VARCHAR);
CREATE TABLE info.foreign_server_options (foreign_server_catalog name, foreign_server_name name, option_name
    name, option_value VARCHAR);
CREATE TABLE info.foreign_servers (foreign_server_catalog name, foreign_server_name name,
    foreign_data_wrapper_catalog name, foreign_data_wrapper_name name, foreign_server_type VARCHAR,
    foreign_server_version VARCHAR, authorization_identifier name);
CREATE TABLE info.foreign_table_options (foreign_table_catalog name, foreign_table_schema name,
    foreign_table_name name, option_name name, option_value VARCHAR);
CREATE TABLE info.role_udt_grants (grantor name, grantee name, udt_catalog name, udt_schema name, udt_name
    name, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.role_usage_grants (grantor name, grantee name, object_catalog name, object_schema name,
    object_name name, object_type VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.routine_column_usage (specific_catalog name, specific_schema name, specific_name name,
    routine_catalog name, routine_schema name, routine_name name, table_catalog name, table_schema name,
    table_name name, column_name name);
CREATE TABLE info.routine_routine_usage (specific_catalog name, specific_schema name, specific_name name,
    routine_catalog name, routine_schema name, routine_name name);
CREATE TABLE info.routine_sequence_usage (specific_catalog name, specific_schema name, specific_name name,
    routine_catalog name, routine_schema name, routine_name name, sequence_catalog name, sequence_schema
    name, sequence_name name);
CREATE TABLE info.routine_table_usage (specific_catalog name, specific_schema name, specific_name name,
    routine_catalog name, routine_schema name, routine_name name, table_catalog name, table_schema name,
    table_name name);
CREATE TABLE info.sql_features (feature_id VARCHAR, feature_name VARCHAR, sub_feature_id VARCHAR,
    sub_feature_name VARCHAR, is_supported VARCHAR, is_verified_by VARCHAR, comments VARCHAR);
CREATE TABLE info.sql_implementation_info (implementation_info_id VARCHAR, implementation_info_name VARCHAR,
    integer_value INTEGER, character_value VARCHAR, comments VARCHAR);
CREATE TABLE info.sql_parts (feature_id VARCHAR, feature_name VARCHAR, is_supported VARCHAR, is_verified_by
    VARCHAR, comments VARCHAR);
CREATE TABLE info.sql_sizing (sizing_id INTEGER, sizing_name VARCHAR, supported_value INTEGER, comments
    VARCHAR);
CREATE TABLE info.transforms (udt_catalog name, udt_schema name, udt_name name, specific_catalog name,
    specific_schema name, specific_name name, group_name name, transform_type VARCHAR);
CREATE TABLE info.triggered_update_columns (trigger_catalog name, trigger_schema name, trigger_name name,
    event_object_catalog name, event_object_schema name, event_object_table name, event_object_column name);
CREATE TABLE info.udt_privileges (grantor name, grantee name, udt_catalog name, udt_schema name, udt_name
    name, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.usage_privileges (grantor name, grantee name, object_catalog name, object_schema name,
    object_name name, object_type VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.user_mapping_options (authorization_identifier name, foreign_server_catalog name,
    foreign_server_name name, option_name name, option_value VARCHAR);
CREATE TABLE info.user_mappings (authorization_identifier name, foreign_server_catalog name,
    foreign_server_name name);
CREATE TABLE info.view_column_usage (view_catalog name, view_schema name, view_name name, table_catalog
    name, table_schema name, table_name name, column_name name);
CREATE TABLE info.view_routine_usage (table_catalog name, table_schema name, table_name name,
    specific_catalog name, specific_schema name, specific_name name);
CREATE TABLE info.view_table_usage (view_catalog name, view_schema name, view_name name, table_catalog name,
    table_schema name, table_name name);
