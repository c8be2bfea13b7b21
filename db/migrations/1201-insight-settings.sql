-- What an organization expects of its numbers, and what its work costs. A new, empty table: no lock matters.
create table insight_settings (
  organization_id text not null references organizations (id) on delete cascade,
  -- {"perSession": 0, "perHour": 0, "perKilometer": 0} in the organization's currency.
  costs jsonb not null default '{}',
  -- [{"metric": "onTimeRate", "flowId": null, "target": 0.95}]
  targets jsonb not null default '[]',
  updated_time timestamptz not null default now(),
  updated_by text,
  primary key (organization_id)
);
select audit_table('insight_settings', 'insight-settings', 'organization_id', '', '', '{}', '{}');
