-- OAuth 2.1: clients of an organization, authorization codes, and clients that registered themselves where the operator
-- allows it. Access and refresh tokens are rows of access_tokens, so that whatever ends tokens ends these too. Replacing the
-- check reads access_tokens once under a lock; the new columns have no default.
alter table access_tokens
  add column client_id text,
  -- What a person allowed a client once: all its tokens end together.
  add column grant_id text,
  drop constraint access_tokens_kind_check,
  add constraint access_tokens_kind_check check (kind in ('session', 'personal', 'oauth', 'refresh'));
create index access_tokens_grant on access_tokens (organization_id, grant_id) where grant_id is not null;
create index access_tokens_client on access_tokens (organization_id, client_id) where client_id is not null;

create table oauth_clients (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  -- Null: a public client, which has PKCE alone.
  secret_hash bytea,
  redirect_uris text[] not null default '{}',
  scopes text[] not null,
  -- As whom the client acts with client_credentials; null: it may not.
  acts_as text,
  created_by text not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);

select audit_table('oauth_clients', 'oauth-client', 'id', 'name', '', '{secret_hash}');

create table oauth_codes (
  organization_id text not null,
  hash bytea not null,
  client_id text not null,
  client_name text not null,
  user_id text not null,
  grant_id text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_time timestamptz,
  primary key (organization_id, hash),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index oauth_codes_user on oauth_codes (organization_id, user_id);
create index oauth_codes_expires on oauth_codes (expires_at);

-- Public clients of dynamic registration. They belong to no organization: whoever allows one does so in theirs.
create table oauth_registrations (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_from text not null,
  created_time timestamptz not null default now()
);
create index oauth_registrations_created on oauth_registrations (created_time);
