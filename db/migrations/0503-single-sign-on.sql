-- Single sign-on: providers of OpenID Connect beside the directory, the sign-ins that are under way, and the
-- assertions that were used. app_integrations is small: the short exclusive locks here harm nobody.
alter table app_integrations
  alter column auth_url drop not null,
  alter column certificate_key drop not null,
  add column name text,
  -- Whose addresses the sign-in page offers it to.
  add column email_domains text[] not null default '{}',
  add column issuer_url text,
  add column client_id text,
  -- Sealed, see core/sealing.ts. Null: a public client.
  add column client_secret bytea,
  -- Whether an e-mail counts that the provider does not call verified.
  add column trust_email boolean not null default false,
  drop constraint app_integrations_integration_type_check,
  add constraint app_integrations_kind check (
    integration_type = 'azure' and auth_url is not null and certificate_key is not null
    or integration_type = 'oidc' and issuer_url is not null and client_id is not null);
create index app_integrations_domains on app_integrations using gin (email_domains);

-- A sign-in between its start and its answer; the row goes when the answer comes.
create table sso_requests (
  organization_id text not null,
  id text not null,
  app_integration_id text not null,
  -- Of a cookie: the answer must come to the browser that began. Only where the answer is a plain link.
  browser_hash bytea,
  code_verifier text,
  nonce text,
  return_to text not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, app_integration_id) references app_integrations (organization_id, id) on delete cascade
);
create unique index sso_requests_id on sso_requests (id);
create index sso_requests_age on sso_requests (expires_at);

-- Assertions that opened a session, until they would be refused for their age: each opens one.
create table sso_assertions (
  organization_id text not null references organizations (id) on delete cascade,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, hash)
);
create index sso_assertions_age on sso_assertions (expires_at);
