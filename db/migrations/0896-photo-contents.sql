-- The content of an uploaded photo or recording, so that a device which sends it again, because the response was lost, gets
-- the address of the file that is stored. Null: uploaded before, or not for a task. The column locks the table for a moment
-- and the partial index, empty at first, for one read of it.
alter table file_links add column content_hash bytea;
create index file_links_content on file_links (organization_id, owner_id, content_hash) where content_hash is not null;
