-- Deliveries of webhooks wait in a table of their own instead of one job each: a paused endpoint keeps what happens
-- meanwhile, in order, and many are sent and recorded with few statements. Secrets of automations are sealed
-- (core/sealing.ts): the start of the service moves those that are still readable, from the trash too.
-- New tables, and a column without a default on automations, which is small: the short exclusive lock harms nobody.
alter table automations add column secrets bytea;
comment on column automations.signing_secret is 'no longer written: part of secrets';

create table webhook_endpoints (
  organization_id text not null,
  automation_id text not null,
  -- When its first waiting delivery is due. Null: none waits.
  next_due timestamptz,
  -- Who sends to it now; it counts while that worker's heartbeat is fresh.
  lease_owner text,
  paused_time timestamptz,
  pause_reason text check (pause_reason in ('dead', 'gone', 'person')),
  -- Tries that failed in a row, and when that began.
  failure_count int not null default 0,
  failing_since timestamptz,
  primary key (organization_id, automation_id),
  foreign key (organization_id, automation_id) references automations (organization_id, id) on delete cascade,
  check ((paused_time is null) = (pause_reason is null))
);
create index webhook_endpoints_due on webhook_endpoints (next_due) where next_due is not null and paused_time is null;

-- What has to be sent; a row goes when its last try is in the log.
create table webhook_deliveries (
  organization_id text not null,
  automation_id text not null,
  sequence bigint generated always as identity,
  event_xid xid8 not null,
  event_number bigint not null,
  origin text not null check (origin in ('event', 'replay')),
  -- Of the next try; 0 is the first.
  attempt smallint not null default 0,
  due_time timestamptz not null,
  dispatched_time timestamptz not null,
  primary key (organization_id, automation_id, sequence),
  foreign key (organization_id, automation_id) references webhook_endpoints (organization_id, automation_id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (organization_id, automation_id, due_time, sequence);
-- An event waits once for one webhook, also when the job that matches it runs twice.
create unique index webhook_deliveries_once on webhook_deliveries (organization_id, automation_id, event_xid, event_number)
  where origin = 'event';
create index webhook_deliveries_age on webhook_deliveries using brin (dispatched_time);
