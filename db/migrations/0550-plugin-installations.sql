-- Which plugins run in which organization, and what each was granted there. So far a plugin's own row said
-- whether it is used, which one row of a global plugin cannot say for every organization. The tables of plugins
-- are small: their locks are short.
create table plugin_installations (
  organization_id text not null references organizations (id) on delete cascade,
  plugin_id text not null,
  plugin_organization_id text not null,
  -- Of the permissions that the plugin declares, those that it may use.
  granted_permissions text[] not null default '{}',
  created_by text not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, plugin_id),
  foreign key (plugin_organization_id, plugin_id) references plugins (organization_id, id) on delete cascade
);
create index plugin_installations_plugin on plugin_installations (plugin_organization_id, plugin_id);

-- What the script says it needs, read from its `@permissions` line.
alter table plugins add column permissions text[] not null default '{}';

insert into plugin_installations (organization_id, plugin_id, plugin_organization_id, created_by, created_time)
select organization_id, id, organization_id, coalesce(updated_by, created_by), updated_time from plugins where is_used;
alter table plugins drop column is_used;
