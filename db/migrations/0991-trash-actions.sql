-- Which action deleted an object, so that everything of one action can be restored together. A column without a default:
-- the table is locked for a moment. The trash is small, so the index is too.
alter table trash add column action_id text;
create index trash_action on trash (organization_id, action_id) where action_id is not null;
