-- GPS trackers: devices by IMEI, the last messages of each, and devices that nobody has registered. Three new tables, and a
-- column on person_positions that locks the table for a moment.
create table trackers (
  organization_id text not null,
  id text not null,
  -- Of the organization, as positions are stored with it.
  organization_number integer not null,
  -- The IMEI, or the number that the device sends in its place. A device belongs to one organization.
  imei text not null check (imei ~ '^[0-9]{8,20}$'),
  protocol text not null,
  name text not null,
  user_id text not null,
  created_by text,
  created_time timestamptz not null,
  last_contact_at timestamptz,
  last_address text,
  last_refusal text,
  -- What the device reported last apart from positions: ignition, battery and so on.
  attributes jsonb not null default '{}',
  -- Messages so far. Its remainder is the slot of the next one.
  messages bigint not null default 0,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  constraint trackers_imei_key unique (imei)
);
create index trackers_user on trackers (organization_id, user_id);

-- The last 100 messages of each tracker: a new one takes the slot of the oldest.
create table tracker_messages (
  organization_id text not null,
  tracker_id text not null,
  slot smallint not null,
  number bigint not null,
  received_at timestamptz not null,
  kind text not null,
  -- The first 2 kB of the frame.
  content bytea not null,
  size integer not null,
  positions smallint not null,
  note text,
  primary key (organization_id, tracker_id, slot),
  foreign key (organization_id, tracker_id) references trackers (organization_id, id) on delete cascade
);

-- Devices that contacted the installation and belong to no organization. At most 1,000, without positions.
create table unknown_trackers (
  imei text primary key,
  protocol text not null,
  address text not null,
  first_contact_at timestamptz not null,
  last_contact_at timestamptz not null
);
create index unknown_trackers_last_contact on unknown_trackers (last_contact_at);

-- Ignition, fuel, odometer and alarm of the newest position, where the device sends them.
alter table person_positions add column attributes jsonb;
