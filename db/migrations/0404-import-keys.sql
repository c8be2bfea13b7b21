-- The keys that an import has seen, one row a batch: 8 bytes of each key's hash, one after the other. A row and an
-- index entry per key cost a tenth of an import. Imports that run during the upgrade forget the keys so far;
-- a key that comes again is then refused as existing. Replaces a table that only running imports fill.
drop table import_keys;
create table import_keys (
  organization_id text not null,
  import_id text not null,
  first_chunk int not null,
  hashes bytea not null,
  primary key (organization_id, import_id, first_chunk),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);
