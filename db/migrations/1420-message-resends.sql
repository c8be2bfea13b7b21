-- A message that was sent can be sent again by a person: the copy refers to the message that it repeats.
-- Adds a nullable column without a default: a lock of a moment, no rewrite. The index has no rows at first.
alter table customer_messages add column resend_of text;
create index customer_messages_resends on customer_messages (organization_id, resend_of) where resend_of is not null;
