-- Custom modules (entries of the menu), plugins and app integrations. New tables only: no locks to mind.
create table custom_modules (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  label text not null,
  type text not null check (type in ('internal', 'external')),
  url text not null,
  created_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index custom_modules_name on custom_modules (organization_id, lower(name));
create unique index custom_modules_label on custom_modules (organization_id, label);

create table plugins (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  description text not null,
  -- Names of the stored files; `script_key` and `icon_key` are where they are.
  resource_file text not null,
  script_key text not null,
  icon_key text,
  is_used boolean not null default false,
  -- 'system': every organization sees it, its own administrators keep it.
  scope text not null default 'organization' check (scope in ('organization', 'system')),
  custom_module_id text,
  status text not null default 'active' check (status in ('active', 'inactive', 'draft')),
  created_by text not null,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, custom_module_id) references custom_modules (organization_id, id)
    on delete set null (custom_module_id)
);
create unique index plugins_name on plugins (organization_id, lower(name));
create index plugins_id on plugins (id);
create index plugins_system on plugins (created_time) where scope = 'system';

create table app_integrations (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  integration_type text not null default 'azure' check (integration_type in ('azure')),
  auth_url text not null,
  certificate_key text not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index app_integrations_list on app_integrations (organization_id, created_time desc, id);
