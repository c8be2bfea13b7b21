-- What carries changes onwards: live events, idempotency keys, worker heartbeats, trash, audit.
-- Runs on an empty database: no locks to mind.

create table worker_heartbeats (
  worker_id text primary key,
  seen_at timestamptz not null
);

create table live_events (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- The writing transaction: readers resume from a horizon of these (see core/events).
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  hub_id text,
  emails text[],
  content jsonb not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index live_events_xid on live_events (xid);
create index live_events_age on live_events (created_time);

create table idempotency_keys (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null,
  key text not null,
  request_hash text not null,
  status_code int not null default 0,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table trash (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  type text not null,
  name text not null,
  -- The id of the row that was deleted, and the row itself with what belongs to it.
  source_id text not null,
  hub_id text,
  content jsonb not null,
  deleted_by text,
  deleted_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index trash_list on trash (organization_id, deleted_time desc, id);
create index trash_type on trash (organization_id, type, deleted_time desc);
create index trash_age on trash (deleted_time);

create table audit_log (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  time timestamptz not null default now(),
  -- Who: null for somebody who was not signed in, or the system.
  actor_email text,
  address text,
  action text not null,
  target_type text not null,
  target_id text,
  target_name text,
  before jsonb,
  after jsonb,
  primary key (organization_id, id)
);
create index audit_log_time on audit_log (organization_id, time desc, id desc);
