-- Who revoked a token or key: for ten minutes that person can have it back. Whatever else ends it empties the column, and then
-- nobody can. Adds columns without a default, one small index, and replaces triggers, which locks each table for a moment.
alter table access_tokens add revoked_by text;
alter table device_keys add revoked_by text;
create index access_tokens_revoked_by on access_tokens (organization_id, user_id) where revoked_by is not null;

drop trigger audit_made on access_tokens;
create trigger audit_made after insert on access_tokens
  for each row when (new.kind = 'personal') execute function audit_row('token', 'id', 'name', '', '{hash}', '{}');
-- Tokens that end with a password or a member belong to that change.
create trigger audit_set after update of name, revoked_by on access_tokens
  for each row when (new.kind = 'personal' and (new.name is distinct from old.name or (new.revoked_by is null) = (new.revoked_at is null)))
  execute function audit_row('token', 'id', 'name', '', '{hash}', '{}');
-- A consent has one refresh token at a time; an application that has it back gets new access tokens with it.
create trigger audit_disconnected after update of revoked_by on access_tokens
  for each row when (new.kind = 'refresh' and (new.revoked_by is null) = (new.revoked_at is null))
  execute function audit_row('oauth-grant', 'id', 'name', '', '{hash}', '{}');
create trigger audit_set after update of revoked_by on device_keys
  for each row when ((new.revoked_by is null) = (new.revoked_at is null))
  execute function audit_row('device-key', 'id', 'name', '', '{hash}', '{last_used_at,last_protocol,last_refusal}');

select keep_columns_for_undo('scim_tokens', 'scim-token', 'id', '{hash,used_time}', true);
