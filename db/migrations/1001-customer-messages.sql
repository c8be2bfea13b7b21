-- Messages to customers: channels, templates, the log of what was sent, and who wants none. New, empty tables: no lock
-- matters.
create table message_channels (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('email', 'sms', 'whatsapp')),
  preset text not null,
  -- What its request is made of, without secrets.
  settings jsonb not null default '{}',
  -- Sealed JSON: names and values.
  secrets bytea,
  is_active boolean not null default true,
  cost numeric(12, 4) not null default 0,
  daily_cap integer not null default 1000,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  updated_by text,
  primary key (organization_id, id)
);

-- Providers call with the id of a channel alone.
create unique index message_channels_id on message_channels (id);

create table message_templates (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  event text not null,
  channel_id text not null,
  hub_id text,
  flow_id text,
  -- Empty: every language that has no template of its own.
  language text not null default '',
  subject text not null default '',
  -- Empty: the built-in text.
  body text not null default '',
  is_active boolean not null default true,
  updated_time timestamptz not null default now(),
  updated_by text,
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references message_channels (organization_id, id) on delete cascade
);
create index message_templates_event on message_templates (organization_id, event) where is_active;

create table message_settings (
  organization_id text primary key references organizations (id) on delete cascade,
  settings jsonb not null default '{}',
  updated_time timestamptz not null default now(),
  updated_by text
);

create table customer_messages (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  task_id text not null,
  hub_id text not null,
  event text not null,
  -- Which occurrence of the event: one message for it, the task and the kind of channel.
  event_key text not null,
  kind text not null,
  channel_id text not null,
  template_id text,
  recipient text not null,
  language text not null,
  subject text,
  body text,
  status text not null
    check (status in ('waiting', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'uncertain')),
  reason text,
  attempts integer not null default 0,
  provider_id text,
  provider_status text,
  cost numeric(12, 4) not null default 0,
  created_time timestamptz not null,
  run_at timestamptz not null,
  sent_time timestamptz,
  updated_time timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, task_id, event_key, kind)
);
create index customer_messages_time on customer_messages (organization_id, created_time desc, id);
create index customer_messages_provider on customer_messages (organization_id, channel_id, provider_id)
  where provider_id is not null;
create index customer_messages_recipient on customer_messages (organization_id, recipient, created_time desc);

create table message_opt_outs (
  organization_id text not null references organizations (id) on delete cascade,
  address text not null,
  source text not null check (source in ('link', 'reply', 'console')),
  created_time timestamptz not null,
  primary key (organization_id, address)
);

create table message_usage (
  organization_id text not null references organizations (id) on delete cascade,
  channel_id text not null,
  day date not null,
  messages integer not null default 0,
  cost numeric(14, 4) not null default 0,
  primary key (organization_id, channel_id, day)
);
