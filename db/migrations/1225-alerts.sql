-- Rules about people, vehicles and tasks, and what they found. New, empty tables. The constraint of notices is checked against
-- their rows, which holds writes to that small table for a moment.
create table alert_rules (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- Null: for the whole organization.
  hub_id text,
  name text not null,
  kind text not null,
  settings jsonb not null,
  is_active boolean not null default true,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
select audit_table('alert_rules', 'alert-rule', 'id', 'name', 'hub_id', '{}', '{}');

create table alerts (
  organization_id text not null,
  id text not null,
  rule_id text not null,
  -- What raised it: one alert per rule, cause and beginning.
  cause text not null,
  kind text not null,
  hub_ids text[] not null,
  user_id text,
  email text,
  task_id text,
  geofence_id text,
  details jsonb not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- When recipients are to be notified, and null once they are.
  notify_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  primary key (organization_id, id),
  unique (organization_id, rule_id, cause, started_at),
  foreign key (organization_id, rule_id) references alert_rules (organization_id, id) on delete cascade
);
create index alerts_open on alerts (organization_id, rule_id) where ended_at is null;
create index alerts_time on alerts (organization_id, started_at desc, id);
create index alerts_notify on alerts (organization_id, notify_at) where notify_at is not null;

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('taskNew', 'taskChanged', 'taskCancelled', 'message', 'mention', 'alert'));
