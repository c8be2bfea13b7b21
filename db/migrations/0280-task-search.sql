-- Pages of tasks found by words, or sorted by title, among a million tasks.
-- The old index of words held the organization as a key of its own: every search walked the list of all tasks of
-- the organization. Now each key is three characters and the organization together. On a table with rows this
-- holds a lock that blocks writes to tasks while the two indexes are built, about a minute a million tasks.

-- Each three neighbouring characters of a text, hashed with the organization. A text that contains another has
-- all of its keys; the reverse is not certain, so what is found is compared once more. Texts of less than three
-- characters have none. Arrays rather than substr, whose cost grows with the square of the length.
create function task_grams(organization_id text, words text) returns bigint[]
language sql immutable parallel safe strict as $$
  select coalesce(array_agg(distinct hashtextextended(one || two || three, seed)), '{}')
  from (select letters, hashtextextended(organization_id, 0) as seed from string_to_array(words, null) letters) split
  cross join lateral unnest(letters, letters[2:], letters[3:]) as gram (one, two, three)
  where three is not null
$$;

create index tasks_words_hashed on tasks using gin (
  task_grams(organization_id, lower(coalesce(title, '') || ' ' || coalesce(content, '') || ' ' || coalesce(label, ''))));

-- Titles by their first 100 characters, in the order of their code points: an entry of an index has a largest size.
create index tasks_title on tasks (organization_id, (left(title, 100) collate "C"), id);

-- Last, since dropping an index keeps readers out until the end of the transaction.
drop index tasks_words;
alter index tasks_words_hashed rename to tasks_words;
