-- A statement that writes tasks or audit parts prepares the expressions of their indexes. For a function in SQL, PostgreSQL then
-- reads its body to see whether it can replace the call, which it cannot for these two: seven times for each change of
-- a task, an eighth of the statement. Functions in PL/pgSQL are read once a session. Arguments and results stay the same, so the
-- indexes stay valid. Takes no lock on a table.

create or replace function task_grams(organization_id text, words text) returns bigint[]
language plpgsql immutable parallel safe strict as $$
begin
  return (
    select coalesce(array_agg(distinct hashtextextended(one || two || three, seed)), '{}')
    from (select letters, hashtextextended(organization_id, 0) as seed from string_to_array(words, null) letters) split
    cross join lateral unnest(letters, letters[2:], letters[3:]) as gram (one, two, three)
    where three is not null
  );
end $$;

create or replace function audit_instant(line jsonb, name text) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  return (line ->> name)::timestamptz;
end $$;
