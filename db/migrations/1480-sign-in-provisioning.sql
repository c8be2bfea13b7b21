-- Sign-in connections may make members and map groups. Nullable columns without defaults: a short exclusive lock on two small tables.
alter table app_integrations add column provisioning jsonb;
-- Name and groups that a directory vouched for, until the browser fetches its session.
alter table sso_requests add column vouched jsonb;
