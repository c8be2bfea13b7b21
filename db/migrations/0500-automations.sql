-- Domain events (what integrations may want to know), automations that act on them, and the log of their tries.
-- New tables only: no locks to mind.

-- One row per event with the record as it was then, written by the transaction of the change. A reader's place
-- is (xid, number): below the oldest open transaction nothing new can appear, so a feed by it misses nothing.
create table domain_events (
  organization_id text not null references organizations (id) on delete cascade,
  xid xid8 not null default pg_current_xact_id(),
  number bigint generated always as identity,
  event text not null,
  reference_id text not null,
  hub_id text,
  -- How many automations led to it, one after the other; 0 is a person or a client.
  depth smallint not null default coalesce(nullif(current_setting('fieldway.event_depth', true), ''), '0')::smallint,
  record jsonb not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, xid, number)
);
create index domain_events_age on domain_events using brin (created_time);

create table automations (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  event text not null,
  data_type text not null,
  automation_type text not null,
  details jsonb not null,
  rules jsonb not null,
  is_active boolean not null default true,
  -- Key of the signatures of a webhook that has them.
  signing_secret text,
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index automations_name on automations (organization_id, lower(name));
create index automations_event on automations (organization_id, event) where is_active;

-- One row a try. The event columns say which event it was for; a try that the service makes by itself stands
-- once, so that a job that runs twice does not act twice.
create table automation_log (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  automation_id text not null,
  event_xid xid8,
  event_number bigint,
  origin text not null check (origin in ('event', 'retry', 'test', 'replay')),
  attempt smallint not null,
  is_success boolean not null,
  status_code smallint not null,
  name text not null,
  event text not null,
  automation_type text not null,
  data_type text not null,
  details jsonb not null,
  url text not null,
  request text not null,
  response text not null,
  response_headers jsonb,
  reference_id text not null,
  dispatched_time timestamptz not null,
  started_time timestamptz not null,
  finished_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, automation_id) references automations (organization_id, id) on delete cascade
);
create unique index automation_log_once on automation_log (organization_id, automation_id, event_xid, event_number, attempt)
  where origin = 'event';
create index automation_log_list on automation_log (organization_id, finished_time desc, id);
create index automation_log_automation on automation_log (organization_id, automation_id, finished_time desc);
create index automation_log_reference on automation_log (organization_id, reference_id, finished_time desc);
create index automation_log_age on automation_log using brin (finished_time);

-- Failures of a webhook within the hour that began with the first one; owners are told once per window.
create table webhook_failures (
  organization_id text not null,
  automation_id text not null,
  started_time timestamptz not null,
  attempted int not null,
  failed int not null,
  is_alerted boolean not null default false,
  primary key (organization_id, automation_id),
  foreign key (organization_id, automation_id) references automations (organization_id, id) on delete cascade
);
