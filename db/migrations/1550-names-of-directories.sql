-- Directories compare the parts of a name with what they sent, so these are kept beside the one name of a person.
-- No rewrite; the lock on the small table is short.
alter table scim_ids alter column external_id drop not null;
alter table scim_ids add column names jsonb;
