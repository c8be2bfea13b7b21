-- Keys with which a phone app or tracker sends positions of one person. Only the hash of a key is stored.
create table device_keys (
  organization_id text not null,
  id text not null,
  hash bytea not null,
  user_id text not null,
  name text not null,
  created_by text,
  created_time timestamptz not null,
  -- Kept to the minute, so that a device that sends each second does not rewrite its row each second.
  last_used_at timestamptz,
  last_protocol text,
  -- Why the last entry that was refused was refused; for the person who wonders why nothing arrives.
  last_refusal text,
  revoked_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, hash),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index device_keys_user on device_keys (organization_id, user_id);
