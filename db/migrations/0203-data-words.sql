-- Text of the records by trigrams, for `filter[<field>][contains]`. Indexing it while records are written would
-- more than double the cost of writing, so the triggers only note which records changed, and a job brings their
-- text up to date; a search looks at the indexed text and at what is noted, so it misses nothing in between.
-- New tables, and functions replaced: no lock on a table that is in use but for the note of existing records.

create table data_record_words (
  organization_id text not null references organizations (id) on delete cascade,
  record_id text not null,
  data_type_id text not null,
  -- All values of the record and its key, one a line.
  words text not null,
  primary key (organization_id, record_id)
);
create index data_record_words_text on data_record_words using gin (data_type_id, words gin_trgm_ops);

create table data_word_changes (
  organization_id text not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  data_type_id text not null,
  record_id text not null,
  primary key (organization_id, id)
);

insert into data_word_changes (organization_id, data_type_id, record_id)
select organization_id, data_type_id, id from data_records;

create or replace function data_records_inserted() returns trigger language plpgsql as $$
begin
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, count(*) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value from inserted
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f
    from inserted r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5;
  insert into data_record_order (organization_id, record_id, field_id, data_type_id, hub_id, value)
  select r.organization_id, r.id, o.key, r.data_type_id, r.hub_id, o.value::float8
  from inserted r cross join lateral jsonb_each_text(r.ordered) o;
  insert into data_word_changes (organization_id, data_type_id, record_id)
  select organization_id, data_type_id, id from inserted;
  return null;
end $$;

create or replace function data_records_deleted() returns trigger language plpgsql as $$
declare
  tenant text;
begin
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
  for tenant in select distinct organization_id from deleted loop
    delete from data_record_order
    where organization_id = tenant and record_id = any (array(select id from deleted where organization_id = tenant));
    delete from data_record_words
    where organization_id = tenant and record_id = any (array(select id from deleted where organization_id = tenant));
  end loop;
  return null;
end $$;

create or replace function data_records_updated() returns trigger language plpgsql as $$
declare
  tenant text;
  changed text[];
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
    ) r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  insert into data_word_changes (organization_id, data_type_id, record_id)
  select organization_id, data_type_id, id from (
    select organization_id, data_type_id, id, data_id, "values" from after_update
    except
    select organization_id, data_type_id, id, data_id, "values" from before_update
  ) changed_text;
  for tenant in select distinct organization_id from after_update loop
    changed := array(
      select id from (
        select id, ordered, hub_id, data_type_id from after_update where organization_id = tenant
        except
        select id, ordered, hub_id, data_type_id from before_update where organization_id = tenant
      ) states);
    continue when changed = '{}';
    delete from data_record_order where organization_id = tenant and record_id = any (changed);
    insert into data_record_order (organization_id, record_id, field_id, data_type_id, hub_id, value)
    select tenant, a.id, o.key, a.data_type_id, a.hub_id, o.value::float8
    from after_update a cross join lateral jsonb_each_text(a.ordered) o
    where a.organization_id = tenant and a.id = any (changed);
  end loop;
  return null;
end $$;
