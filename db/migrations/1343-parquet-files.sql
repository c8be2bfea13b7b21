-- Parquet files of an organization in the object store, one or more for each month of each view. A new, empty table: no lock matters.
create table parquet_files (
  organization_id text not null references organizations (id) on delete cascade,
  "table" text not null,
  month text not null,
  part integer not null,
  key text not null,
  -- Of the rows when they were written; other rows have another one.
  state text not null,
  rows integer not null,
  bytes bigint not null,
  written_time timestamptz not null,
  primary key (organization_id, "table", month, part)
);
