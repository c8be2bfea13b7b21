-- Notices of people in the field: an inbox per person who uses the field app, and where their browsers receive push
-- messages. New tables only.
create table inboxes (
  organization_id text not null,
  user_id text not null,
  -- As at the last visit: tasks name people by it.
  email text not null,
  opened_time timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index inboxes_email on inboxes (organization_id, email);

create table notices (
  organization_id text not null,
  id text not null,
  user_id text not null,
  kind text not null check (kind in ('taskNew', 'taskChanged', 'taskCancelled', 'message')),
  -- No foreign key: the notice of a cancelled task outlives it.
  task_id text,
  title text,
  -- More than 1: so many tasks of one change, without naming them.
  count integer not null default 1,
  created_by text not null,
  created_time timestamptz not null,
  read_time timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references inboxes (organization_id, user_id) on delete cascade
);
create index notices_inbox on notices (organization_id, user_id, created_time desc, id desc);
create index notices_unread on notices (organization_id, user_id, task_id) where read_time is null;
create index notices_created on notices (created_time);

create table push_subscriptions (
  organization_id text not null,
  id text not null,
  user_id text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  language text not null,
  created_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references inboxes (organization_id, user_id) on delete cascade,
  constraint push_subscriptions_endpoint unique (organization_id, user_id, endpoint)
);
create index push_subscriptions_device on push_subscriptions (endpoint);

-- The installation's key pair for push messages. The private key is sealed.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  sealed_key bytea not null,
  created_time timestamptz not null default now()
);
