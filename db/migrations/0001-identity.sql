-- Organizations, accounts, people, roles, hubs, teams and tokens.
-- Tenant tables have organization_id first in their keys; accounts are global, one per e-mail.
-- Runs on an empty database: no locks to mind.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table installation_secrets (
  name text primary key,
  secret bytea not null
);

create table organizations (
  id text primary key,
  -- Small surrogate for tables with billions of rows.
  number int generated always as identity unique,
  name text not null,
  status text not null default 'verified' check (status in ('pending', 'verified')),
  verified_time timestamptz,
  -- What onboarding collected: name, email, phoneNumber, numberOfUsers, industry, position, hub, flows, type.
  profile jsonb not null default '{}',
  country_code text,
  currency text not null default 'USD',
  time_zone text not null default 'UTC',
  language text not null default 'en',
  configuration jsonb not null default '{"filesServerProvider": "milesto", "filesAccessPermission": "private"}',
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now()
);

create table accounts (
  id text primary key,
  -- Lower-cased and in Unicode form NFKC, so that spellings of one address are one account.
  email text not null unique,
  password_hash text,
  password_changed_time timestamptz,
  password_history text[] not null default '{}',
  failed_attempts int not null default 0,
  locked_until timestamptz,
  -- The first organization of the account: only it may change the e-mail or reset the password.
  origin_organization_id text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now()
);

create table roles (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  is_default boolean not null default false,
  permission_names text[] not null default '{}',
  permission_details jsonb not null default '[]',
  password_policy_id text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index roles_name on roles (organization_id, lower(name));

create table users (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  number int generated always as identity unique,
  account_id text not null references accounts (id),
  -- The account's e-mail, repeated: every lookup inside an organization goes by it.
  email text not null,
  name text not null,
  phone_number text,
  avatar text,
  language text not null default 'en',
  provider text not null default 'web',
  status text not null check (status in ('active', 'inactive', 'pending', 'disabled', 'reject')),
  role_id text not null,
  is_first_owner boolean not null default false,
  first_login boolean not null default true,
  last_login timestamptz,
  onboarding_step jsonb not null default '[]',
  dynamic_visit_time jsonb not null default '[]',
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, account_id),
  unique (organization_id, email),
  foreign key (organization_id, role_id) references roles (organization_id, id)
);
create index users_role on users (organization_id, role_id);
create index users_account on users (account_id);

create table hubs (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  address text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  country_code text,
  -- Null: the organization's.
  time_zone text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index hubs_name on hubs (organization_id, lower(name));

create table user_hubs (
  organization_id text not null,
  user_id text not null,
  hub_id text not null,
  primary key (organization_id, user_id, hub_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create index user_hubs_hub on user_hubs (organization_id, hub_id);

create table teams (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create unique index teams_name on teams (organization_id, hub_id, lower(name));

create table user_teams (
  organization_id text not null,
  user_id text not null,
  team_id text not null,
  primary key (organization_id, user_id, team_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create index user_teams_team on user_teams (organization_id, team_id);

-- Whoever asks whether a caller's rights changed looks at the users row alone (see core/access).
create function touch_user() returns trigger language plpgsql as $$
begin
  update users set updated_time = now()
  where organization_id = coalesce(new.organization_id, old.organization_id) and id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger user_hubs_touch after insert or update or delete on user_hubs for each row execute function touch_user();
create trigger user_teams_touch after insert or update or delete on user_teams for each row execute function touch_user();

create table access_tokens (
  organization_id text not null,
  -- SHA-256 of the token; the token itself is nowhere.
  hash bytea not null,
  id text not null,
  user_id text not null,
  kind text not null check (kind in ('session', 'personal')),
  name text,
  -- Null: all permissions of the owner.
  scopes text[],
  created_time timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_from text,
  primary key (organization_id, hash),
  unique (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index access_tokens_user on access_tokens (organization_id, user_id);
