-- Flow templates of an organization, published versions of the applications, and which organization runs this
-- installation: it alone publishes versions. New tables only: no locks to mind.
create table templates (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  category text not null,
  -- JSON as text, given back letter by letter.
  configuration text not null,
  description text,
  created_by text not null,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index templates_list on templates (organization_id, created_time desc, id);

-- One row. Written with the first organization; empty again when that one is deleted, and then nobody inherits.
create table installation (
  is_only boolean primary key default true check (is_only),
  operator_organization_id text references organizations (id) on delete set null
);
insert into installation (operator_organization_id)
select id from organizations order by created_time, id limit 1;

create table app_versions (
  id text primary key,
  -- Null: for everybody on this installation.
  for_organization_id text references organizations (id) on delete cascade,
  platform text not null check (platform in ('Android', 'IOS', 'Web', 'Web-mileapp')),
  version_number int not null,
  version_name text not null,
  version_data int not null,
  release_time timestamptz not null,
  category_update text not null check (category_update in ('flexible', 'immediate')),
  doc_url text not null,
  change_log text not null,
  tags text[] not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now()
);
create unique index app_versions_number on app_versions (platform, version_number, for_organization_id) nulls not distinct;
