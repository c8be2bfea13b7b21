-- Cheap writing of data records. A record cost its writer ten foreign keys checked row by row, four rows of
-- data_record_order and an entry of a GIN index: 0.2 ms of the database a row, most of what an import took.
-- Now everything that only searches need stands in tables of its own that a job fills in bulk; a statement that
-- writes leaves one note of the records it touched, and searches look at what is indexed and at what is noted.
-- The foreign keys become one check a statement, with the same locks. Ranges are counted by buckets of about a
-- thousand values, so that an exact total does not read all it counts.
-- Takes an exclusive lock on data_records for moments; all records are noted anew and indexed by the job.

drop trigger data_records_insert on data_records;
drop trigger data_records_update on data_records;
drop trigger data_records_delete on data_records;
alter table data_records
  drop constraint data_records_organization_id_fkey,
  drop constraint data_records_organization_id_data_type_id_fkey,
  drop constraint data_records_organization_id_hub_id_fkey;
-- The records of a hub are found type by type, by data_records_key.
drop index data_records_hub;
drop index data_records_values;
drop table data_record_words;
drop table data_record_order;
drop table data_word_changes;

-- Records as they were when they were last indexed. Kept by the job alone, hence without foreign keys.
create table data_search (
  organization_id text not null,
  record_id text not null,
  data_type_id text not null,
  hub_id text,
  -- All values of the record and its key, one a line.
  words text not null,
  "values" jsonb not null,
  ordered jsonb not null,
  primary key (organization_id, record_id)
);
create index data_search_words on data_search using gin (data_type_id, words gin_trgm_ops);
-- Equality on any field. The type stands in the index because ids of fields and values repeat between tenants.
create index data_search_values on data_search using gin (data_type_id, "values" jsonb_path_ops);

-- One row per indexed record and ordered field: a range on any such field is one index range.
create table data_search_order (
  organization_id text not null,
  data_type_id text not null,
  field_id text not null,
  value double precision not null,
  record_id text not null,
  hub_id text
);
create index data_search_order_value on data_search_order (organization_id, data_type_id, field_id, value, record_id)
  include (hub_id);

-- How many rows of data_search_order lie in a bucket of values, which begins at `low` and ends where the next
-- one begins; per hub ('' for none) and for all hubs together ('*'). `lowest` and `highest` enclose its values.
create table data_search_buckets (
  organization_id text not null,
  data_type_id text not null,
  field_id text not null,
  hub_id text not null,
  low double precision not null,
  lowest double precision not null,
  highest double precision not null,
  count bigint not null,
  primary key (organization_id, data_type_id, field_id, hub_id, low)
);

-- How often three characters stand in a sample of the indexed records: a search goes by the rare ones.
create table data_search_trigrams (
  organization_id text not null,
  data_type_id text not null,
  trigram text not null,
  count bigint not null,
  primary key (organization_id, data_type_id, trigram)
);

-- Records that changed since they were indexed: a note per statement, type, and 2,000 records.
create table data_search_notes (
  organization_id text not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  data_type_id text not null,
  record_ids text[] not null,
  primary key (organization_id, id)
);

insert into data_search_notes (organization_id, data_type_id, record_ids)
select organization_id, data_type_id, array_agg(id) from (
  select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
  from data_records
) numbered group by organization_id, data_type_id, part;

-- The types and hubs of written records must exist, and stay while the transaction lasts.
create function data_records_check_parents(tenant text, type_ids text[], hub_ids text[]) returns void language plpgsql as $$
declare
  found_count bigint;
begin
  select count(*) into found_count from (
    select from data_types where organization_id = tenant and id = any (type_ids) for key share) found;
  if found_count <> cardinality(type_ids) then
    raise exception 'a data record names a data type that does not exist' using errcode = 'foreign_key_violation', constraint = 'data_records_data_type';
  end if;
  select count(*) into found_count from (
    select from hubs where organization_id = tenant and id = any (hub_ids) for key share) found;
  if found_count <> cardinality(hub_ids) then
    raise exception 'a data record names a hub that does not exist' using errcode = 'foreign_key_violation', constraint = 'data_records_hub';
  end if;
end $$;

create or replace function data_records_inserted() returns trigger language plpgsql as $$
declare
  tenant record;
begin
  for tenant in
    select organization_id as id, array_agg(distinct data_type_id) as types,
      coalesce(array_agg(distinct hub_id) filter (where hub_id is not null), '{}') as hubs
    from inserted group by organization_id
  loop
    perform data_records_check_parents(tenant.id, tenant.types, tenant.hubs);
  end loop;
  insert into data_search_notes (organization_id, data_type_id, record_ids)
  select organization_id, data_type_id, array_agg(id) from (
    select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
    from inserted
  ) numbered group by organization_id, data_type_id, part;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, coalesce(hub_id, ''), '', '', count(*) from inserted group by 1, 2, 3;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f, count(*)
  from (select distinct organization_id, data_type_id from inserted) used
  cross join lateral (
    select t.counted_fields from data_types t where t.organization_id = used.organization_id and t.id = used.data_type_id offset 0
  ) t
  cross join lateral unnest(t.counted_fields) f
  cross join lateral (
    select * from inserted i where i.organization_id = used.organization_id and i.data_type_id = used.data_type_id
  ) r
  where length(r."values"->>f) <= 255 group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function data_records_updated() returns trigger language plpgsql as $$
declare
  tenant record;
begin
  for tenant in
    select organization_id as id, array_agg(distinct data_type_id) as types,
      coalesce(array_agg(distinct hub_id) filter (where hub_id is not null), '{}') as hubs
    from after_update group by organization_id
  loop
    perform data_records_check_parents(tenant.id, tenant.types, tenant.hubs);
  end loop;
  insert into data_search_notes (organization_id, data_type_id, record_ids)
  select organization_id, data_type_id, array_agg(id) from (
    select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
    from after_update
  ) numbered group by organization_id, data_type_id, part;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, sum(change) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value, 1 as change
    from after_update
    union all
    select organization_id, data_type_id, coalesce(hub_id, ''), '', '', -1 from before_update
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f, r.change
    from (
      select organization_id, data_type_id, hub_id, "values", 1 as change from after_update
      union all
      select organization_id, data_type_id, hub_id, "values", -1 from before_update
    ) r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $$;

-- A record that went with its whole organization leaves nothing to note.
create or replace function data_records_deleted() returns trigger language plpgsql as $$
begin
  insert into data_search_notes (organization_id, data_type_id, record_ids)
  select organization_id, data_type_id, array_agg(id) from (
    select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
    from deleted
  ) numbered
  where (select true from organizations o where o.id = numbered.organization_id)
  group by organization_id, data_type_id, part;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, -count(*) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value from deleted
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f
    from deleted r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted
  where (select true from organizations o where o.id = counted.organization_id)
  group by 1, 2, 3, 4, 5;
  return null;
end $$;

create trigger data_records_insert after insert on data_records
  referencing new table as inserted for each statement execute function data_records_inserted();
create trigger data_records_delete after delete on data_records
  referencing old table as deleted for each statement execute function data_records_deleted();
create trigger data_records_update after update on data_records
  referencing old table as before_update new table as after_update
  for each statement execute function data_records_updated();

-- What goes with its parent: records with their type, hub or organization, the search with the organization.
create function data_types_deleted() returns trigger language plpgsql as $$
begin
  delete from data_records r using gone where r.organization_id = gone.organization_id and r.data_type_id = gone.id;
  return null;
end $$;
create trigger data_types_delete after delete on data_types
  referencing old table as gone for each statement execute function data_types_deleted();

create function hubs_deleted_records() returns trigger language plpgsql as $$
begin
  delete from data_records r using gone
  where r.organization_id = gone.organization_id and r.hub_id = gone.id
    and r.data_type_id in (select t.id from data_types t where t.organization_id = gone.organization_id);
  return null;
end $$;
create trigger hubs_delete_records after delete on hubs
  referencing old table as gone for each statement execute function hubs_deleted_records();

create function organizations_deleted_search() returns trigger language plpgsql as $$
declare
  tenant text;
begin
  for tenant in select id from gone loop
    delete from data_records where organization_id = tenant;
    delete from data_search where organization_id = tenant;
    delete from data_search_order where organization_id = tenant;
    delete from data_search_buckets where organization_id = tenant;
    delete from data_search_trigrams where organization_id = tenant;
  end loop;
  return null;
end $$;
create trigger organizations_delete_search after delete on organizations
  referencing old table as gone for each statement execute function organizations_deleted_search();
