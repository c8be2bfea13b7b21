-- A response that is kept for a repeated call can hold a new device key or signing key: it is stored sealed.
-- Responses stored readable before are replayed until they are 24 hours old.
alter table idempotency_keys add column sealed_answer bytea;
