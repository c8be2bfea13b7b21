-- Data types (schemas that an organization defines) and data records (rows of them).
-- New tables only: no locks to mind.

create table data_types (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  fields jsonb not null,
  limit_user boolean not null default false,
  common_data boolean not null default false,
  provider text not null default 'internal' check (provider in ('internal', 'external-api')),
  provider_config jsonb check ((provider = 'external-api') = (provider_config is not null)),
  -- Ids of the fields with few different values (options, booleans): how many records have each is counted.
  counted_fields text[] not null default '{}',
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index data_types_name on data_types (organization_id, name);
create index data_types_created on data_types (organization_id, created_time desc, id desc);

create table data_records (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  data_type_id text not null,
  -- Null for records of common types, which belong to the whole organization.
  hub_id text,
  -- The primary key that people know.
  data_id text not null,
  -- Field id to value, as the wire shows them.
  "values" jsonb not null default '{}',
  -- Field id to number, for fields that have an order: numbers, and times as milliseconds. Written with "values".
  ordered jsonb not null default '{}',
  -- E-mails of those who may see it; null for everybody.
  limit_user text[],
  created_by text,
  updated_by text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, data_type_id) references data_types (organization_id, id) on delete cascade,
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
-- Unique per hub, or per organization where the type is common and the hub null.
create unique index data_records_key on data_records (organization_id, data_type_id, hub_id, data_id) nulls not distinct;
create index data_records_type on data_records (organization_id, data_type_id, created_time, id);
create index data_records_created on data_records (organization_id, created_time, id);
create index data_records_updated on data_records (organization_id, updated_time, id);
create index data_records_hub on data_records (organization_id, hub_id);
-- Equality on any field. The type stands in the index because ids of fields and values repeat between tenants.
create index data_records_values on data_records using gin (data_type_id, "values" jsonb_path_ops);

-- One row per record and ordered field, so that a range on any such field is one index range. Kept by the
-- triggers below, hence without a foreign key that would be checked row by row.
create table data_record_order (
  organization_id text not null references organizations (id) on delete cascade,
  record_id text not null,
  field_id text not null,
  data_type_id text not null,
  hub_id text,
  value double precision not null,
  primary key (organization_id, record_id, field_id)
);
create index data_record_order_value on data_record_order (organization_id, data_type_id, field_id, value)
  include (hub_id, record_id);

-- How many records there are per type and hub ('' for none), and how many of them have each value of a
-- counted field; field_id is '' for the records themselves. Writers append changes, a job folds them.
create table data_counts (
  organization_id text not null references organizations (id) on delete cascade,
  data_type_id text not null,
  hub_id text not null,
  field_id text not null,
  value text not null,
  count bigint not null,
  primary key (organization_id, data_type_id, field_id, value, hub_id)
);
create table data_count_changes (
  organization_id text not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  data_type_id text not null,
  hub_id text not null,
  field_id text not null,
  value text not null,
  change bigint not null,
  primary key (organization_id, id)
);

create function data_records_inserted() returns trigger language plpgsql as $$
begin
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, count(*) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value from inserted
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f
    from inserted r join data_types t on t.organization_id = r.organization_id and t.id = r.data_type_id
    cross join unnest(t.counted_fields) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5;
  insert into data_record_order (organization_id, record_id, field_id, data_type_id, hub_id, value)
  select r.organization_id, r.id, o.key, r.data_type_id, r.hub_id, o.value::float8
  from inserted r cross join jsonb_each_text(r.ordered) o;
  return null;
end $$;

create function data_records_deleted() returns trigger language plpgsql as $$
begin
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, -count(*) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value from deleted
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f
    from deleted r join data_types t on t.organization_id = r.organization_id and t.id = r.data_type_id
    cross join unnest(t.counted_fields) f where length(r."values"->>f) <= 255
  ) counted where exists (select from organizations o where o.id = counted.organization_id)
  group by 1, 2, 3, 4, 5;
  delete from data_record_order o using deleted r where o.organization_id = r.organization_id and o.record_id = r.id;
  return null;
end $$;

create function data_records_updated() returns trigger language plpgsql as $$
begin
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
    ) r join data_types t on t.organization_id = r.organization_id and t.id = r.data_type_id
    cross join unnest(t.counted_fields) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  delete from data_record_order o using before_update b join after_update a using (organization_id, id)
  where o.organization_id = b.organization_id and o.record_id = b.id
    and (a.ordered <> b.ordered or a.hub_id is distinct from b.hub_id or a.data_type_id <> b.data_type_id);
  insert into data_record_order (organization_id, record_id, field_id, data_type_id, hub_id, value)
  select a.organization_id, a.id, o.key, a.data_type_id, a.hub_id, o.value::float8
  from after_update a join before_update b using (organization_id, id) cross join jsonb_each_text(a.ordered) o
  where a.ordered <> b.ordered or a.hub_id is distinct from b.hub_id or a.data_type_id <> b.data_type_id;
  return null;
end $$;

create trigger data_records_insert after insert on data_records
  referencing new table as inserted for each statement execute function data_records_inserted();
create trigger data_records_delete after delete on data_records
  referencing old table as deleted for each statement execute function data_records_deleted();
create trigger data_records_update after update on data_records
  referencing old table as before_update new table as after_update
  for each statement execute function data_records_updated();
