-- Every single sign-on is bound to the browser that began it: a SAML response waits, verified, under a ticket until that
-- browser fetches it. What PKCE and nonce need is derived from the browser's cookie and no longer stored. Requests live
-- for 15 minutes; those that are open now are given up.
delete from sso_requests;
alter table sso_requests
  alter column browser_hash set not null,
  drop column code_verifier,
  drop column nonce,
  -- Whom the directory vouched for.
  add column email text,
  add column ticket_hash bytea;
create index sso_requests_ticket on sso_requests (ticket_hash) where ticket_hash is not null;
