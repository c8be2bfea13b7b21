-- Forms on which strangers ask for a task, and what they sent. New, empty tables: no lock matters.
create table request_forms (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  hub_id text not null,
  flow_id text not null,
  -- The code of the link is derived from id and round with a secret of the installation; only a keyed hash is stored.
  round integer not null default 0,
  code_hash bytea not null,
  settings jsonb not null,
  is_active boolean not null default true,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id)
);
create unique index request_forms_code on request_forms (code_hash);

create table task_requests (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  form_id text not null,
  hub_id text not null,
  flow_id text not null,
  -- Of the page that it was sent from: sent again, it is the same request.
  submission bytea not null,
  -- Of the address of its own page, as above.
  code_hash bytea not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  "values" jsonb not null,
  name text,
  language text not null,
  -- A held appointment slot, and the window that the customer chose.
  slot_id text,
  starts_at timestamptz,
  ends_at timestamptz,
  task_id text,
  created_time timestamptz not null,
  decided_time timestamptz,
  decided_by text,
  reason text,
  primary key (organization_id, id)
);
create unique index task_requests_submission on task_requests (organization_id, form_id, submission);
create unique index task_requests_code on task_requests (code_hash);
create index task_requests_time on task_requests (organization_id, created_time desc, id);
create index task_requests_decided on task_requests (decided_time) where decided_time is not null;
select audit_table('request_forms', 'request-form', 'id', 'name', 'hub_id', '{}', '{code_hash}');
select audit_table('task_requests', 'task-request', 'id', 'name', 'hub_id', '{}', '{code_hash,submission}');

-- Messages about a request have no task yet: they carry what their text may say, and happen once per key. The index has
-- no rows so far; building it reads the table once and holds writes for that time.
alter table customer_messages alter column task_id drop not null;
alter table customer_messages add column fields jsonb;
create unique index customer_messages_request on customer_messages (organization_id, event_key, kind) where task_id is null;
