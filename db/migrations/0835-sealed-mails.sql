-- Mails that open an account (invitation, reset, confirmation, code) stood readable while they waited, without a mail
-- server for 30 days. Once the job of a mail has looked at it, what is kept of these is sealed. A short lock.
alter table mails add column sealed bytea;
