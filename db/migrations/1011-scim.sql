-- SCIM: the tokens of directories, and the ids under which directories know people and groups. New tables.
create table scim_tokens (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hash bytea not null,
  name text not null,
  -- The role and hub of people and teams for which the directory names none.
  role_id text not null,
  hub_id text not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  used_time timestamptz,
  primary key (organization_id, id),
  unique (organization_id, hash),
  foreign key (organization_id, role_id) references roles (organization_id, id) on delete cascade,
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
select audit_table('scim_tokens', 'scim-token', 'id', 'name', '', '{hash}', '{used_time}');

create table scim_ids (
  organization_id text not null references organizations (id) on delete cascade,
  resource_id text not null,
  external_id text not null,
  primary key (organization_id, resource_id)
);
create index scim_ids_external on scim_ids (organization_id, external_id);
