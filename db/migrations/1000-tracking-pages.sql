-- Tracking pages of customers: their settings, their short links, and what customers say about the service.
-- New, empty tables: no lock matters.
create table tracking_page_settings (
  organization_id text primary key references organizations (id) on delete cascade,
  settings jsonb not null default '{}',
  logo bytea,
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  updated_time timestamptz not null default now(),
  updated_by text
);

-- The code of a link is derived from its id with a secret of the installation; only a keyed hash is stored.
-- target_id is a task, or an entry of location_links. There is no foreign key: a task that is restored from the trash
-- keeps its link.
create table tracking_links (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('task', 'position')),
  target_id text not null,
  code_hash bytea not null,
  created_by text,
  created_time timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (organization_id, id)
);
create unique index tracking_links_code on tracking_links (code_hash);
create unique index tracking_links_target on tracking_links (organization_id, kind, target_id) where revoked_at is null;
create index tracking_links_expires on tracking_links (expires_at);

-- Ratings from tracking pages, and replies to messages.
create table customer_feedback (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  task_id text not null,
  hub_id text not null,
  flow_id text not null,
  task_title text,
  -- The e-mail of the first assignee when the feedback was given.
  driver text,
  kind text not null check (kind in ('rating', 'reply')),
  stars smallint check (stars between 1 and 5),
  comment text,
  -- The address that a reply came from.
  sender text,
  created_time timestamptz not null,
  read_time timestamptz,
  read_by text,
  primary key (organization_id, id),
  constraint customer_feedback_stars check ((kind = 'rating') = (stars is not null))
);
create unique index customer_feedback_rating on customer_feedback (organization_id, task_id) where kind = 'rating';
create index customer_feedback_time on customer_feedback (organization_id, created_time desc, id);
