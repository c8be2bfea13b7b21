-- Files that nothing refers to: those about to be stored, until the row that owns them commits, and those whose row was
-- deleted, until they are removed from the object store. A job removes what is left after `remove_after`, so that an
-- operation which breaks off between the database and the store leaves no file behind and no row without its file.
-- A new table: no lock on others.
create table loose_files (
  organization_id text not null references organizations (id) on delete cascade,
  key text not null,
  remove_after timestamptz not null,
  primary key (organization_id, key)
);
create index loose_files_remove_after on loose_files (remove_after);

-- Whether a row refers to the file after all, such as when a worker that was taken for dead stored it a second time.
create function is_file_owned(organization text, wanted text) returns boolean language sql stable as $$
  select exists (select from imports where organization_id = organization and wanted in (rows_key, failed_key))
    or exists (select from exports where organization_id = organization and file_key = wanted)
    or exists (select from organization_archives where organization_id = organization and file_key = wanted)
    or exists (select from plugins where organization_id = organization and wanted in (script_key, icon_key))
    or exists (select from app_integrations where organization_id = organization and certificate_key = wanted)
    or exists (select from users where organization_id = organization and position('/files/' || wanted in avatar) > 0)
    or exists (select from file_links where organization_id = organization and key = wanted)
$$;
