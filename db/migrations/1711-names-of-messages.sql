-- The audit log names a message by the beginning of its text instead of its id. Rewrites the table, which locks it for about a
-- second per 100,000 messages, and replaces its audit triggers.
alter table messages add audit_name text generated always as (coalesce(nullif(left(text, 80), ''), author_name)) stored;
select audit_table('messages', 'message', 'id', 'audit_name', '', '{}', '{author_email,author_name,client_id,audit_name}');
