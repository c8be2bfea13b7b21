-- Which person uploaded a stored photo or recording, and which tasks and records refer to it: `GET /file/view` shows a
-- file to those who may read one of them. Triggers on tasks and data_records keep it; rows without an address of a stored
-- file cost them one text search. Existing rows are read once, without locking them.
-- Creating the triggers takes a short lock on both tables.
create table file_links (
  organization_id text not null references organizations (id) on delete cascade,
  key text not null,
  owner_type text not null check (owner_type in ('user', 'task', 'record')),
  owner_id text not null,
  -- E-mail of the person who wrote the reference. Null: it is from before this table.
  linked_by text,
  linked_time timestamptz not null default now(),
  primary key (organization_id, key, owner_type, owner_id)
);

create function stored_file_keys(organization text, content text) returns setof text language sql immutable as $$
  select distinct match[1]
  from regexp_matches(content, '/files/(' || organization || '/[0-9]{4}/[0-9]{2}/[0-9]{2}/[A-Za-z0-9._@-]+)', 'g') match
$$;

create function link_task_files() returns trigger language plpgsql as $$
begin
  insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
  select written.organization_id, key, 'task', written.id, coalesce(written.updated_by, written.created_by, '')
  from written cross join lateral stored_file_keys(written.organization_id, written."values"::text || written.attributes::text) key
  where written."values"::text like '%/files/%' or written.attributes::text like '%/files/%'
  on conflict do nothing;
  return null;
end $$;
create trigger tasks_link_files_insert after insert on tasks
  referencing new table as written for each statement execute function link_task_files();
create trigger tasks_link_files_update after update on tasks
  referencing new table as written for each statement execute function link_task_files();

create function link_record_files() returns trigger language plpgsql as $$
begin
  insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
  select written.organization_id, key, 'record', written.id, coalesce(written.updated_by, written.created_by, '')
  from written cross join lateral stored_file_keys(written.organization_id, written."values"::text) key
  where written."values"::text like '%/files/%'
  on conflict do nothing;
  return null;
end $$;
create trigger data_records_link_files_insert after insert on data_records
  referencing new table as written for each statement execute function link_record_files();
create trigger data_records_link_files_update after update on data_records
  referencing new table as written for each statement execute function link_record_files();

insert into file_links (organization_id, key, owner_type, owner_id)
select organization_id, key, 'task', id
from tasks cross join lateral stored_file_keys(organization_id, "values"::text || attributes::text) key
where "values"::text like '%/files/%' or attributes::text like '%/files/%'
on conflict do nothing;
insert into file_links (organization_id, key, owner_type, owner_id)
select organization_id, key, 'record', id from data_records cross join lateral stored_file_keys(organization_id, "values"::text) key
where "values"::text like '%/files/%'
on conflict do nothing;
