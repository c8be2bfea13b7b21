-- How people have set up the console, and views of lists that they saved, for themselves or for others. Two new tables.
create table user_preferences (
  organization_id text not null,
  user_id text not null,
  name text not null,
  value jsonb not null,
  updated_time timestamptz not null default now(),
  primary key (organization_id, user_id, name),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table saved_views (
  organization_id text not null,
  id text not null,
  -- Which list: tasks, records of a data type, vehicles or people.
  list text not null,
  name text not null,
  -- Filters, columns and order, as the list's address has them.
  content jsonb not null,
  visibility text not null check (visibility in ('private', 'team', 'everyone')),
  team_id text,
  owner_id text not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  check ((visibility = 'team') = (team_id is not null)),
  foreign key (organization_id, owner_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create index saved_views_owner on saved_views (organization_id, owner_id);
create index saved_views_team on saved_views (organization_id, team_id) where team_id is not null;
