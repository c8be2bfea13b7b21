-- The audit trail of every write. Triggers note the changed rows of each statement in audit_parts, in the transaction of the
-- change; what one request or one job changes is one entry of audit_log. A job chains both by hashes. New tables; new
-- columns of audit_log without defaults, which lock it for a moment.
create sequence audit_numbers;

alter table audit_log
  add column number bigint,
  -- The transaction that wrote the entry. A plain number: backups rewrite columns of type xid8.
  add column xid bigint,
  add column actor_id text,
  add column actor_name text,
  -- person, token, device, automation, system or operator
  add column actor_kind text,
  -- console, phone, api, job, command or database
  add column via text,
  -- The operation of the API description, or the name of the job or command.
  add column operation text,
  add column request_id text,
  -- What else says who acted: the id of the token, automation, plugin, schedule or import.
  add column details jsonb;
alter table audit_log
  alter column number set default nextval('audit_numbers'),
  alter column xid set default pg_current_xact_id()::text::bigint;
create index audit_log_xid on audit_log (xid);

create table audit_parts (
  organization_id text not null references organizations (id) on delete cascade,
  entry_id text not null,
  number bigint not null default nextval('audit_numbers'),
  xid bigint not null default pg_current_xact_id()::text::bigint,
  time timestamptz not null default now(),
  -- create, update or delete
  change text not null,
  object_type text not null,
  object_id text not null,
  object_name text,
  hub_id text,
  -- Columns that changed, as they were and as they are.
  before jsonb,
  after jsonb,
  primary key (organization_id, entry_id, number)
);
create index audit_parts_object on audit_parts (organization_id, object_id, number desc);
create index audit_parts_xid on audit_parts (xid);

-- Hashes of committed entries and parts, in order. Each block includes the hash of the one before it.
create table audit_blocks (
  organization_id text not null references organizations (id) on delete cascade,
  number bigint not null,
  -- What the block covers, in order, separated by spaces: the id of an entry, or entry_id.number of a part.
  keys text not null,
  -- 32 bytes for each.
  digests bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  last_time timestamptz not null,
  sealed_time timestamptz not null,
  primary key (organization_id, number)
);

-- The last block that retention removed, where the rest of the chain begins.
create table audit_checkpoints (
  organization_id text primary key references organizations (id) on delete cascade,
  number bigint not null,
  hash bytea not null,
  removed_time timestamptz not null
);

-- How far the chain has come. One row.
create table audit_sealing (
  is_only boolean primary key default true check (is_only),
  -- Transactions before this one are sealed.
  sealed_xid bigint not null,
  -- The largest number that is sealed, and the one that the database began with after a restore.
  last_number bigint not null,
  base_number bigint not null
);
insert into audit_sealing (sealed_xid, last_number, base_number)
values (pg_current_xact_id()::text::bigint, 0, 0);

create table audit_settings (
  organization_id text primary key references organizations (id) on delete cascade,
  retention_days integer not null check (retention_days between 30 and 3650)
);

-- Who acts, as the server sets it with the beginning of a transaction. What comes without it was written by hand.
create function audit_origin() returns jsonb language plpgsql as $$
declare
  origin jsonb := nullif(current_setting('fieldway.origin', true), '')::jsonb;
begin
  if origin is null then
    origin := jsonb_build_object(
      'entry', lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || substr(md5(gen_random_uuid()::text), 1, 16),
      'kind', 'operator', 'via', 'database', 'name', session_user);
    perform set_config('fieldway.origin', origin::text, true);
  end if;
  return origin;
end $$;

-- The first names of a mass change.
create function audit_names(names text[], amount bigint) returns text language sql immutable as $$
  select case when amount = 1 then names[1]
    else left(array_to_string(names[1:5], ', '), 200) || case when amount > 5 then ' … (' || amount || ')' else '' end end
$$;

-- Arguments: the type of object, and the columns with its id, name and hub; then lists of columns: those whose values are
-- not kept, and those that are no change by themselves. The last, for tables of relations, is the column that counts as a
-- field of the object.
create function audit_rows() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  origin jsonb;
  entry text;
  hidden text[] := tg_argv[4]::text[];
  ignored text[] := tg_argv[5]::text[];
  field text := tg_argv[6];
  verb text := case when tg_op = 'UPDATE' or tg_argv[6] <> '' then 'update' when tg_op = 'INSERT' then 'create' else 'delete' end;
  noted record;
begin
  if tg_op = 'DELETE' then
    if not exists (select from old_rows) then return null; end if;
  elsif not exists (select from new_rows) then
    return null;
  end if;
  origin := audit_origin();
  entry := origin ->> 'entry';
  if entry is null then return null; end if;
  if tg_op = 'INSERT' then
    for noted in
      with kept as (
        insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, after)
        select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
          line ->> tg_argv[2], line ->> tg_argv[3],
          case when field = '' then jsonb_strip_nulls(line - ignored - hidden - 'organization_id') else jsonb_build_object(field, line -> field) end
        from (select to_jsonb(n) as line from new_rows n) as written
        returning organization_id, object_id, object_name
      )
      select organization_id, count(*) as amount, min(object_id) as object_id, array_agg(object_name) as names
      from kept group by organization_id
    loop
      perform audit_entry(origin, noted.organization_id, tg_argv[0], verb, noted.amount, noted.object_id, noted.names);
    end loop;
  elsif tg_op = 'DELETE' then
    for noted in
      with kept as (
        insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before)
        select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
          line ->> tg_argv[2], line ->> tg_argv[3],
          case when field = '' then line - ignored - hidden - 'organization_id' else jsonb_build_object(field, line -> field) end
        from (select to_jsonb(o) as line from old_rows o) as gone
        -- What goes with its organization leaves no entry.
        where exists (select from organizations o where o.id = line ->> 'organization_id')
        returning organization_id, object_id, object_name
      )
      select organization_id, count(*) as amount, min(object_id) as object_id, array_agg(object_name) as names
      from kept group by organization_id
    loop
      perform audit_entry(origin, noted.organization_id, tg_argv[0], verb, noted.amount, noted.object_id, noted.names);
    end loop;
  else
    for noted in
      with pairs as (
        select o.line as was, n.line as line
        from (select to_jsonb(t) - ignored as line, row_number() over () as place from old_rows t) o
        join (select to_jsonb(t) - ignored as line, row_number() over () as place from new_rows t) n using (place)
        where o.line is distinct from n.line
      ), kept as (
        insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
        select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
          line ->> tg_argv[2], line ->> tg_argv[3], difference.before, difference.after
        from pairs cross join lateral (
          select jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else value end) as before,
            jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else line -> key end) as after
          from jsonb_each(was) where value is distinct from line -> key
        ) difference
        returning organization_id, object_id, object_name
      )
      select organization_id, count(*) as amount, min(object_id) as object_id, array_agg(object_name) as names
      from kept group by organization_id
    loop
      perform audit_entry(origin, noted.organization_id, tg_argv[0], verb, noted.amount, noted.object_id, noted.names);
    end loop;
  end if;
  return null;
end $$;

-- The entry of a request or job in an organization, once.
create function audit_entry(origin jsonb, organization text, object_type text, verb text, amount bigint, object_id text, names text[])
returns void language sql as $$
  insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, actor_id,
    actor_name, actor_kind, via, operation, request_id, details)
  values (organization, origin ->> 'entry', origin ->> 'email', origin ->> 'address',
    coalesce(origin ->> 'action', object_type || '.' || verb), object_type, case when amount = 1 then object_id end,
    audit_names(names, amount), origin ->> 'id', origin ->> 'name', origin ->> 'kind', origin ->> 'via',
    origin ->> 'operation', origin ->> 'request', origin -> 'details')
  on conflict do nothing
$$;

-- Notes every write of a table. Its arguments are those of audit_rows.
create function audit_table(tabled text, object_type text, id_column text default 'id', name_column text default 'name',
  hub_column text default '', hidden text[] default '{}', ignored text[] default '{}', relation text default '')
returns void language plpgsql as $$
declare
  arguments text := format('%L, %L, %L, %L, %L, %L, %L', object_type, id_column, name_column, hub_column, hidden,
    ignored || array['updated_time', 'updated_by'], relation);
begin
  execute format('drop trigger if exists audit_insert on %I', tabled);
  execute format('drop trigger if exists audit_update on %I', tabled);
  execute format('drop trigger if exists audit_delete on %I', tabled);
  execute format('create trigger audit_insert after insert on %I referencing new table as new_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
  execute format('create trigger audit_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
  execute format('create trigger audit_delete after delete on %I referencing old table as old_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
end $$;

select audit_table('tasks', 'task', 'id', 'title', 'hub_id', '{}',
  '{first_assignee,has_photos,assigned_to,assigned_by,assigned_time,content,label,lng,lat}');
select audit_table('data_records', 'record', 'id', 'data_id', 'hub_id', '{}', '{ordered}');
select audit_table('data_types', 'data-type', 'id', 'name', '', '{provider_config,provider_key}');
select audit_table('vehicles', 'vehicle', 'id', 'name', 'hub_id');
select audit_table('users', 'user', 'id', 'email', '', '{invitation_hash}',
  '{number,first_login,last_login,onboarding_step,invitation_expires}');
select audit_table('user_hubs', 'user', 'user_id', '', '', '{}', '{}', 'hub_id');
select audit_table('user_teams', 'user', 'user_id', '', '', '{}', '{}', 'team_id');
select audit_table('roles', 'role');
select audit_table('custom_permissions', 'permission', 'name');
select audit_table('teams', 'team', 'id', 'name', 'hub_id');
select audit_table('hubs', 'hub', 'id', 'name', 'id');
select audit_table('flows', 'flow', 'id', 'name', '', '{}', '{version}');
select audit_table('task_schedules', 'schedule', 'id', 'name', 'hub_id', '{}',
  '{version,handled_until,next_run_at,last_status,last_task_id,last_message,last_executed_time,execution_count,failed_count}');
select audit_table('workflows', 'workflow');
select audit_table('templates', 'template');
select audit_table('organizations', 'organization', 'id', 'name', '', '{}', '{number}');
select audit_table('organization_data', 'organization-data');
select audit_table('password_policies', 'password-policy');
select audit_table('privacy_policies', 'privacy-policy', 'id', '');
select audit_table('app_integrations', 'app-integration', 'id', 'name', '', '{client_secret,certificate_key}');
select audit_table('automations', 'automation', 'id', 'name', '', '{signing_secret,secrets,details}');
select audit_table('plugins', 'plugin', 'id', 'name', '', '{script_key,icon_key}');
select audit_table('plugin_installations', 'plugin', 'plugin_id', 'plugin_id');
select audit_table('custom_modules', 'custom-module', 'id', 'label');
select audit_table('export_configs', 'export-configuration', 'id', 'name', '', '{}', '{next_run_time}');
select audit_table('imports', 'import', 'id', 'filename', 'hub_id', '{content_hash,rows_key,failed_key}',
  '{processed_chunks,total_valid,total_invalid,created_count,changed_count,started_time,processed_time,columns}');
select audit_table('capacity_constraints', 'capacity-constraint');
select audit_table('routing_configurations', 'routing-configuration', 'id', 'name', 'hub_id');
select audit_table('routing_geotags', 'geotag', 'id', 'name', 'hub_id');
select audit_table('currencies', 'currency', 'id', 'iso');
select audit_table('location_links', 'location-link', 'id', '', '');
select audit_table('location_settings', 'location-settings', 'organization_id', '');
select audit_table('audit_settings', 'audit-settings', 'organization_id', '');
select audit_table('messages', 'message', 'id', '', '', '{}', '{author_email,author_name,client_id}');
select audit_table('saved_views', 'saved-view');
