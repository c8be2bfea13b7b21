-- Addresses at which calendar programs read a person's, a hub's or a schedule's events. A new table only.
create table calendar_feeds (
  organization_id text not null,
  id text not null,
  -- SHA-256 of the token in the address.
  hash bytea not null,
  kind text not null check (kind in ('person', 'hub', 'schedule')),
  target_id text not null,
  -- Who made it: the feed shows what this person may see when it is read.
  user_id text not null,
  created_time timestamptz not null,
  read_time timestamptz,
  primary key (organization_id, id),
  unique (organization_id, hash),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index calendar_feeds_user on calendar_feeds (organization_id, user_id);
