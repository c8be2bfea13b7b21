-- Imports of spreadsheets: what was uploaded, how far it is, what it refused, what it made.
-- New tables only: no locks to mind.

create table imports (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  type text not null check (type in ('datasource', 'task', 'visit', 'route')),
  mode text not null check (mode in ('create', 'upsert', 'update')),
  -- No foreign keys: a hub or a flow may be removed while the import waits, which then says so.
  hub_id text,
  target_id text,
  target_name text,
  name text,
  filename text not null,
  -- SHA-256 of the file and of what it is to become: the same upload twice has the same.
  content_hash bytea not null,
  -- The rows as they were read, in a form that gives any chunk by one read.
  rows_key text not null,
  columns jsonb not null default '{}',
  is_dry_run boolean not null default false,
  -- The import whose refused rows this file brings again.
  continues text,
  total_rows int not null,
  total_chunks int not null,
  total_valid int not null default 0,
  total_invalid int not null default 0,
  processed_chunks int not null default 0,
  created_count int not null default 0,
  changed_count int not null default 0,
  status text not null default 'onprocess' check (status in ('onprocess', 'success', 'partially', 'failed')),
  error_message text,
  failed_key text,
  user_id text not null,
  created_by text not null,
  updated_by text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  started_time timestamptz,
  processed_time timestamptz,
  cancelled_time timestamptz,
  undone_time timestamptz,
  undo_result jsonb,
  primary key (organization_id, id)
);
create index imports_created on imports (organization_id, created_time desc, id desc);
create index imports_same on imports (organization_id, content_hash, created_time);
create index imports_age on imports (created_time);
create index imports_running on imports (updated_time) where status = 'onprocess';

-- Rows that were refused, with the texts of the file and each reason.
create table import_failures (
  organization_id text not null,
  import_id text not null,
  -- Position among the rows of the import, from 0, and the row's number in the sheet as people count.
  row_index int not null,
  row_number int not null,
  cells jsonb not null,
  problems jsonb not null,
  -- The later import that brought this row in, corrected.
  resolved_by text,
  primary key (organization_id, import_id, row_index),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);

-- One row per written batch: what it made and what it changed, for undoing. Rows written at another time
-- than `written_time` were touched since.
create table import_batches (
  organization_id text not null,
  import_id text not null,
  first_chunk int not null,
  written_time timestamptz not null,
  created_ids text[] not null default '{}',
  -- What each changed record was before: {id, before}.
  changed jsonb not null default '[]',
  undone_time timestamptz,
  primary key (organization_id, import_id, first_chunk),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);

-- Keys that an import has seen, to refuse the second row with the same one.
create table import_keys (
  organization_id text not null,
  import_id text not null,
  key_hash bytea not null,
  primary key (organization_id, import_id, key_hash),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);
