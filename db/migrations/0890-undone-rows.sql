-- Rows that undoing an import or a dispatch removed, and activities. They are not in the trash, since nobody restores them,
-- but lists that are read by a cursor accept their ids for as long as those of the trash. A new table. The index on the
-- trash blocks deletions for about two seconds per million entries.
create table undone_rows (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  type text not null,
  content jsonb not null,
  removed_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index undone_rows_age on undone_rows (removed_time);
create index trash_source on trash (organization_id, source_id);
