-- Reports that are sent by mail on a schedule, with files attached. New, empty tables, and a column without a default in mails:
-- no lock matters.
create table report_schedules (
  organization_id text not null,
  id text not null,
  -- The report shows what this person may see.
  owner_id text not null,
  name text not null,
  -- What is reported, when, in which files, and to whom.
  settings jsonb not null,
  is_active boolean not null default true,
  -- Null while it is off.
  next_at timestamptz,
  -- The last time that was sent: each is sent once.
  sent_for timestamptz,
  error text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users (organization_id, id) on delete cascade
);
create index report_schedules_due on report_schedules (next_at) where next_at is not null;
select audit_table('report_schedules', 'report-schedule', 'id', 'name', '', '{}', '{next_at,sent_for,error}');

-- Files of mails that wait to be sent; several mails share one.
create table mail_attachments (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  type text not null,
  content bytea not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, id)
);
alter table mails add column attachment_ids text[];
