-- Links that show one person's last known position of one day, so that they can be listed and revoked.
create table location_links (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  user_id text not null,
  day date not null,
  created_by text,
  created_time timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index location_links_user on location_links (organization_id, user_id);
create index location_links_age on location_links (expires_at);
