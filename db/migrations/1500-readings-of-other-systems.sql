-- Lists that are read from another system in the background. The key of the other system is sealed, and removed when
-- the reading ends. New tables: no lock on others.
create table other_system_readings (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  user_id text not null,
  system text not null,
  collection text not null,
  -- Null for a list in a dump.
  address text,
  from_day text not null default '',
  to_day text not null default '',
  sealed_key bytea,
  dump_key text,
  dump_name text,
  status text not null default 'reading' check (status in ('reading', 'done', 'failed', 'cancelled')),
  row_count integer not null default 0,
  -- Entries of the list without any value, which are in no row.
  empty_count integer not null default 0,
  request_count integer not null default 0,
  byte_count bigint not null default 0,
  -- Set while the other system has asked to wait.
  waits_until timestamptz,
  -- Why it failed: {"code", "message", …}
  problem jsonb,
  file_key text,
  created_by text not null,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  ended_time timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  check (status = 'reading' or (sealed_key is null and dump_key is null))
);
create index other_system_readings_running on other_system_readings (updated_time) where status = 'reading';
create index other_system_readings_time on other_system_readings (created_time);
select audit_table('other_system_readings', 'reading', 'id', 'collection', '', '{sealed_key,dump_key,file_key}',
  '{row_count,empty_count,request_count,byte_count,waits_until}');

-- What the other system has answered to a reading that has not ended: a reading that goes on after a stop takes these
-- instead of asking again. Compressed.
create table other_system_answers (
  organization_id text not null,
  reading_id text not null,
  number integer not null,
  question bytea not null,
  byte_count integer not null,
  answer bytea not null,
  primary key (organization_id, reading_id, number),
  foreign key (organization_id, reading_id) references other_system_readings (organization_id, id) on delete cascade
);

create or replace function is_file_owned(organization text, wanted text) returns boolean language sql stable as $$
  select exists (select from imports where organization_id = organization and wanted in (rows_key, failed_key))
    or exists (select from exports where organization_id = organization and file_key = wanted)
    or exists (select from organization_archives where organization_id = organization and file_key = wanted)
    or exists (select from plugins where organization_id = organization and wanted in (script_key, icon_key))
    or exists (select from app_integrations where organization_id = organization and certificate_key = wanted)
    or exists (select from users where organization_id = organization and position('/files/' || wanted in avatar) > 0)
    or exists (select from file_links where organization_id = organization and key = wanted)
    or exists (select from other_system_readings where organization_id = organization and wanted in (dump_key, file_key))
$$;
