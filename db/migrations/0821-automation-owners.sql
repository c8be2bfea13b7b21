-- An automation acts as its owner, the person who saved it last, and pauses when that person's membership or permission
-- ends. Existing ones belong to their last editor, else to their creator, else to the organization's first owner.
-- The tables are small: their exclusive locks are short.
alter table automations
  add column owner_id text,
  add column paused_time timestamptz,
  add column pause_reason text check (pause_reason in ('membership', 'permission')),
  add constraint automations_pause check ((paused_time is null) = (pause_reason is null));
comment on column automations.owner_id is 'Who saved it last. Not a foreign key: an automation outlives the membership.';
update automations set owner_id = coalesce(
  (select id from users where users.organization_id = automations.organization_id and users.email = automations.updated_by),
  (select id from users where users.organization_id = automations.organization_id and users.email = automations.created_by),
  (select id from users where users.organization_id = automations.organization_id and users.is_first_owner limit 1));
alter table webhook_endpoints drop constraint webhook_endpoints_pause_reason_check;
alter table webhook_endpoints add constraint webhook_endpoints_pause_reason_check
  check (pause_reason in ('dead', 'gone', 'person', 'owner'));
