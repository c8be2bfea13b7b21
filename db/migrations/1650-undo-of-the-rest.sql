-- What undo needs of the kinds of objects that it did not cover: columns that the audit trail does not keep, for the minutes in
-- which changes can be undone, and entries of what was only noted by its operations. Replaces and adds triggers, which locks each
-- of the small tables below for a moment.

-- Columns of changed and deleted rows that the audit trail does not show, as they were: what is sealed or hashed in the row is here
-- too. A job removes them after ten minutes.
create table undo_columns (
  organization_id text not null references organizations (id) on delete cascade,
  entry_id text not null,
  object_type text not null,
  object_id text not null,
  columns jsonb not null,
  time timestamptz not null default now(),
  primary key (organization_id, entry_id, object_type, object_id)
);
create index undo_columns_time on undo_columns (time);

-- Arguments: the type of object, the column with its id, and the columns.
create function keep_for_undo() returns trigger language plpgsql as $$
declare
  entry text := nullif(current_setting('fieldway.origin', true), '')::jsonb ->> 'entry';
  kept text[] := tg_argv[2]::text[];
begin
  if entry is null then return null; end if;
  insert into undo_columns (organization_id, entry_id, object_type, object_id, columns)
  select line ->> 'organization_id', entry, tg_argv[0], line ->> tg_argv[1],
    (select jsonb_object_agg(key, value) from jsonb_each(line) where key = any (kept))
  from (select to_jsonb(o) as line from old_rows o) as changed
  -- What goes with its organization cannot come back.
  where exists (select from organizations o where o.id = line ->> 'organization_id')
  -- The first value within an action is the one to go back to.
  on conflict do nothing;
  return null;
end $$;

create function keep_columns_for_undo(tabled text, object_type text, id_column text, kept text[], only_deleted boolean default false)
returns void language plpgsql as $$
declare
  arguments text := format('%L, %L, %L', object_type, id_column, kept);
begin
  execute format('create trigger keep_deleted after delete on %I referencing old table as old_rows
    for each statement execute function keep_for_undo(%s)', tabled, arguments);
  if only_deleted then return; end if;
  execute format('create trigger keep_changed after update on %I referencing old table as old_rows
    for each statement execute function keep_for_undo(%s)', tabled, arguments);
end $$;

select keep_columns_for_undo('message_channels', 'message-channel', 'id', '{settings,secrets}');
select keep_columns_for_undo('request_forms', 'request-form', 'id', '{code_hash}');
select keep_columns_for_undo('automations', 'automation', 'id', '{signing_secret,secrets}');
select keep_columns_for_undo('app_integrations', 'app-integration', 'id', '{client_secret,certificate_key}');
select keep_columns_for_undo('oauth_clients', 'oauth-client', 'id', '{secret_hash}');
select keep_columns_for_undo('data_types', 'data-type', 'id', '{provider_config,provider_key}');
select keep_columns_for_undo('tracking_page_settings', 'tracking-page', 'organization_id', '{logo}');
select keep_columns_for_undo('plugins', 'plugin', 'id', '{script_key,icon_key}');
select keep_columns_for_undo('messages', 'message', 'id', '{author_email,author_name,client_id}', true);
select keep_columns_for_undo('appointment_slots', 'appointment', 'id', '{held_until}', true);
select keep_columns_for_undo('calendar_feeds', 'calendar-feed', 'id', '{hash}', true);
select keep_columns_for_undo('road_speeds', 'road-speeds', 'organization_id', '{history,learned_until,learned_at}', true);

-- There is one policy; what is written after it was deleted belongs to the same history.
select audit_table('privacy_policies', 'privacy-policy', 'organization_id', '');
-- Another address of a form is a change; its hash is not shown.
select audit_table('request_forms', 'request-form', 'id', 'name', 'hub_id', '{code_hash}');
-- An installation is not its plugin: both have the same id.
select audit_table('plugin_installations', 'plugin-installation', 'plugin_id', 'plugin_id');

-- Notes one row. For tables whose rows also change with every contact: a trigger names the columns that people set. Arguments: as
-- those of audit_rows, without relations.
create function audit_row() returns trigger language plpgsql as $$
declare
  origin jsonb := audit_origin();
  entry text := origin ->> 'entry';
  hidden text[] := tg_argv[4]::text[];
  ignored text[] := tg_argv[5]::text[] || array['organization_id'];
  verb text := case tg_op when 'INSERT' then 'create' when 'DELETE' then 'delete' else 'update' end;
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  line jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  known jsonb := coalesce(line, was);
  earlier jsonb;
  later jsonb;
begin
  if entry is null then return null; end if;
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = was ->> 'organization_id') then return null; end if;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else value end),
      jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else line -> key end) into earlier, later
    from jsonb_each(was - ignored) where value is distinct from line -> key;
    if earlier is null then return null; end if;
  else
    earlier := was - ignored - hidden;
    later := jsonb_strip_nulls(line - ignored - hidden);
  end if;
  insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
  values (known ->> 'organization_id', entry, verb, tg_argv[0], known ->> tg_argv[1], known ->> tg_argv[2], known ->> tg_argv[3],
    earlier, later);
  perform audit_entry(origin, known ->> 'organization_id', tg_argv[0], verb, 1, known ->> tg_argv[1], array[known ->> tg_argv[2]]);
  return null;
end $$;

create trigger audit_made after insert or delete on calendar_feeds
  for each row execute function audit_row('calendar-feed', 'id', 'kind', '', '{hash}', '{read_time}');
create trigger audit_made after insert or delete or update of name, protocol, user_id on trackers
  for each row execute function audit_row('tracker', 'id', 'name', '', '{}',
    '{last_contact_at,last_address,last_refusal,attributes,messages}');
create trigger audit_made after insert on device_keys
  for each row execute function audit_row('device-key', 'id', 'name', '', '{hash}', '{last_used_at,last_protocol,last_refusal}');
create trigger audit_made after insert or update of name on access_tokens
  for each row when (new.kind = 'personal') execute function audit_row('token', 'id', 'name', '', '{hash}', '{}');
create trigger audit_set after update of revoked_at on tracking_links
  for each row execute function audit_row('tracking-link', 'id', '', '', '{code_hash}', '{}');
create trigger audit_set after update of acknowledged_at on alerts
  for each row execute function audit_row('alert', 'id', '', '', '{}', '{notify_at}');

-- As before, and photos of requests that are open again after a rejection was undone.
create or replace function is_file_owned(organization text, wanted text) returns boolean language sql stable as $$
  select exists (select from imports where organization_id = organization and wanted in (rows_key, failed_key))
    or exists (select from exports where organization_id = organization and file_key = wanted)
    or exists (select from organization_archives where organization_id = organization and file_key = wanted)
    or exists (select from plugins where organization_id = organization and wanted in (script_key, icon_key))
    or exists (select from app_integrations where organization_id = organization and certificate_key = wanted)
    or exists (select from users where organization_id = organization and position('/files/' || wanted in avatar) > 0)
    or exists (select from file_links where organization_id = organization and key = wanted)
    or exists (select from other_system_readings where organization_id = organization and wanted in (dump_key, file_key))
    or exists (select from task_requests where organization_id = organization and status = 'pending' and position(wanted in "values"::text) > 0)
$$;
