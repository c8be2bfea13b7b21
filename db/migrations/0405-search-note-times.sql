-- When records were noted for the search, so that an organization whose records are just being written by the thousands
-- is indexed afterwards. A column with a constant default: no table is rewritten, its lock lasts a moment.
alter table data_search_notes add column noted_time timestamptz not null default now();
