-- Everything of accounts, sign-in, policies, mails and organization settings that 0001 does not have.
-- The columns added to accounts, users and access_tokens have constant defaults: no table is rewritten, the
-- locks last for the statement only. The new tables are empty.

alter table accounts
  -- When somebody proved with a mailed code or link that the address is his.
  add column email_verified_time timestamptz,
  -- The organization whose administrator chose the password, until the person proves the address again.
  -- Such a password opens that organization only, so that nobody enters another one with it.
  add column password_set_by text,
  add column expiry_notice_time timestamptz,
  add column totp_secret bytea,
  add column totp_enabled_time timestamptz,
  -- The last 30-second step that was used: a code works once.
  add column totp_last_step bigint,
  -- SHA-256 of the unused recovery codes.
  add column recovery_codes text[] not null default '{}';

-- Links for proving an address and for choosing a new password. Only the hash is stored.
create table account_codes (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('verify', 'reset')),
  hash bytea not null,
  created_time timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_codes_account on account_codes (account_id, kind, created_time);
create index account_codes_hash on account_codes (hash);
create index account_codes_age on account_codes (expires_at);

alter table users
  add column invitation_hash bytea,
  add column invitation_expires timestamptz;
create index users_invitation on users (invitation_hash) where invitation_hash is not null;

alter table access_tokens
  add column sign_in text not null default 'password' check (sign_in in ('password', 'sso')),
  add column has_second_factor boolean not null default false;

-- Sign-ins that wait for a second factor.
create table sign_in_challenges (
  organization_id text not null,
  id text not null,
  user_id text not null,
  method text not null check (method in ('email', 'totp')),
  sign_in text not null default 'password',
  code_hash bytea,
  tries int not null default 0,
  sends int not null default 1,
  created_time timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index sign_in_challenges_id on sign_in_challenges (id);
create index sign_in_challenges_age on sign_in_challenges (expires_at);

-- When and from where a personal token was last used; apart from the token's row, which says whether it is good.
create table token_uses (
  organization_id text not null,
  token_id text not null,
  used_at timestamptz not null,
  used_from text,
  primary key (organization_id, token_id),
  foreign key (organization_id, token_id) references access_tokens (organization_id, id) on delete cascade
);

create table password_policies (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  minimum_length int not null check (minimum_length >= 6),
  complexity int not null check (complexity between 1 and 4),
  -- Days; -1 is never.
  expiration int not null,
  expiration_notification_days int not null,
  -- Days before the next change; -1 is none.
  minimum_duration int not null,
  account_lockout int not null check (account_lockout >= 1),
  -- Minutes; -1 is until somebody unlocks.
  account_lockout_duration int not null,
  password_history int not null check (password_history between 0 and 100),
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index password_policies_name on password_policies (organization_id, lower(name));

create table privacy_policies (
  organization_id text primary key references organizations (id) on delete cascade,
  id text not null,
  description text not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now()
);

create table organization_data (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  data jsonb not null,
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index organization_data_name on organization_data (organization_id, name);

-- An organization's own currencies, and its changes to those of the built-in list (same id).
create table currencies (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  country_code text not null,
  symbol text not null,
  iso text not null,
  locale text not null,
  is_active boolean not null default true,
  primary key (organization_id, id)
);
create unique index currencies_country on currencies (organization_id, country_code);

-- Mails that wait or were sent. The text is removed once the mail server has it.
create table mails (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  recipient text not null,
  kind text not null,
  subject text not null,
  -- Null once it was sent.
  text text,
  html text,
  -- Never shown in the outbox: it opens an account that is not this organization's.
  is_private boolean not null default false,
  created_time timestamptz not null default now(),
  sent_time timestamptz,
  error text,
  primary key (organization_id, id)
);
create index mails_list on mails (organization_id, created_time desc, id);
create index mails_age on mails (created_time);

create index audit_log_action on audit_log (organization_id, action, time desc);
create index audit_log_actor on audit_log (organization_id, actor_email, time desc);
create index access_tokens_live on access_tokens (organization_id, user_id, kind) where revoked_at is null;

-- Permissions that custom modules bring, one per module.
create table custom_permissions (
  organization_id text not null references organizations (id) on delete cascade,
  name text not null,
  module_name text not null,
  primary key (organization_id, name)
);
