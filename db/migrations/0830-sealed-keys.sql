-- Keys of external services and secrets of authenticators were stored readable. They move into columns that hold
-- them sealed; the process seals what is stored at its start, as the key is not known to the database.
-- Adding columns without a default takes a short lock and rewrites nothing.
alter table data_types add column provider_key bytea;
alter table accounts add column totp_sealed bytea;
