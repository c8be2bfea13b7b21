-- Nodes of the release before go on serving while this one starts: they begin single sign-ons with these columns, and
-- SAML ones without a browser's hash. This release refuses the latter. Short locks on a small table.
alter table sso_requests
  alter column browser_hash drop not null,
  add column code_verifier text,
  add column nonce text;
