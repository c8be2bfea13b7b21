-- Wrong passwords are counted where they come from: per account and browser, session or network address, so that a
-- stranger's guesses do not lock out a person who signs in from a known place. What is left on the account itself
-- counts failures of all unknown places together, as a brake on distributed guessing. New tables; adding the column
-- takes a short lock.
create table sign_in_sources (
  account_id text not null references accounts (id) on delete cascade,
  -- `address:<network>`, `browser:<hash of its cookie>` or `session:<id>`.
  source text not null,
  failed_attempts integer not null default 0,
  failed_time timestamptz not null default now(),
  locked_until timestamptz,
  -- The person signed in from there, and until then it counts as known.
  known_until timestamptz,
  primary key (account_id, source)
);
alter table accounts add column failed_time timestamptz;
