-- Values keep the form in which clients sent them: a number may be text, and one option may be a list. Lists of tasks
-- are sorted by what values mean. A function only: no table is locked.
create function sort_value(value jsonb, is_number boolean) returns jsonb
language sql immutable parallel safe
return case
  when jsonb_typeof(value) = 'array' then to_jsonb(array_to_string(array(select jsonb_array_elements_text(value)), ', '))
  when is_number and jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$'
    then to_jsonb((value #>> '{}')::numeric)
  else value
end;
