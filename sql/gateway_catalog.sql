-- The Postgres catalog of the gateway: pg_catalog is the schema pg, information_schema is info.
--
-- They stand alone in a database in memory that holds nothing but the public schema and its policies. Tables
-- that no query of ours fills are empty on purpose: there are no row counts, sizes or statistics. Column
-- types keep Postgres's names where DuckDB can say them (oid, name, "char", regproc, int2vector, oidvector).
-- Who asks is in the cursor's variables gateway_user, gateway_database, gateway_pid and gateway_settings.
-- Every macro in pg and info may be called by an analyst, under its name.

CREATE SCHEMA pg;
CREATE SCHEMA info;
CREATE SCHEMA own; -- what only the macros below and the rewriter use
CREATE TYPE name AS VARCHAR;
CREATE TYPE regproc AS BIGINT;
CREATE TYPE int2vector AS SMALLINT[];
CREATE TYPE oidvector AS BIGINT[];

-- What the catalog tables have no column for.
CREATE TABLE own.spellings (spelling VARCHAR, object oid); -- each way to write a relation's name
CREATE TABLE own.shown_types (object oid, shown VARCHAR); -- types as format_type writes them
CREATE TABLE own.calls (object oid, arguments VARCHAR, result VARCHAR);
CREATE TABLE own.definitions (object oid, definition VARCHAR); -- of indexes and constraints
CREATE TABLE own.column_facts (relation oid, number SMALLINT, data_type VARCHAR, udt VARCHAR,
    numeric_precision INTEGER, radix INTEGER, scale INTEGER, datetime_precision INTEGER);

-- pg_catalog: tables

CREATE TABLE pg.pg_am (oid oid, amname name, amhandler regproc, amtype "char");
CREATE TABLE pg.pg_amop (oid oid, amopfamily oid, amoplefttype oid, amoprighttype oid, amopstrategy
    SMALLINT, amoppurpose "char", amopopr oid, amopmethod oid, amopsortfamily oid);
CREATE TABLE pg.pg_amproc (oid oid, amprocfamily oid, amproclefttype oid, amprocrighttype oid, amprocnum
    SMALLINT, amproc regproc);
CREATE TABLE pg.pg_attrdef (oid oid, adrelid oid, adnum SMALLINT, adbin VARCHAR);
CREATE TABLE pg.pg_attribute (attrelid oid, attname name, atttypid oid, attstattarget INTEGER, attlen
    SMALLINT, attnum SMALLINT, attndims INTEGER, attcacheoff INTEGER, atttypmod INTEGER, attbyval BOOLEAN,
    attalign "char", attstorage "char", attcompression "char", attnotnull BOOLEAN, atthasdef BOOLEAN,
    atthasmissing BOOLEAN, attidentity "char", attgenerated "char", attisdropped BOOLEAN, attislocal
    BOOLEAN, attinhcount INTEGER, attcollation oid, attacl VARCHAR[], attoptions VARCHAR[], attfdwoptions
    VARCHAR[], attmissingval VARCHAR);
CREATE TABLE pg.pg_auth_members (roleid oid, member oid, grantor oid, admin_option BOOLEAN);
CREATE TABLE pg.pg_available_extension_versions (name name, version VARCHAR, installed BOOLEAN, superuser
    BOOLEAN, trusted BOOLEAN, relocatable BOOLEAN, schema name, requires VARCHAR[], comment VARCHAR);
CREATE TABLE pg.pg_available_extensions (name name, default_version VARCHAR, installed_version VARCHAR,
    comment VARCHAR);
CREATE TABLE pg.pg_cast (oid oid, castsource oid, casttarget oid, castfunc oid, castcontext "char",
    castmethod "char");
CREATE TABLE pg.pg_class (oid oid, relname name, relnamespace oid, reltype oid, reloftype oid, relowner oid,
    relam oid, relfilenode oid, reltablespace oid, relpages INTEGER, reltuples FLOAT, relallvisible INTEGER,
    reltoastrelid oid, relhasindex BOOLEAN, relisshared BOOLEAN, relpersistence "char", relkind "char",
    relnatts SMALLINT, relchecks SMALLINT, relhasrules BOOLEAN, relhastriggers BOOLEAN, relhassubclass
    BOOLEAN, relrowsecurity BOOLEAN, relforcerowsecurity BOOLEAN, relispopulated BOOLEAN, relreplident
    "char", relispartition BOOLEAN, relrewrite oid, relfrozenxid oid, relminmxid oid, relacl VARCHAR[],
    reloptions VARCHAR[], relpartbound VARCHAR);
CREATE TABLE pg.pg_collation (oid oid, collname name, collnamespace oid, collowner oid, collprovider "char",
    collisdeterministic BOOLEAN, collencoding INTEGER, collcollate VARCHAR, collctype VARCHAR, colliculocale
    VARCHAR, collversion VARCHAR);
CREATE TABLE pg.pg_constraint (oid oid, conname name, connamespace oid, contype "char", condeferrable
    BOOLEAN, condeferred BOOLEAN, convalidated BOOLEAN, conrelid oid, contypid oid, conindid oid,
    conparentid oid, confrelid oid, confupdtype "char", confdeltype "char", confmatchtype "char", conislocal
    BOOLEAN, coninhcount INTEGER, connoinherit BOOLEAN, conkey SMALLINT[], confkey SMALLINT[], conpfeqop
    BIGINT[], conppeqop BIGINT[], conffeqop BIGINT[], confdelsetcols SMALLINT[], conexclop BIGINT[], conbin
    VARCHAR);
CREATE TABLE pg.pg_conversion (oid oid, conname name, connamespace oid, conowner oid, conforencoding
    INTEGER, contoencoding INTEGER, conproc regproc, condefault BOOLEAN);
CREATE TABLE pg.pg_database (oid oid, datname name, datdba oid, encoding INTEGER, datlocprovider "char",
    datistemplate BOOLEAN, datallowconn BOOLEAN, datconnlimit INTEGER, datfrozenxid oid, datminmxid oid,
    dattablespace oid, datcollate VARCHAR, datctype VARCHAR, daticulocale VARCHAR, datcollversion VARCHAR,
    datacl VARCHAR[]);
CREATE TABLE pg.pg_db_role_setting (setdatabase oid, setrole oid, setconfig VARCHAR[]);
CREATE TABLE pg.pg_default_acl (oid oid, defaclrole oid, defaclnamespace oid, defaclobjtype "char",
    defaclacl VARCHAR[]);
CREATE TABLE pg.pg_depend (classid oid, objid oid, objsubid INTEGER, refclassid oid, refobjid oid,
    refobjsubid INTEGER, deptype "char");
CREATE TABLE pg.pg_description (objoid oid, classoid oid, objsubid INTEGER, description VARCHAR);
CREATE TABLE pg.pg_enum (oid oid, enumtypid oid, enumsortorder FLOAT, enumlabel name);
CREATE TABLE pg.pg_event_trigger (oid oid, evtname name, evtevent name, evtowner oid, evtfoid oid,
    evtenabled "char", evttags VARCHAR[]);
CREATE TABLE pg.pg_extension (oid oid, extname name, extowner oid, extnamespace oid, extrelocatable BOOLEAN,
    extversion VARCHAR, extconfig BIGINT[], extcondition VARCHAR[]);
CREATE TABLE pg.pg_foreign_data_wrapper (oid oid, fdwname name, fdwowner oid, fdwhandler oid, fdwvalidator
    oid, fdwacl VARCHAR[], fdwoptions VARCHAR[]);
CREATE TABLE pg.pg_foreign_server (oid oid, srvname name, srvowner oid, srvfdw oid, srvtype VARCHAR,
    srvversion VARCHAR, srvacl VARCHAR[], srvoptions VARCHAR[]);
CREATE TABLE pg.pg_foreign_table (ftrelid oid, ftserver oid, ftoptions VARCHAR[]);
CREATE TABLE pg.pg_index (indexrelid oid, indrelid oid, indnatts SMALLINT, indnkeyatts SMALLINT, indisunique
    BOOLEAN, indnullsnotdistinct BOOLEAN, indisprimary BOOLEAN, indisexclusion BOOLEAN, indimmediate
    BOOLEAN, indisclustered BOOLEAN, indisvalid BOOLEAN, indcheckxmin BOOLEAN, indisready BOOLEAN, indislive
    BOOLEAN, indisreplident BOOLEAN, indkey int2vector, indcollation oidvector, indclass oidvector,
    indoption int2vector, indexprs VARCHAR, indpred VARCHAR);
CREATE TABLE pg.pg_inherits (inhrelid oid, inhparent oid, inhseqno INTEGER, inhdetachpending BOOLEAN);
CREATE TABLE pg.pg_language (oid oid, lanname name, lanowner oid, lanispl BOOLEAN, lanpltrusted BOOLEAN,
    lanplcallfoid oid, laninline oid, lanvalidator oid, lanacl VARCHAR[]);
CREATE TABLE pg.pg_largeobject_metadata (oid oid, lomowner oid, lomacl VARCHAR[]);
CREATE TABLE pg.pg_locks (locktype VARCHAR, database oid, relation oid, page INTEGER, tuple SMALLINT,
    virtualxid VARCHAR, transactionid oid, classid oid, objid oid, objsubid SMALLINT, virtualtransaction
    VARCHAR, pid INTEGER, mode VARCHAR, granted BOOLEAN, fastpath BOOLEAN, waitstart TIMESTAMPTZ);
CREATE TABLE pg.pg_matviews (schemaname name, matviewname name, matviewowner name, tablespace name,
    hasindexes BOOLEAN, ispopulated BOOLEAN, definition VARCHAR);
CREATE TABLE pg.pg_namespace (oid oid, nspname name, nspowner oid, nspacl VARCHAR[]);
CREATE TABLE pg.pg_opclass (oid oid, opcmethod oid, opcname name, opcnamespace oid, opcowner oid, opcfamily
    oid, opcintype oid, opcdefault BOOLEAN, opckeytype oid);
CREATE TABLE pg.pg_operator (oid oid, oprname name, oprnamespace oid, oprowner oid, oprkind "char",
    oprcanmerge BOOLEAN, oprcanhash BOOLEAN, oprleft oid, oprright oid, oprresult oid, oprcom oid, oprnegate
    oid, oprcode regproc, oprrest regproc, oprjoin regproc);
CREATE TABLE pg.pg_opfamily (oid oid, opfmethod oid, opfname name, opfnamespace oid, opfowner oid);
CREATE TABLE pg.pg_partitioned_table (partrelid oid, partstrat "char", partnatts SMALLINT, partdefid oid,
    partattrs int2vector, partclass oidvector, partcollation oidvector, partexprs VARCHAR);
CREATE TABLE pg.pg_policies (schemaname name, tablename name, policyname name, permissive VARCHAR, roles
    VARCHAR[], cmd VARCHAR, qual VARCHAR, with_check VARCHAR);
CREATE TABLE pg.pg_policy (oid oid, polname name, polrelid oid, polcmd "char", polpermissive BOOLEAN,
    polroles BIGINT[], polqual VARCHAR, polwithcheck VARCHAR);
CREATE TABLE pg.pg_proc (oid oid, proname name, pronamespace oid, proowner oid, prolang oid, procost FLOAT,
    prorows FLOAT, provariadic oid, prosupport regproc, prokind "char", prosecdef BOOLEAN, proleakproof
    BOOLEAN, proisstrict BOOLEAN, proretset BOOLEAN, provolatile "char", proparallel "char", pronargs
    SMALLINT, pronargdefaults SMALLINT, prorettype oid, proargtypes oidvector, proallargtypes BIGINT[],
    proargmodes VARCHAR[], proargnames VARCHAR[], proargdefaults VARCHAR, protrftypes BIGINT[], prosrc
    VARCHAR, probin VARCHAR, prosqlbody VARCHAR, proconfig VARCHAR[], proacl VARCHAR[]);
CREATE TABLE pg.pg_publication (oid oid, pubname name, pubowner oid, puballtables BOOLEAN, pubinsert
    BOOLEAN, pubupdate BOOLEAN, pubdelete BOOLEAN, pubtruncate BOOLEAN, pubviaroot BOOLEAN);
CREATE TABLE pg.pg_publication_namespace (oid oid, pnpubid oid, pnnspid oid);
CREATE TABLE pg.pg_publication_rel (oid oid, prpubid oid, prrelid oid, prqual VARCHAR, prattrs int2vector);
CREATE TABLE pg.pg_range (rngtypid oid, rngsubtype oid, rngmultitypid oid, rngcollation oid, rngsubopc oid,
    rngcanonical regproc, rngsubdiff regproc);
CREATE TABLE pg.pg_rewrite (oid oid, rulename name, ev_class oid, ev_type "char", ev_enabled "char",
    is_instead BOOLEAN, ev_qual VARCHAR, ev_action VARCHAR);
CREATE TABLE pg.pg_rules (schemaname name, tablename name, rulename name, definition VARCHAR);
CREATE TABLE pg.pg_seclabel (objoid oid, classoid oid, objsubid INTEGER, provider VARCHAR, label VARCHAR);
CREATE TABLE pg.pg_seclabels (objoid oid, classoid oid, objsubid INTEGER, objtype VARCHAR, objnamespace oid,
    objname VARCHAR, provider VARCHAR, label VARCHAR);
CREATE TABLE pg.pg_sequence (seqrelid oid, seqtypid oid, seqstart BIGINT, seqincrement BIGINT, seqmax
    BIGINT, seqmin BIGINT, seqcache BIGINT, seqcycle BOOLEAN);
CREATE TABLE pg.pg_sequences (schemaname name, sequencename name, sequenceowner name, data_type oid,
    start_value BIGINT, min_value BIGINT, max_value BIGINT, increment_by BIGINT, cycle BOOLEAN, cache_size
    BIGINT, last_value BIGINT);
CREATE TABLE pg.pg_shdepend (dbid oid, classid oid, objid oid, objsubid INTEGER, refclassid oid, refobjid
    oid, deptype "char");
CREATE TABLE pg.pg_shdescription (objoid oid, classoid oid, description VARCHAR);
CREATE TABLE pg.pg_shseclabel (objoid oid, classoid oid, provider VARCHAR, label VARCHAR);
CREATE TABLE pg.pg_stat_database (datid oid, datname name, numbackends INTEGER, xact_commit BIGINT,
    xact_rollback BIGINT, blks_read BIGINT, blks_hit BIGINT, tup_returned BIGINT, tup_fetched BIGINT,
    tup_inserted BIGINT, tup_updated BIGINT, tup_deleted BIGINT, conflicts BIGINT, temp_files BIGINT,
    temp_bytes BIGINT, deadlocks BIGINT, checksum_failures BIGINT, checksum_last_failure TIMESTAMPTZ,
    blk_read_time DOUBLE, blk_write_time DOUBLE, session_time DOUBLE, active_time DOUBLE,
    idle_in_transaction_time DOUBLE, sessions BIGINT, sessions_abandoned BIGINT, sessions_fatal BIGINT,
    sessions_killed BIGINT, stats_reset TIMESTAMPTZ);
CREATE TABLE pg.pg_statistic (starelid oid, staattnum SMALLINT, stainherit BOOLEAN, stanullfrac FLOAT,
    stawidth INTEGER, stadistinct FLOAT, stakind1 SMALLINT, stakind2 SMALLINT, stakind3 SMALLINT, stakind4
    SMALLINT, stakind5 SMALLINT, staop1 oid, staop2 oid, staop3 oid, staop4 oid, staop5 oid, stacoll1 oid,
    stacoll2 oid, stacoll3 oid, stacoll4 oid, stacoll5 oid, stanumbers1 FLOAT[], stanumbers2 FLOAT[],
    stanumbers3 FLOAT[], stanumbers4 FLOAT[], stanumbers5 FLOAT[], stavalues1 VARCHAR, stavalues2 VARCHAR,
    stavalues3 VARCHAR, stavalues4 VARCHAR, stavalues5 VARCHAR);
CREATE TABLE pg.pg_statistic_ext (oid oid, stxrelid oid, stxname name, stxnamespace oid, stxowner oid,
    stxstattarget INTEGER, stxkeys int2vector, stxkind VARCHAR[], stxexprs VARCHAR);
CREATE TABLE pg.pg_stats (schemaname name, tablename name, attname name, inherited BOOLEAN, null_frac FLOAT,
    avg_width INTEGER, n_distinct FLOAT, most_common_vals VARCHAR, most_common_freqs FLOAT[],
    histogram_bounds VARCHAR, correlation FLOAT, most_common_elems VARCHAR, most_common_elem_freqs FLOAT[],
    elem_count_histogram FLOAT[]);
CREATE TABLE pg.pg_subscription (oid oid, subdbid oid, subskiplsn VARCHAR, subname name, subowner oid,
    subenabled BOOLEAN, subbinary BOOLEAN, substream BOOLEAN, subtwophasestate "char", subdisableonerr
    BOOLEAN, subconninfo VARCHAR, subslotname name, subsynccommit VARCHAR, subpublications VARCHAR[]);
CREATE TABLE pg.pg_tablespace (oid oid, spcname name, spcowner oid, spcacl VARCHAR[], spcoptions VARCHAR[]);
CREATE TABLE pg.pg_timezone_names (name VARCHAR, abbrev VARCHAR, utc_offset INTERVAL, is_dst BOOLEAN);
CREATE TABLE pg.pg_trigger (oid oid, tgrelid oid, tgparentid oid, tgname name, tgfoid oid, tgtype SMALLINT,
    tgenabled "char", tgisinternal BOOLEAN, tgconstrrelid oid, tgconstrindid oid, tgconstraint oid,
    tgdeferrable BOOLEAN, tginitdeferred BOOLEAN, tgnargs SMALLINT, tgattr int2vector, tgargs BLOB, tgqual
    VARCHAR, tgoldtable name, tgnewtable name);
CREATE TABLE pg.pg_ts_config (oid oid, cfgname name, cfgnamespace oid, cfgowner oid, cfgparser oid);
CREATE TABLE pg.pg_ts_config_map (mapcfg oid, maptokentype INTEGER, mapseqno INTEGER, mapdict oid);
CREATE TABLE pg.pg_ts_dict (oid oid, dictname name, dictnamespace oid, dictowner oid, dicttemplate oid,
    dictinitoption VARCHAR);
CREATE TABLE pg.pg_ts_parser (oid oid, prsname name, prsnamespace oid, prsstart regproc, prstoken regproc,
    prsend regproc, prsheadline regproc, prslextype regproc);
CREATE TABLE pg.pg_ts_template (oid oid, tmplname name, tmplnamespace oid, tmplinit regproc, tmpllexize
    regproc);
CREATE TABLE pg.pg_type (oid oid, typname name, typnamespace oid, typowner oid, typlen SMALLINT, typbyval
    BOOLEAN, typtype "char", typcategory "char", typispreferred BOOLEAN, typisdefined BOOLEAN, typdelim
    "char", typrelid oid, typsubscript regproc, typelem oid, typarray oid, typinput regproc, typoutput
    regproc, typreceive regproc, typsend regproc, typmodin regproc, typmodout regproc, typanalyze regproc,
    typalign "char", typstorage "char", typnotnull BOOLEAN, typbasetype oid, typtypmod INTEGER, typndims
    INTEGER, typcollation oid, typdefaultbin VARCHAR, typdefault VARCHAR, typacl VARCHAR[]);
CREATE TABLE pg.pg_user_mappings (umid oid, srvid oid, srvname name, umuser oid, usename name, umoptions
    VARCHAR[]);

-- information_schema: tables

CREATE TABLE info.character_sets (character_set_catalog VARCHAR, character_set_schema VARCHAR,
    character_set_name VARCHAR, character_repertoire VARCHAR, form_of_use VARCHAR, default_collate_catalog
    VARCHAR, default_collate_schema VARCHAR, default_collate_name VARCHAR);
CREATE TABLE info.check_constraints (constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name
    VARCHAR, check_clause VARCHAR);
CREATE TABLE info.collation_character_set_applicability (collation_catalog VARCHAR, collation_schema
    VARCHAR, collation_name VARCHAR, character_set_catalog VARCHAR, character_set_schema VARCHAR,
    character_set_name VARCHAR);
CREATE TABLE info.collations (collation_catalog VARCHAR, collation_schema VARCHAR, collation_name VARCHAR,
    pad_attribute VARCHAR);
CREATE TABLE info.column_domain_usage (domain_catalog VARCHAR, domain_schema VARCHAR, domain_name VARCHAR,
    table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, column_name VARCHAR);
CREATE TABLE info.column_udt_usage (udt_catalog VARCHAR, udt_schema VARCHAR, udt_name VARCHAR, table_catalog
    VARCHAR, table_schema VARCHAR, table_name VARCHAR, column_name VARCHAR);
CREATE TABLE info.constraint_table_usage (table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR,
    constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name VARCHAR);
CREATE TABLE info.domain_constraints (constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name
    VARCHAR, domain_catalog VARCHAR, domain_schema VARCHAR, domain_name VARCHAR, is_deferrable VARCHAR,
    initially_deferred VARCHAR);
CREATE TABLE info.domains (domain_catalog VARCHAR, domain_schema VARCHAR, domain_name VARCHAR, data_type
    VARCHAR, character_maximum_length INTEGER, character_octet_length INTEGER, character_set_catalog
    VARCHAR, character_set_schema VARCHAR, character_set_name VARCHAR, collation_catalog VARCHAR,
    collation_schema VARCHAR, collation_name VARCHAR, numeric_precision INTEGER, numeric_precision_radix
    INTEGER, numeric_scale INTEGER, datetime_precision INTEGER, interval_type VARCHAR, interval_precision
    INTEGER, domain_default VARCHAR, udt_catalog VARCHAR, udt_schema VARCHAR, udt_name VARCHAR,
    scope_catalog VARCHAR, scope_schema VARCHAR, scope_name VARCHAR, maximum_cardinality INTEGER,
    dtd_identifier VARCHAR);
CREATE TABLE info.element_types (object_catalog VARCHAR, object_schema VARCHAR, object_name VARCHAR,
    object_type VARCHAR, collection_type_identifier VARCHAR, data_type VARCHAR, character_maximum_length
    INTEGER, character_octet_length INTEGER, character_set_catalog VARCHAR, character_set_schema VARCHAR,
    character_set_name VARCHAR, collation_catalog VARCHAR, collation_schema VARCHAR, collation_name VARCHAR,
    numeric_precision INTEGER, numeric_precision_radix INTEGER, numeric_scale INTEGER, datetime_precision
    INTEGER, interval_type VARCHAR, interval_precision INTEGER, domain_default VARCHAR, udt_catalog VARCHAR,
    udt_schema VARCHAR, udt_name VARCHAR, scope_catalog VARCHAR, scope_schema VARCHAR, scope_name VARCHAR,
    maximum_cardinality INTEGER, dtd_identifier VARCHAR);
CREATE TABLE info.foreign_tables (foreign_table_catalog VARCHAR, foreign_table_schema VARCHAR,
    foreign_table_name VARCHAR, foreign_server_catalog VARCHAR, foreign_server_name VARCHAR);
CREATE TABLE info.parameters (specific_catalog VARCHAR, specific_schema VARCHAR, specific_name VARCHAR,
    ordinal_position INTEGER, parameter_mode VARCHAR, is_result VARCHAR, as_locator VARCHAR, parameter_name
    VARCHAR, data_type VARCHAR, character_maximum_length INTEGER, character_octet_length INTEGER,
    character_set_catalog VARCHAR, character_set_schema VARCHAR, character_set_name VARCHAR,
    collation_catalog VARCHAR, collation_schema VARCHAR, collation_name VARCHAR, numeric_precision INTEGER,
    numeric_precision_radix INTEGER, numeric_scale INTEGER, datetime_precision INTEGER, interval_type
    VARCHAR, interval_precision INTEGER, udt_catalog VARCHAR, udt_schema VARCHAR, udt_name VARCHAR,
    scope_catalog VARCHAR, scope_schema VARCHAR, scope_name VARCHAR, maximum_cardinality INTEGER,
    dtd_identifier VARCHAR, parameter_default VARCHAR);
CREATE TABLE info.role_column_grants (grantor VARCHAR, grantee VARCHAR, table_catalog VARCHAR, table_schema
    VARCHAR, table_name VARCHAR, column_name VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.role_routine_grants (grantor VARCHAR, grantee VARCHAR, specific_catalog VARCHAR,
    specific_schema VARCHAR, specific_name VARCHAR, routine_catalog VARCHAR, routine_schema VARCHAR,
    routine_name VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.routine_privileges (grantor VARCHAR, grantee VARCHAR, specific_catalog VARCHAR,
    specific_schema VARCHAR, specific_name VARCHAR, routine_catalog VARCHAR, routine_schema VARCHAR,
    routine_name VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
CREATE TABLE info.sequences (sequence_catalog VARCHAR, sequence_schema VARCHAR, sequence_name VARCHAR,
    data_type VARCHAR, numeric_precision INTEGER, numeric_precision_radix INTEGER, numeric_scale INTEGER,
    start_value VARCHAR, minimum_value VARCHAR, maximum_value VARCHAR, increment VARCHAR, cycle_option
    VARCHAR);
CREATE TABLE info.triggers (trigger_catalog VARCHAR, trigger_schema VARCHAR, trigger_name VARCHAR,
    event_manipulation VARCHAR, event_object_catalog VARCHAR, event_object_schema VARCHAR,
    event_object_table VARCHAR, action_order INTEGER, action_condition VARCHAR, action_statement VARCHAR,
    action_orientation VARCHAR, action_timing VARCHAR, action_reference_old_table VARCHAR,
    action_reference_new_table VARCHAR, action_reference_old_row VARCHAR, action_reference_new_row VARCHAR,
    created TIMESTAMPTZ);
CREATE TABLE info.user_defined_types (user_defined_type_catalog VARCHAR, user_defined_type_schema VARCHAR,
    user_defined_type_name VARCHAR, user_defined_type_category VARCHAR, is_instantiable VARCHAR, is_final
    VARCHAR, ordering_form VARCHAR, ordering_category VARCHAR, ordering_routine_catalog VARCHAR,
    ordering_routine_schema VARCHAR, ordering_routine_name VARCHAR, reference_type VARCHAR, data_type
    VARCHAR, character_maximum_length INTEGER, character_octet_length INTEGER, character_set_catalog
    VARCHAR, character_set_schema VARCHAR, character_set_name VARCHAR, collation_catalog VARCHAR,
    collation_schema VARCHAR, collation_name VARCHAR, numeric_precision INTEGER, numeric_precision_radix
    INTEGER, numeric_scale INTEGER, datetime_precision INTEGER, interval_type VARCHAR, interval_precision
    INTEGER, source_dtd_identifier VARCHAR, ref_dtd_identifier VARCHAR);

-- Who asks.

CREATE MACRO pg.current_database() AS getvariable('gateway_database')::VARCHAR;
CREATE MACRO pg.current_catalog() AS getvariable('gateway_database')::VARCHAR;
CREATE MACRO pg.current_user() AS getvariable('gateway_user')::VARCHAR;
CREATE MACRO pg.session_user() AS getvariable('gateway_user')::VARCHAR;
CREATE MACRO pg.current_role() AS getvariable('gateway_user')::VARCHAR;
CREATE MACRO pg.user() AS getvariable('gateway_user')::VARCHAR;
CREATE MACRO pg.current_schema() AS 'public';
CREATE MACRO pg.current_schemas(implicit) AS
    CASE WHEN implicit THEN ['pg_catalog', 'public'] ELSE ['public'] END;
CREATE MACRO pg.version() AS 'PostgreSQL 15.0 (dpduck)';
CREATE MACRO pg.pg_backend_pid() AS getvariable('gateway_pid')::INTEGER;
CREATE MACRO pg.current_setting
    (setting_name) AS (getvariable('gateway_settings')::MAP(VARCHAR, VARCHAR))[lower(setting_name)],
    (setting_name, missing_ok) AS
        (getvariable('gateway_settings')::MAP(VARCHAR, VARCHAR))[lower(setting_name)];
CREATE MACRO pg.set_config(setting_name, new_value, is_local) AS new_value;
CREATE MACRO pg.pg_is_in_recovery() AS false;
CREATE MACRO pg.txid_current() AS 1::BIGINT;
CREATE MACRO pg.pg_current_xact_id() AS 1::BIGINT;
CREATE MACRO pg.inet_server_addr() AS NULL::VARCHAR;
CREATE MACRO pg.inet_server_port() AS NULL::INTEGER;
CREATE MACRO pg.inet_client_addr() AS NULL::VARCHAR;
CREATE MACRO pg.inet_client_port() AS NULL::INTEGER;
CREATE MACRO pg.pg_postmaster_start_time() AS NULL::TIMESTAMPTZ;
CREATE MACRO pg.pg_conf_load_time() AS NULL::TIMESTAMPTZ;
CREATE MACRO pg.pg_my_temp_schema() AS 0::BIGINT;
CREATE MACRO pg.pg_is_other_temp_schema(schema_oid) AS false;
CREATE MACRO pg.pg_client_encoding() AS 'UTF8';
CREATE MACRO pg.getdatabaseencoding() AS 'UTF8';
CREATE MACRO pg.pg_encoding_to_char(encoding) AS
    CASE encoding WHEN 6 THEN 'UTF8' WHEN 0 THEN 'SQL_ASCII' ELSE '' END;
CREATE MACRO pg.pg_char_to_encoding(encoding) AS
    CASE WHEN upper(replace(encoding, '-', '')) = 'UTF8' THEN 6 ELSE -1 END;
CREATE MACRO pg.pg_encoding_max_length(encoding) AS CASE encoding WHEN 6 THEN 4 ELSE 1 END;
CREATE MACRO pg.pg_export_snapshot() AS '00000000-00000000-0';
CREATE MACRO pg.pg_get_replica_identity_index(relation) AS NULL::BIGINT;

-- Roles: the owner of all, and whoever asks.

CREATE MACRO pg.pg_get_userbyid(role) AS
    CASE role WHEN 10 THEN 'dpduck' WHEN 16383 THEN getvariable('gateway_user')::VARCHAR END;
CREATE VIEW pg.pg_roles AS
    SELECT 'dpduck' AS rolname, true AS rolsuper, true AS rolinherit, true AS rolcreaterole,
        true AS rolcreatedb, false AS rolcanlogin, false AS rolreplication, -1 AS rolconnlimit,
        '********' AS rolpassword, NULL::TIMESTAMPTZ AS rolvaliduntil, false AS rolbypassrls,
        NULL::VARCHAR[] AS rolconfig, 10::BIGINT AS oid
    UNION ALL
    SELECT getvariable('gateway_user')::VARCHAR, false, true, false, false, true, false, -1, '********', NULL,
        false, NULL, 16383;
CREATE VIEW pg.pg_user AS
    SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS usecreatedb, rolsuper AS usesuper,
        rolreplication AS userepl, rolbypassrls AS usebypassrls, '********' AS passwd,
        NULL::TIMESTAMPTZ AS valuntil, NULL::VARCHAR[] AS useconfig
    FROM pg.pg_roles WHERE rolcanlogin;
CREATE VIEW pg.pg_authid AS SELECT * EXCLUDE (rolpassword), NULL::VARCHAR AS rolpassword FROM pg.pg_roles;
CREATE VIEW pg.pg_group AS
    SELECT NULL::VARCHAR AS groname, NULL::BIGINT AS grosysid, NULL::BIGINT[] AS grolist WHERE false;

-- Settings and sessions: the asker's own.

CREATE VIEW pg.pg_settings AS
    SELECT s.key AS name, s.value AS setting, NULL::VARCHAR AS unit, 'dpduck' AS category,
        NULL::VARCHAR AS short_desc, NULL::VARCHAR AS extra_desc, 'user' AS context, 'string' AS vartype,
        'default' AS source, NULL::VARCHAR AS min_val, NULL::VARCHAR AS max_val, NULL::VARCHAR[] AS enumvals,
        s.value AS boot_val, s.value AS reset_val, NULL::VARCHAR AS sourcefile, NULL::INTEGER AS sourceline,
        false AS pending_restart
    FROM (SELECT unnest(map_entries(getvariable('gateway_settings')::MAP(VARCHAR, VARCHAR))) AS s);
CREATE VIEW pg.pg_stat_activity AS
    SELECT 5::BIGINT AS datid, pg.current_database() AS datname, pg.pg_backend_pid() AS pid,
        NULL::INTEGER AS leader_pid, 16383::BIGINT AS usesysid, pg.current_user() AS usename,
        pg.current_setting('application_name') AS application_name, NULL::VARCHAR AS client_addr,
        NULL::VARCHAR AS client_hostname, NULL::INTEGER AS client_port, NULL::TIMESTAMPTZ AS backend_start,
        NULL::TIMESTAMPTZ AS xact_start, NULL::TIMESTAMPTZ AS query_start, NULL::TIMESTAMPTZ AS state_change,
        NULL::VARCHAR AS wait_event_type, NULL::VARCHAR AS wait_event, 'active' AS state,
        NULL::BIGINT AS backend_xid, NULL::BIGINT AS backend_xmin, NULL::BIGINT AS query_id,
        NULL::VARCHAR AS query, 'client backend' AS backend_type;

-- What the macros look up. An argument is put into a macro as it was written, so that a name in it could be
-- taken for one of the macro's own: here all of those begin with own_, which no query may use.

CREATE VIEW own.own_classes AS
    SELECT c.oid AS own_oid, c.relname AS own_name, c.relnamespace AS own_place, n.nspname AS own_schema
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace;
CREATE VIEW own.own_types AS
    SELECT t.oid AS own_oid, t.typname AS own_name, t.typnamespace AS own_place, s.shown AS own_shown
    FROM pg.pg_type t JOIN own.shown_types s ON s.object = t.oid;
CREATE VIEW own.own_functions AS
    SELECT oid AS own_oid, proname AS own_name, pronamespace AS own_place FROM pg.pg_proc;
CREATE VIEW own.own_schemas AS SELECT oid AS own_oid, nspname AS own_name FROM pg.pg_namespace;
CREATE VIEW own.own_spellings AS SELECT spelling AS own_spelling, object AS own_oid FROM own.spellings;
CREATE VIEW own.own_columns AS
    SELECT attrelid AS own_oid, attnum AS own_number, attname AS own_name FROM pg.pg_attribute;
CREATE VIEW own.own_comments AS
    SELECT d.objoid AS own_oid, d.objsubid AS own_number, d.classoid AS own_class, c.relname AS own_catalog,
        d.description AS own_comment
    FROM pg.pg_description d JOIN pg.pg_class c ON c.oid = d.classoid;
CREATE VIEW own.own_definitions AS SELECT object AS own_oid, definition AS own_text FROM own.definitions;
CREATE VIEW own.own_calls AS
    SELECT object AS own_oid, arguments AS own_arguments, result AS own_result FROM own.calls;

-- Texts. DuckDB keeps no account of what replace and the like take, so that what they get is cut; and its LIKE
-- takes time that is exponential in the number of wildcards, a regular expression does not.

CREATE MACRO pg.replace(content, old, new) AS replace(left(content, 2000), old, left(new, 30));
CREATE MACRO pg.regexp_replace(content, pattern, new) AS
    regexp_replace(left(content, 2000), pattern, left(new, 30));
CREATE MACRO own.like_pattern(pattern) AS
    replace(replace(replace(replace(replace(regexp_replace(
        replace(replace(replace(replace(left(pattern, 2000),
            '\\', chr(3)), '\%', chr(1)), '\_', chr(2)), '\', ''),
        '([\]\[.^$*+?(){}|])', '\\\1', 'g'),
        '%', '.*'), '_', '.'), chr(1), '%'), chr(2), '_'), chr(3), '\\');

-- Names of objects, and objects by name.

CREATE MACRO pg.quote_ident(identifier) AS
    CASE WHEN regexp_full_match(identifier, '[a-z_][a-z0-9_]*') THEN identifier
    ELSE '"' || replace(left(identifier, 2000), '"', '""') || '"' END;
CREATE MACRO pg.quote_literal(content) AS '''' || replace(left(content::VARCHAR, 2000), '''', '''''') || '''';
CREATE MACRO pg.quote_nullable(content) AS
    coalesce('''' || replace(left(content::VARCHAR, 2000), '''', '''''') || '''', 'NULL');
CREATE MACRO pg.parse_ident(identifier) AS
    list_transform(regexp_extract_all(identifier, '"(?:[^"]|"")*"|[^."\s]+'),
        lambda x: CASE WHEN x[1] = '"' THEN replace(x[2:-2], '""', '"') ELSE lower(x) END);
CREATE MACRO own.within(wanted, place) AS -- the name without that of the database, if it has it in front
    CASE WHEN starts_with(wanted, place || '.') THEN right(wanted, -length(place) - 1)
    WHEN starts_with(wanted, '"' || place || '".') THEN right(wanted, -length(place) - 3) ELSE wanted END;
CREATE MACRO own.class_of(wanted) AS
    (SELECT min(own_oid) FROM own.own_spellings
    WHERE own_spelling = wanted OR (own_spelling = lower(wanted) AND NOT contains(wanted, '"')));
CREATE MACRO pg.to_regclass(wanted) AS
    CASE WHEN regexp_full_match(wanted, '[0-9]{1,10}') THEN wanted::BIGINT
    ELSE coalesce(own.class_of(wanted), own.class_of(own.within(wanted, pg.current_database()))) END;
CREATE MACRO own.type_written(wanted) AS -- SQL's own spellings, as format_type writes them
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(trim(lower(wanted)),
        '^(pg_catalog|"pg_catalog")\.', ''), '^int(\[\])?$', 'integer\1'),
        '^dec(?:imal)?(\[\])?$', 'numeric\1'), '^float(\[\])?$', 'double precision\1'), '^char(\[\])?$', 'character\1');
CREATE MACRO pg.to_regtype(wanted) AS
    CASE WHEN regexp_full_match(wanted, '[0-9]{1,10}') THEN wanted::BIGINT
    ELSE (SELECT min(own_oid) FROM own.own_types
        WHERE own.type_written(wanted) IN (own_name, own_shown, '"' || own_name || '"')) END;
CREATE MACRO pg.to_regproc(wanted) AS
    CASE WHEN regexp_full_match(wanted, '[0-9]{1,10}') THEN wanted::BIGINT
    ELSE (SELECT min(own_oid) FROM own.own_functions
        WHERE own_name = regexp_replace(lower(wanted), '^(pg_catalog|public)\.|\(.*\)$', '', 'g')) END;
CREATE MACRO pg.to_regprocedure(wanted) AS pg.to_regproc(wanted);
CREATE MACRO pg.to_regnamespace(wanted) AS
    CASE WHEN regexp_full_match(wanted, '[0-9]{1,10}') THEN wanted::BIGINT
    ELSE (SELECT min(own_oid) FROM own.own_schemas WHERE own_name = trim(wanted, '"')) END;
CREATE MACRO pg.to_regrole(wanted) AS
    CASE wanted WHEN 'dpduck' THEN 10::BIGINT
    WHEN getvariable('gateway_user')::VARCHAR THEN 16383::BIGINT END;
CREATE MACRO own.regclass_in(wanted) AS
    coalesce(pg.to_regclass(wanted), error('dpduck: this relation does not exist')::BIGINT);
CREATE MACRO own.regtype_in(wanted) AS
    coalesce(pg.to_regtype(wanted), error('dpduck: this type does not exist')::BIGINT);
CREATE MACRO own.regproc_in(wanted) AS
    coalesce(pg.to_regproc(wanted), error('dpduck: this function does not exist')::BIGINT);
CREATE MACRO own.regnamespace_in(wanted) AS
    coalesce(pg.to_regnamespace(wanted), error('dpduck: this schema does not exist')::BIGINT);
CREATE MACRO own.regrole_in(wanted) AS
    coalesce(pg.to_regrole(wanted), error('dpduck: this role does not exist')::BIGINT);
CREATE MACRO own.regclass_out(object_oid) AS
    coalesce((SELECT min(CASE WHEN own_schema IN ('public', 'pg_catalog') THEN ''
            ELSE pg.quote_ident(own_schema) || '.' END || pg.quote_ident(own_name))
        FROM own.own_classes WHERE own_oid = object_oid),
        CASE WHEN object_oid = 0 THEN '-' ELSE object_oid::VARCHAR END);
CREATE MACRO own.regtype_out(object_oid) AS
    coalesce((SELECT min(own_shown) FROM own.own_types WHERE own_oid = object_oid),
        CASE WHEN object_oid = 0 THEN '-' ELSE object_oid::VARCHAR END);
CREATE MACRO own.regtypes_out(items) AS
    (SELECT list(t.own_shown ORDER BY i.own_place) FROM (SELECT unnest(items) AS own_item,
        unnest(generate_series(1, len(items))) AS own_place) i JOIN own.own_types t ON t.own_oid = i.own_item);
CREATE MACRO own.regproc_out(object_oid) AS
    coalesce((SELECT min(own_name) FROM own.own_functions WHERE own_oid = object_oid),
        CASE WHEN object_oid = 0 THEN '-' ELSE object_oid::VARCHAR END);
CREATE MACRO own.regnamespace_out(object_oid) AS
    coalesce((SELECT min(pg.quote_ident(own_name)) FROM own.own_schemas WHERE own_oid = object_oid),
        object_oid::VARCHAR);
CREATE MACRO own.regrole_out(object_oid) AS coalesce(pg.pg_get_userbyid(object_oid), object_oid::VARCHAR);
CREATE MACRO pg.format_type(type_oid, modifier) AS
    CASE WHEN type_oid IS NULL THEN NULL
    WHEN type_oid = 1700 AND modifier >= 4
        THEN format('numeric({},{})', (modifier - 4) >> 16, (modifier - 4) & 65535)
    WHEN type_oid = 1231 AND modifier >= 4
        THEN format('numeric({},{})[]', (modifier - 4) >> 16, (modifier - 4) & 65535)
    WHEN type_oid = 1043 AND modifier >= 4 THEN format('character varying({})', modifier - 4)
    -- One map for all rows, not a subquery for each, so that rows stay in their order.
    ELSE coalesce((SELECT map(list(own_oid), list(own_shown)) FROM own.own_types)[type_oid],
        CASE WHEN type_oid = 0 THEN '-' ELSE '???' END) END;

-- Visibility and rights: visible is what is in public or pg_catalog; all may be read, nothing changed.

CREATE MACRO own.visible(schema_oid) AS schema_oid IN (11, 2200);
CREATE MACRO pg.pg_table_is_visible(object_oid) AS
    (SELECT bool_or(own.visible(own_place)) FROM own.own_classes WHERE own_oid = object_oid);
CREATE MACRO pg.pg_type_is_visible(object_oid) AS
    (SELECT bool_or(own.visible(own_place)) FROM own.own_types WHERE own_oid = object_oid);
CREATE MACRO pg.pg_function_is_visible(object_oid) AS
    (SELECT bool_or(own.visible(own_place)) FROM own.own_functions WHERE own_oid = object_oid);
CREATE MACRO pg.pg_operator_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_collation_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_conversion_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_opclass_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_opfamily_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_statistics_obj_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_ts_config_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_ts_dict_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_ts_parser_is_visible(object_oid) AS true;
CREATE MACRO pg.pg_ts_template_is_visible(object_oid) AS true;
CREATE MACRO own.only(privilege, allowed) AS
    list_has_any(
        string_split(regexp_replace(upper(privilege), '\s*(WITH GRANT OPTION)?\s*', '', 'g'), ','), allowed);
CREATE MACRO pg.has_table_privilege
    (object, privilege) AS own.only(privilege, ['SELECT']),
    (role, object, privilege) AS own.only(privilege, ['SELECT']);
CREATE MACRO pg.has_any_column_privilege
    (object, privilege) AS own.only(privilege, ['SELECT']),
    (role, object, privilege) AS own.only(privilege, ['SELECT']);
CREATE MACRO pg.has_column_privilege
    (object, attribute, privilege) AS own.only(privilege, ['SELECT']),
    (role, object, attribute, privilege) AS own.only(privilege, ['SELECT']);
CREATE MACRO pg.has_schema_privilege
    (object, privilege) AS own.only(privilege, ['USAGE']),
    (role, object, privilege) AS own.only(privilege, ['USAGE']);
CREATE MACRO pg.has_database_privilege
    (object, privilege) AS own.only(privilege, ['CONNECT']),
    (role, object, privilege) AS own.only(privilege, ['CONNECT']);
CREATE MACRO pg.has_function_privilege
    (object, privilege) AS own.only(privilege, ['EXECUTE']),
    (role, object, privilege) AS own.only(privilege, ['EXECUTE']);
CREATE MACRO pg.has_type_privilege
    (object, privilege) AS own.only(privilege, ['USAGE']),
    (role, object, privilege) AS own.only(privilege, ['USAGE']);
CREATE MACRO pg.has_language_privilege
    (object, privilege) AS own.only(privilege, ['USAGE']),
    (role, object, privilege) AS own.only(privilege, ['USAGE']);
CREATE MACRO pg.has_sequence_privilege
    (object, privilege) AS false,
    (role, object, privilege) AS false;
CREATE MACRO pg.has_tablespace_privilege
    (object, privilege) AS false,
    (role, object, privilege) AS false;
CREATE MACRO pg.has_server_privilege
    (object, privilege) AS false,
    (role, object, privilege) AS false;
CREATE MACRO pg.has_foreign_data_wrapper_privilege
    (object, privilege) AS false,
    (role, object, privilege) AS false;
CREATE MACRO pg.pg_has_role
    (role, privilege) AS role IN ('16383', getvariable('gateway_user')::VARCHAR),
    (member, role, privilege) AS role = member;
CREATE MACRO pg.row_security_active(object) AS false;
CREATE MACRO pg.acldefault(kind, role) AS NULL::VARCHAR[];
CREATE MACRO pg.aclexplode(acl) AS
    []::STRUCT(grantor BIGINT, grantee BIGINT, privilege_type VARCHAR, is_grantable BOOLEAN)[];

-- Descriptions and definitions.

CREATE MACRO pg.obj_description
    (object_oid) AS
        (SELECT min(own_comment) FROM own.own_comments WHERE own_oid = object_oid AND own_number = 0),
    (object_oid, catalog_name) AS
        (SELECT min(own_comment) FROM own.own_comments
        WHERE own_oid = object_oid AND own_number = 0 AND own_catalog = catalog_name);
CREATE MACRO pg.col_description(object_oid, number) AS
    (SELECT min(own_comment) FROM own.own_comments
    WHERE own_oid = object_oid AND own_number = number AND own_class = 1259);
CREATE MACRO pg.shobj_description(object_oid, catalog_name) AS
    NULL::VARCHAR;
CREATE MACRO pg.pg_get_expr
    (expression, relation) AS expression::VARCHAR,
    (expression, relation, pretty) AS expression::VARCHAR;
CREATE MACRO own.definition_of(object_oid) AS
    (SELECT min(own_text) FROM own.own_definitions WHERE own_oid = object_oid);
CREATE MACRO pg.pg_get_constraintdef
    (object_oid) AS own.definition_of(object_oid),
    (object_oid, pretty) AS own.definition_of(object_oid);
CREATE MACRO pg.pg_get_indexdef
    (object_oid) AS own.definition_of(object_oid),
    (object_oid, number, pretty) AS
        CASE WHEN number = 0 THEN replace(own.definition_of(object_oid), ' ON public.', ' ON ')
        ELSE (SELECT min(pg.quote_ident(own_name)) FROM own.own_columns
            WHERE own_oid = object_oid AND own_number = number) END;
CREATE MACRO pg.pg_get_viewdef
    (object_oid) AS NULL::VARCHAR,
    (object_oid, pretty) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_ruledef
    (object_oid) AS NULL::VARCHAR,
    (object_oid, pretty) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_triggerdef
    (object_oid) AS NULL::VARCHAR,
    (object_oid, pretty) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_statisticsobjdef(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_statisticsobjdef_columns(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_statisticsobjdef_expressions(object_oid) AS NULL::VARCHAR[];
CREATE MACRO pg.pg_get_partkeydef(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_partition_constraintdef(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_serial_sequence(table_name, column_name) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_functiondef(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_function_sqlbody(object_oid) AS NULL::VARCHAR;
CREATE MACRO pg.pg_get_function_arguments(object_oid) AS
    (SELECT min(own_arguments) FROM own.own_calls WHERE own_oid = object_oid);
CREATE MACRO pg.pg_get_function_identity_arguments(object_oid) AS pg.pg_get_function_arguments(object_oid);
CREATE MACRO pg.pg_get_function_result(object_oid) AS
    (SELECT min(own_result) FROM own.own_calls WHERE own_oid = object_oid);
CREATE MACRO pg.pg_get_function_arg_default(object_oid, number) AS NULL::VARCHAR;
CREATE MACRO pg.pg_describe_object(class_oid, object_oid, number) AS own.regclass_out(object_oid);
CREATE MACRO pg.pg_relation_is_publishable(object_oid) AS false;
CREATE MACRO pg.pg_relation_filenode(object_oid) AS NULL::BIGINT;
CREATE MACRO pg.pg_relation_is_updatable(object_oid, triggers) AS 0;
CREATE MACRO pg.pg_column_is_updatable(object_oid, number, triggers) AS false;
CREATE MACRO pg.pg_index_column_has_property(object_oid, number, property) AS
    property IN ('asc', 'orderable');
CREATE MACRO pg.pg_index_has_property(object_oid, property) AS false;
CREATE MACRO pg.pg_indexam_has_property(object_oid, property) AS property IN ('can_order', 'can_unique');
CREATE MACRO pg.pg_partition_ancestors(object_oid) AS []::BIGINT[];
CREATE MACRO pg.pg_partition_tree(object_oid) AS
    []::STRUCT(relid BIGINT, parentrelid BIGINT, isleaf BOOLEAN, level INTEGER)[];
CREATE MACRO pg.pg_partition_root(object_oid) AS NULL::BIGINT;
CREATE MACRO pg.pg_options_to_table(options) AS []::STRUCT(option_name VARCHAR, option_value VARCHAR)[];
CREATE MACRO pg.pg_get_keywords() AS
    [{'word': 'abort', 'catcode': 'U', 'barelabel': true, 'catdesc': 'unreserved',
    'baredesc': 'can be bare label'}];
CREATE MACRO pg.pg_show_all_settings() AS
    list_transform(map_entries(getvariable('gateway_settings')::MAP(VARCHAR, VARCHAR)), lambda s: {
        'name': s.key, 'setting': s.value, 'unit': NULL::VARCHAR, 'category': 'dpduck',
        'short_desc': NULL::VARCHAR, 'extra_desc': NULL::VARCHAR, 'context': 'user', 'vartype': 'string',
        'source': 'default', 'min_val': NULL::VARCHAR, 'max_val': NULL::VARCHAR,
        'enumvals': NULL::VARCHAR[], 'boot_val': s.value, 'reset_val': s.value,
        'sourcefile': NULL::VARCHAR, 'sourceline': NULL::INTEGER, 'pending_restart': false});
CREATE MACRO pg.pg_available_extensions() AS
    []::STRUCT(name VARCHAR, default_version VARCHAR, comment VARCHAR)[];
CREATE MACRO pg.oidvectortypes(items) AS
    coalesce(array_to_string(own.regtypes_out(items), ', '), '');
CREATE MACRO pg.bpchar(content) AS content::VARCHAR;
CREATE MACRO pg.host(content) AS content::VARCHAR;
CREATE MACRO pg.pg_is_wal_replay_paused() AS false;
CREATE MACRO pg.pg_collation_for(content) AS NULL::VARCHAR;
CREATE MACRO pg.age(transaction_id) AS 0;
CREATE MACRO pg.mxid_age(transaction_id) AS 0;

-- Locks by agreement: each client gets them at once, since none of them writes.

CREATE MACRO pg.pg_advisory_lock
    (own_key) AS '',
    (own_key, own_more) AS '';
CREATE MACRO pg.pg_advisory_xact_lock
    (own_key) AS '',
    (own_key, own_more) AS '';
CREATE MACRO pg.pg_try_advisory_lock
    (own_key) AS true,
    (own_key, own_more) AS true;
CREATE MACRO pg.pg_try_advisory_xact_lock
    (own_key) AS true,
    (own_key, own_more) AS true;
CREATE MACRO pg.pg_advisory_unlock
    (own_key) AS true,
    (own_key, own_more) AS true;
CREATE MACRO pg.pg_advisory_unlock_all() AS '';

-- Sizes: there are none to know.

CREATE MACRO pg.pg_relation_size
    (object_oid) AS NULL::BIGINT,
    (object_oid, fork) AS NULL::BIGINT;
CREATE MACRO pg.pg_table_size(object_oid) AS NULL::BIGINT;
CREATE MACRO pg.pg_indexes_size(object_oid) AS NULL::BIGINT;
CREATE MACRO pg.pg_total_relation_size(object_oid) AS NULL::BIGINT;
CREATE MACRO pg.pg_database_size(object) AS NULL::BIGINT;
CREATE MACRO pg.pg_tablespace_size(object) AS NULL::BIGINT;
CREATE MACRO pg.pg_tablespace_location(object_oid) AS '';
CREATE MACRO pg.pg_size_pretty(size) AS NULL::VARCHAR;
CREATE MACRO pg.pg_column_size(content) AS NULL::INTEGER;
CREATE MACRO pg.pg_stat_get_numscans(object_oid) AS NULL::BIGINT;

-- Arrays: Postgres counts vectors (int2vector, oidvector) from 0, all others from 1.

CREATE MACRO pg.array_lower(items, dimension) AS
    CASE WHEN dimension = 1 AND len(items) > 0 THEN 1 END;
CREATE MACRO pg.array_upper(items, dimension) AS
    CASE WHEN dimension = 1 AND len(items) > 0 THEN len(items)::INTEGER END;
CREATE MACRO pg.array_length(items, dimension) AS
    CASE WHEN dimension = 1 AND len(items) > 0 THEN len(items)::INTEGER END;
CREATE MACRO pg.array_ndims(items) AS CASE WHEN len(items) > 0 THEN 1 END;
CREATE MACRO pg.cardinality(items) AS len(items)::INTEGER;
CREATE MACRO pg.array_remove(items, item) AS list_filter(items, lambda x: x IS DISTINCT FROM item);
CREATE MACRO pg.array_position(items, item) AS nullif(list_position(items, item), 0)::INTEGER;
CREATE MACRO pg.array_append(items, item) AS list_append(items, item);
CREATE MACRO pg.array_cat(items, more) AS list_concat(items, more);
CREATE MACRO pg.array_to_string
    (items, separator) AS array_to_string(list_transform(items, lambda x: x::VARCHAR), separator),
    (items, separator, missing) AS
        array_to_string(list_transform(items, lambda x: coalesce(x::VARCHAR, missing)), separator);
CREATE MACRO pg.string_to_array(content, separator) AS string_split(content, separator);
CREATE MACRO pg.generate_subscripts
    (items, dimension) AS generate_series(1, CASE WHEN dimension = 1 THEN len(items) ELSE 0 END),
    (items, dimension, backwards) AS
        CASE WHEN backwards THEN list_reverse(generate_series(1, len(items)))
        ELSE generate_series(1, len(items)) END;
CREATE MACRO own.vector_lower(items, dimension) AS CASE WHEN dimension = 1 AND len(items) > 0 THEN 0 END;
CREATE MACRO own.vector_upper(items, dimension) AS
    CASE WHEN dimension = 1 AND len(items) > 0 THEN len(items)::INTEGER - 1 END;
CREATE MACRO own.vector_subscripts(items, dimension) AS
    generate_series(0, CASE WHEN dimension = 1 THEN len(items) - 1 ELSE -1 END);
CREATE MACRO own.vector_out(items) AS
    array_to_string(list_transform(items, lambda x: x::VARCHAR), ' ');
CREATE MACRO own.array_out(items) AS
    '{' || array_to_string(list_transform(items, lambda x: x::VARCHAR), ',') || '}';
CREATE MACRO own.series(first, last) AS
    CASE WHEN last - first < 10000 THEN generate_series(first::BIGINT, last::BIGINT)
    ELSE error('dpduck: a series in a catalog query has at most 10,000 numbers') END;
CREATE MACRO info._pg_expandarray(items) AS
    list_transform(items, lambda x, i: {'x': x, 'n': i::INTEGER});
CREATE MACRO info._pg_truetypid(att, typ) AS
    CASE WHEN typ.typtype = 'd' THEN typ.typbasetype ELSE att.atttypid END;
CREATE MACRO info._pg_truetypmod(att, typ) AS
    CASE WHEN typ.typtype = 'd' THEN typ.typtypmod ELSE att.atttypmod END;
CREATE MACRO info._pg_char_max_length(type_oid, modifier) AS
    CASE WHEN modifier >= 4 AND type_oid IN (1042, 1043) THEN modifier - 4 END;
CREATE MACRO info._pg_numeric_precision(type_oid, modifier) AS
    CASE type_oid WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53
    WHEN 1700 THEN CASE WHEN modifier >= 4 THEN (modifier - 4) >> 16 END END;
CREATE MACRO info._pg_numeric_scale(type_oid, modifier) AS
    CASE WHEN type_oid IN (20, 21, 23) THEN 0
    WHEN type_oid = 1700 AND modifier >= 4 THEN (modifier - 4) & 65535 END;
CREATE MACRO info._pg_numeric_precision_radix(type_oid, modifier) AS
    CASE WHEN type_oid IN (20, 21, 23, 700, 701) THEN 2 WHEN type_oid = 1700 THEN 10 END;
CREATE MACRO info._pg_datetime_precision(type_oid, modifier) AS
    CASE WHEN type_oid = 1082 THEN 0 WHEN type_oid IN (1083, 1114, 1184, 1186, 1266) THEN 6 END;

-- pg_catalog: views

CREATE VIEW pg.pg_tables AS
    SELECT n.nspname AS schemaname, c.relname AS tablename, pg.pg_get_userbyid(c.relowner) AS tableowner,
        NULL::VARCHAR AS tablespace, c.relhasindex AS hasindexes, c.relhasrules AS hasrules,
        c.relhastriggers AS hastriggers, c.relrowsecurity AS rowsecurity
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r';
CREATE VIEW pg.pg_views AS
    SELECT n.nspname AS schemaname, c.relname AS viewname, pg.pg_get_userbyid(c.relowner) AS viewowner,
        NULL::VARCHAR AS definition
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'v';
CREATE VIEW pg.pg_indexes AS
    SELECT n.nspname AS schemaname, t.relname AS tablename, c.relname AS indexname,
        NULL::VARCHAR AS tablespace, d.definition AS indexdef
    FROM pg.pg_index i JOIN pg.pg_class c ON c.oid = i.indexrelid JOIN pg.pg_class t ON t.oid = i.indrelid
        JOIN pg.pg_namespace n ON n.oid = t.relnamespace LEFT JOIN own.definitions d ON d.object = c.oid;

-- Statistics of tables and indexes: each has its row, since clients look up its OID there, and no number.

CREATE VIEW own.tables AS
    SELECT c.oid AS relid, n.nspname AS schemaname, c.relname AS relname
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r';
CREATE VIEW own.indexes AS
    SELECT t.relid, i.indexrelid, t.schemaname, t.relname, c.relname AS indexrelname
    FROM pg.pg_index i JOIN own.tables t ON t.relid = i.indrelid JOIN pg.pg_class c ON c.oid = i.indexrelid;
CREATE VIEW pg.pg_stat_all_tables AS
    SELECT *, NULL::BIGINT AS seq_scan, NULL::BIGINT AS seq_tup_read, NULL::BIGINT AS idx_scan,
        NULL::BIGINT AS idx_tup_fetch, NULL::BIGINT AS n_tup_ins, NULL::BIGINT AS n_tup_upd,
        NULL::BIGINT AS n_tup_del, NULL::BIGINT AS n_tup_hot_upd, NULL::BIGINT AS n_live_tup,
        NULL::BIGINT AS n_dead_tup, NULL::BIGINT AS n_mod_since_analyze,
        NULL::BIGINT AS n_ins_since_vacuum, NULL::TIMESTAMPTZ AS last_vacuum,
        NULL::TIMESTAMPTZ AS last_autovacuum, NULL::TIMESTAMPTZ AS last_analyze,
        NULL::TIMESTAMPTZ AS last_autoanalyze, NULL::BIGINT AS vacuum_count,
        NULL::BIGINT AS autovacuum_count, NULL::BIGINT AS analyze_count, NULL::BIGINT AS autoanalyze_count
    FROM own.tables;
CREATE VIEW pg.pg_statio_all_tables AS
    SELECT *, NULL::BIGINT AS heap_blks_read, NULL::BIGINT AS heap_blks_hit, NULL::BIGINT AS idx_blks_read,
        NULL::BIGINT AS idx_blks_hit, NULL::BIGINT AS toast_blks_read, NULL::BIGINT AS toast_blks_hit,
        NULL::BIGINT AS tidx_blks_read, NULL::BIGINT AS tidx_blks_hit
    FROM own.tables;
CREATE VIEW pg.pg_stat_all_indexes AS
    SELECT *, NULL::BIGINT AS idx_scan, NULL::BIGINT AS idx_tup_read, NULL::BIGINT AS idx_tup_fetch
    FROM own.indexes;
CREATE VIEW pg.pg_statio_all_indexes AS
    SELECT *, NULL::BIGINT AS idx_blks_read, NULL::BIGINT AS idx_blks_hit FROM own.indexes;
CREATE VIEW pg.pg_stat_sys_tables AS
    SELECT * FROM pg.pg_stat_all_tables WHERE schemaname IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_stat_user_tables AS
    SELECT * FROM pg.pg_stat_all_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_stat_sys_indexes AS
    SELECT * FROM pg.pg_stat_all_indexes WHERE schemaname IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_stat_user_indexes AS
    SELECT * FROM pg.pg_stat_all_indexes WHERE schemaname NOT IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_statio_sys_tables AS
    SELECT * FROM pg.pg_statio_all_tables WHERE schemaname IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_statio_user_tables AS
    SELECT * FROM pg.pg_statio_all_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_statio_sys_indexes AS
    SELECT * FROM pg.pg_statio_all_indexes WHERE schemaname IN ('pg_catalog', 'information_schema');
CREATE VIEW pg.pg_statio_user_indexes AS
    SELECT * FROM pg.pg_statio_all_indexes WHERE schemaname NOT IN ('pg_catalog', 'information_schema');

-- information_schema: views

CREATE VIEW info.information_schema_catalog_name AS SELECT pg.current_database() AS catalog_name;
CREATE VIEW info.enabled_roles AS SELECT pg.current_user() AS role_name;
CREATE VIEW info.applicable_roles AS
    SELECT NULL::VARCHAR AS grantee, NULL::VARCHAR AS role_name, NULL::VARCHAR AS is_grantable WHERE false;
CREATE VIEW info.schemata AS
    SELECT pg.current_database() AS catalog_name, n.nspname AS schema_name,
        pg.pg_get_userbyid(n.nspowner) AS schema_owner, NULL::VARCHAR AS default_character_set_catalog,
        NULL::VARCHAR AS default_character_set_schema, NULL::VARCHAR AS default_character_set_name,
        NULL::VARCHAR AS sql_path
    FROM pg.pg_namespace n;
CREATE VIEW info.tables AS
    SELECT pg.current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
        CASE c.relkind WHEN 'r' THEN 'BASE TABLE' ELSE 'VIEW' END AS table_type,
        NULL::VARCHAR AS self_referencing_column_name, NULL::VARCHAR AS reference_generation,
        NULL::VARCHAR AS user_defined_type_catalog, NULL::VARCHAR AS user_defined_type_schema,
        NULL::VARCHAR AS user_defined_type_name, 'NO' AS is_insertable_into, 'NO' AS is_typed,
        NULL::VARCHAR AS commit_action
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'v');
CREATE VIEW info.views AS
    SELECT pg.current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
        NULL::VARCHAR AS view_definition, 'NONE' AS check_option, 'NO' AS is_updatable,
        'NO' AS is_insertable_into, 'NO' AS is_trigger_updatable, 'NO' AS is_trigger_deletable,
        'NO' AS is_trigger_insertable_into
    FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'v';
CREATE VIEW info.columns AS
    SELECT pg.current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
        a.attname AS column_name, a.attnum::INTEGER AS ordinal_position, NULL::VARCHAR AS column_default,
        CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS is_nullable, f.data_type,
        NULL::INTEGER AS character_maximum_length,
        CASE WHEN t.typname = 'text' THEN 1073741824 END AS character_octet_length, f.numeric_precision,
        f.radix AS numeric_precision_radix, f.scale AS numeric_scale, f.datetime_precision,
        NULL::VARCHAR AS interval_type, NULL::INTEGER AS interval_precision,
        NULL::VARCHAR AS character_set_catalog, NULL::VARCHAR AS character_set_schema,
        NULL::VARCHAR AS character_set_name, NULL::VARCHAR AS collation_catalog,
        NULL::VARCHAR AS collation_schema, NULL::VARCHAR AS collation_name, NULL::VARCHAR AS domain_catalog,
        NULL::VARCHAR AS domain_schema, NULL::VARCHAR AS domain_name,
        pg.current_database() AS udt_catalog, 'pg_catalog' AS udt_schema, f.udt AS udt_name,
        NULL::VARCHAR AS scope_catalog, NULL::VARCHAR AS scope_schema, NULL::VARCHAR AS scope_name,
        NULL::INTEGER AS maximum_cardinality, a.attnum::VARCHAR AS dtd_identifier,
        'NO' AS is_self_referencing, 'NO' AS is_identity, NULL::VARCHAR AS identity_generation,
        NULL::VARCHAR AS identity_start, NULL::VARCHAR AS identity_increment,
        NULL::VARCHAR AS identity_maximum, NULL::VARCHAR AS identity_minimum, 'NO' AS identity_cycle,
        'NEVER' AS is_generated, NULL::VARCHAR AS generation_expression, 'NO' AS is_updatable
    FROM pg.pg_attribute a JOIN pg.pg_class c ON c.oid = a.attrelid
        JOIN pg.pg_namespace n ON n.oid = c.relnamespace JOIN pg.pg_type t ON t.oid = a.atttypid
        JOIN own.column_facts f ON f.relation = a.attrelid AND f.number = a.attnum
    WHERE a.attnum > 0 AND c.relkind IN ('r', 'v');
CREATE VIEW info.table_constraints AS
    SELECT pg.current_database() AS constraint_catalog, n.nspname AS constraint_schema,
        k.conname AS constraint_name, pg.current_database() AS table_catalog, n.nspname AS table_schema,
        c.relname AS table_name,
        CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' ELSE 'FOREIGN KEY' END
            AS constraint_type,
        'NO' AS is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced,
        CASE WHEN k.contype = 'u' THEN 'YES' END AS nulls_distinct
    FROM pg.pg_constraint k JOIN pg.pg_class c ON c.oid = k.conrelid
        JOIN pg.pg_namespace n ON n.oid = c.relnamespace;
CREATE VIEW own.key_columns AS
    SELECT conrelid, conname, contype, confrelid, conindid, unnest(conkey) AS number,
        unnest(generate_series(1, len(conkey)))::INTEGER AS place, unnest(confkey) AS target
    FROM pg.pg_constraint;
CREATE VIEW info.key_column_usage AS
    SELECT pg.current_database() AS constraint_catalog, n.nspname AS constraint_schema,
        k.conname AS constraint_name, pg.current_database() AS table_catalog, n.nspname AS table_schema,
        c.relname AS table_name, a.attname AS column_name, k.place AS ordinal_position,
        CASE WHEN k.contype = 'f' THEN k.place END AS position_in_unique_constraint
    FROM own.key_columns k JOIN pg.pg_class c ON c.oid = k.conrelid
        JOIN pg.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.number;
CREATE VIEW info.constraint_column_usage AS
    SELECT pg.current_database() AS table_catalog, n.nspname AS table_schema, c.relname AS table_name,
        a.attname AS column_name, pg.current_database() AS constraint_catalog,
        n.nspname AS constraint_schema, k.conname AS constraint_name
    FROM own.key_columns k
        JOIN pg.pg_class c ON c.oid = CASE WHEN k.contype = 'f' THEN k.confrelid ELSE k.conrelid END
        JOIN pg.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg.pg_attribute a ON a.attrelid = c.oid
            AND a.attnum = CASE WHEN k.contype = 'f' THEN k.target ELSE k.number END;
CREATE VIEW info.referential_constraints AS
    SELECT pg.current_database() AS constraint_catalog, n.nspname AS constraint_schema,
        k.conname AS constraint_name, pg.current_database() AS unique_constraint_catalog,
        m.nspname AS unique_constraint_schema, u.conname AS unique_constraint_name, 'NONE' AS match_option,
        'NO ACTION' AS update_rule, 'NO ACTION' AS delete_rule
    FROM pg.pg_constraint k JOIN pg.pg_namespace n ON n.oid = k.connamespace
        JOIN pg.pg_constraint u ON u.conindid = k.conindid AND u.contype IN ('p', 'u')
        JOIN pg.pg_namespace m ON m.oid = u.connamespace
    WHERE k.contype = 'f';
CREATE VIEW info.table_privileges AS
    SELECT 'dpduck' AS grantor, pg.current_user() AS grantee, t.table_catalog, t.table_schema, t.table_name,
        'SELECT' AS privilege_type, 'NO' AS is_grantable, 'YES' AS with_hierarchy
    FROM info.tables t;
CREATE VIEW info.role_table_grants AS SELECT * FROM info.table_privileges;
CREATE VIEW info.column_privileges AS
    SELECT 'dpduck' AS grantor, pg.current_user() AS grantee, c.table_catalog, c.table_schema, c.table_name,
        c.column_name, 'SELECT' AS privilege_type, 'NO' AS is_grantable
    FROM info.columns c;
CREATE VIEW info.routines AS
    SELECT pg.current_database() AS specific_catalog, n.nspname AS specific_schema,
        p.proname || '_' || p.oid AS specific_name, pg.current_database() AS routine_catalog,
        n.nspname AS routine_schema, p.proname AS routine_name, 'FUNCTION' AS routine_type,
        t.typname AS type_udt_name, pg.format_type(p.prorettype, NULL) AS data_type,
        'EXTERNAL' AS routine_body, NULL::VARCHAR AS routine_definition, 'SQL' AS external_language,
        NULL::TIMESTAMPTZ AS created, NULL::TIMESTAMPTZ AS last_altered
    FROM pg.pg_proc p JOIN pg.pg_namespace n ON n.oid = p.pronamespace
        JOIN pg.pg_type t ON t.oid = p.prorettype;
