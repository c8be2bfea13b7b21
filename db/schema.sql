-- Generated from the migrated database by npm run generate. Do not edit.

create table access_tokens (
  organization_id text not null,
  hash bytea not null,
  id text not null,
  user_id text not null,
  kind text not null,
  name text,
  scopes text[],
  created_time timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_from text,
  sign_in text not null default 'password'::text,
  has_second_factor boolean not null default false,
  client_id text,
  grant_id text,
  revoked_by text,
  constraint access_tokens_organization_id_id_key UNIQUE (organization_id, id),
  constraint access_tokens_pkey PRIMARY KEY (organization_id, hash),
  constraint access_tokens_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint access_tokens_kind_check CHECK ((kind = ANY (ARRAY['session'::text, 'personal'::text, 'oauth'::text, 'refresh'::text]))),
  constraint access_tokens_sign_in_check CHECK ((sign_in = ANY (ARRAY['password'::text, 'sso'::text])))
);

create table account_codes (
  id text not null,
  account_id text not null,
  kind text not null,
  hash bytea not null,
  created_time timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint account_codes_pkey PRIMARY KEY (id),
  constraint account_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_codes_kind_check CHECK ((kind = ANY (ARRAY['verify'::text, 'reset'::text])))
);

create table accounts (
  id text not null,
  email text not null,
  password_hash text,
  password_changed_time timestamp with time zone,
  password_history text[] not null default '{}'::text[],
  failed_attempts integer not null default 0,
  locked_until timestamp with time zone,
  origin_organization_id text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  email_verified_time timestamp with time zone,
  password_set_by text,
  expiry_notice_time timestamp with time zone,
  totp_secret bytea,
  totp_enabled_time timestamp with time zone,
  totp_last_step bigint,
  recovery_codes text[] not null default '{}'::text[],
  totp_sealed bytea,
  failed_time timestamp with time zone,
  constraint accounts_email_key UNIQUE (email),
  constraint accounts_pkey PRIMARY KEY (id)
);

create table alert_rules (
  organization_id text not null,
  id text not null,
  hub_id text,
  name text not null,
  kind text not null,
  settings jsonb not null,
  is_active boolean not null default true,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint alert_rules_pkey PRIMARY KEY (organization_id, id),
  constraint alert_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint alert_rules_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE
);

create table alerts (
  organization_id text not null,
  id text not null,
  rule_id text not null,
  cause text not null,
  kind text not null,
  hub_ids text[] not null,
  user_id text,
  email text,
  task_id text,
  geofence_id text,
  details jsonb not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  notify_at timestamp with time zone,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  constraint alerts_organization_id_rule_id_cause_started_at_key UNIQUE (organization_id, rule_id, cause, started_at),
  constraint alerts_pkey PRIMARY KEY (organization_id, id),
  constraint alerts_organization_id_rule_id_fkey FOREIGN KEY (organization_id, rule_id) REFERENCES alert_rules(organization_id, id) ON DELETE CASCADE
);

create table app_integrations (
  organization_id text not null,
  id text not null,
  integration_type text not null default 'azure'::text,
  auth_url text,
  certificate_key text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  name text,
  email_domains text[] not null default '{}'::text[],
  issuer_url text,
  client_id text,
  client_secret bytea,
  trust_email boolean not null default false,
  provisioning jsonb,
  constraint app_integrations_pkey PRIMARY KEY (organization_id, id),
  constraint app_integrations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint app_integrations_kind CHECK ((((integration_type = 'azure'::text) AND (auth_url IS NOT NULL) AND (certificate_key IS NOT NULL)) OR ((integration_type = 'oidc'::text) AND (issuer_url IS NOT NULL) AND (client_id IS NOT NULL))))
);

create table app_versions (
  id text not null,
  for_organization_id text,
  platform text not null,
  version_number integer not null,
  version_name text not null,
  version_data integer not null,
  release_time timestamp with time zone not null,
  category_update text not null,
  doc_url text not null,
  change_log text not null,
  tags text[] not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint app_versions_pkey PRIMARY KEY (id),
  constraint app_versions_for_organization_id_fkey FOREIGN KEY (for_organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint app_versions_category_update_check CHECK ((category_update = ANY (ARRAY['flexible'::text, 'immediate'::text]))),
  constraint app_versions_platform_check CHECK ((platform = ANY (ARRAY['Android'::text, 'IOS'::text, 'Web'::text, 'Web-mileapp'::text])))
);

create table appointment_slots (
  organization_id text not null,
  id text not null,
  offer_id text not null,
  hub_id text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  status text not null,
  held_until timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  service_minutes integer not null,
  tags text[] not null,
  extra_seconds integer not null,
  extra_meters integer not null,
  task_id text,
  constraint appointment_slots_pkey PRIMARY KEY (organization_id, id),
  constraint appointment_slots_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint appointment_slots_status_check CHECK ((status = ANY (ARRAY['held'::text, 'booked'::text])))
);

create table audit_blocks (
  organization_id text not null,
  number bigint not null,
  keys text not null,
  digests bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  last_time timestamp with time zone not null,
  sealed_time timestamp with time zone not null,
  constraint audit_blocks_pkey PRIMARY KEY (organization_id, number),
  constraint audit_blocks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table audit_checkpoints (
  organization_id text not null,
  number bigint not null,
  hash bytea not null,
  removed_time timestamp with time zone not null,
  constraint audit_checkpoints_pkey PRIMARY KEY (organization_id),
  constraint audit_checkpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table audit_log (
  organization_id text not null,
  id text not null,
  "time" timestamp with time zone not null default now(),
  actor_email text,
  address text,
  action text not null,
  target_type text not null,
  target_id text,
  target_name text,
  before jsonb,
  after jsonb,
  number bigint default nextval('audit_numbers'::regclass),
  xid bigint default ((pg_current_xact_id())::text)::bigint,
  actor_id text,
  actor_name text,
  actor_kind text,
  via text,
  operation text,
  request_id text,
  details jsonb,
  constraint audit_log_pkey PRIMARY KEY (organization_id, id),
  constraint audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table audit_parts (
  organization_id text not null,
  entry_id text not null,
  number bigint not null default nextval('audit_numbers'::regclass),
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  "time" timestamp with time zone not null default now(),
  change text not null,
  object_type text not null,
  object_id text not null,
  object_name text,
  hub_id text,
  before jsonb,
  after jsonb,
  constraint audit_parts_pkey PRIMARY KEY (organization_id, entry_id, number),
  constraint audit_parts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table audit_sealing (
  is_only boolean not null default true,
  sealed_xid bigint not null,
  last_number bigint not null,
  base_number bigint not null,
  constraint audit_sealing_pkey PRIMARY KEY (is_only),
  constraint audit_sealing_is_only_check CHECK (is_only)
);

create table audit_settings (
  organization_id text not null,
  retention_days integer not null,
  constraint audit_settings_pkey PRIMARY KEY (organization_id),
  constraint audit_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint audit_settings_retention_days_check CHECK (((retention_days >= 30) AND (retention_days <= 3650)))
);

create table automation_log (
  organization_id text not null,
  id text not null,
  automation_id text not null,
  event_xid xid8,
  event_number bigint,
  origin text not null,
  attempt smallint not null,
  is_success boolean not null,
  status_code smallint not null,
  name text not null,
  event text not null,
  automation_type text not null,
  data_type text not null,
  details jsonb not null,
  url text not null,
  request text not null,
  response text not null,
  response_headers jsonb,
  reference_id text not null,
  dispatched_time timestamp with time zone not null,
  started_time timestamp with time zone not null,
  finished_time timestamp with time zone not null,
  traceparent text,
  request_id text,
  constraint automation_log_pkey PRIMARY KEY (organization_id, id),
  constraint automation_log_origin_check CHECK ((origin = ANY (ARRAY['event'::text, 'retry'::text, 'test'::text, 'replay'::text])))
);

create table automations (
  organization_id text not null,
  id text not null,
  name text not null,
  event text not null,
  data_type text not null,
  automation_type text not null,
  details jsonb not null,
  rules jsonb not null,
  is_active boolean not null default true,
  signing_secret text,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  secrets bytea,
  owner_id text,
  paused_time timestamp with time zone,
  pause_reason text,
  constraint automations_pkey PRIMARY KEY (organization_id, id),
  constraint automations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint automations_pause CHECK (((paused_time IS NULL) = (pause_reason IS NULL))),
  constraint automations_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['membership'::text, 'permission'::text])))
);

create table calendar_feeds (
  organization_id text not null,
  id text not null,
  hash bytea not null,
  kind text not null,
  target_id text not null,
  user_id text not null,
  created_time timestamp with time zone not null,
  read_time timestamp with time zone,
  constraint calendar_feeds_organization_id_hash_key UNIQUE (organization_id, hash),
  constraint calendar_feeds_pkey PRIMARY KEY (organization_id, id),
  constraint calendar_feeds_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint calendar_feeds_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'hub'::text, 'schedule'::text])))
);

create table capacity_constraints (
  organization_id text not null,
  id text not null,
  name text,
  capacity_constraint jsonb not null default '[]'::jsonb,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint capacity_constraints_id_key UNIQUE (id),
  constraint capacity_constraints_pkey PRIMARY KEY (organization_id),
  constraint capacity_constraints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table conversations (
  organization_id text not null,
  about text not null,
  about_id text not null,
  hub_ids text[] not null,
  emails text[] not null,
  last_time timestamp with time zone not null,
  constraint conversations_pkey PRIMARY KEY (organization_id, about, about_id),
  constraint conversations_about_check CHECK ((about = ANY (ARRAY['task'::text, 'person'::text, 'record'::text, 'route'::text])))
);

create table currencies (
  organization_id text not null,
  id text not null,
  country_code text not null,
  symbol text not null,
  iso text not null,
  locale text not null,
  is_active boolean not null default true,
  constraint currencies_pkey PRIMARY KEY (organization_id, id),
  constraint currencies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table custom_modules (
  organization_id text not null,
  id text not null,
  name text not null,
  label text not null,
  type text not null,
  url text not null,
  created_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint custom_modules_pkey PRIMARY KEY (organization_id, id),
  constraint custom_modules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint custom_modules_type_check CHECK ((type = ANY (ARRAY['internal'::text, 'external'::text])))
);

create table custom_permissions (
  organization_id text not null,
  name text not null,
  module_name text not null,
  constraint custom_permissions_pkey PRIMARY KEY (organization_id, name),
  constraint custom_permissions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table customer_feedback (
  organization_id text not null,
  id text not null,
  task_id text not null,
  hub_id text not null,
  flow_id text not null,
  task_title text,
  driver text,
  kind text not null,
  stars smallint,
  comment text,
  sender text,
  created_time timestamp with time zone not null,
  read_time timestamp with time zone,
  read_by text,
  constraint customer_feedback_pkey PRIMARY KEY (organization_id, id),
  constraint customer_feedback_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint customer_feedback_kind_check CHECK ((kind = ANY (ARRAY['rating'::text, 'reply'::text]))),
  constraint customer_feedback_stars CHECK (((kind = 'rating'::text) = (stars IS NOT NULL))),
  constraint customer_feedback_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);

create table customer_messages (
  organization_id text not null,
  id text not null,
  task_id text,
  hub_id text not null,
  event text not null,
  event_key text not null,
  kind text not null,
  channel_id text not null,
  template_id text,
  recipient text not null,
  language text not null,
  subject text,
  body text,
  status text not null,
  reason text,
  attempts integer not null default 0,
  provider_id text,
  provider_status text,
  cost numeric(12,4) not null default 0,
  created_time timestamp with time zone not null,
  run_at timestamp with time zone not null,
  sent_time timestamp with time zone,
  updated_time timestamp with time zone not null,
  fields jsonb,
  resend_of text,
  counted_day date,
  constraint customer_messages_organization_id_task_id_event_key_kind_key UNIQUE (organization_id, task_id, event_key, kind),
  constraint customer_messages_pkey PRIMARY KEY (organization_id, id),
  constraint customer_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint customer_messages_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'skipped'::text, 'uncertain'::text])))
);

create table data_count_changes (
  organization_id text not null,
  id bigint not null generated always as identity,
  data_type_id text not null,
  hub_id text not null,
  field_id text not null,
  value text not null,
  change bigint not null,
  constraint data_count_changes_pkey PRIMARY KEY (organization_id, id),
  constraint data_count_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table data_counts (
  organization_id text not null,
  data_type_id text not null,
  hub_id text not null,
  field_id text not null,
  value text not null,
  count bigint not null,
  constraint data_counts_pkey PRIMARY KEY (organization_id, data_type_id, field_id, value, hub_id),
  constraint data_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table data_records (
  organization_id text not null,
  id text not null,
  data_type_id text not null,
  hub_id text,
  data_id text not null,
  "values" jsonb not null default '{}'::jsonb,
  ordered jsonb not null default '{}'::jsonb,
  limit_user text[],
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  constraint data_records_pkey PRIMARY KEY (organization_id, id)
);

create table data_search (
  organization_id text not null,
  record_id text not null,
  data_type_id text not null,
  hub_id text,
  words text not null,
  "values" jsonb not null,
  ordered jsonb not null,
  constraint data_search_pkey PRIMARY KEY (organization_id, record_id)
);

create table data_search_buckets (
  organization_id text not null,
  data_type_id text not null,
  field_id text not null,
  hub_id text not null,
  low double precision not null,
  lowest double precision not null,
  highest double precision not null,
  count bigint not null,
  constraint data_search_buckets_pkey PRIMARY KEY (organization_id, data_type_id, field_id, hub_id, low)
);

create table data_search_notes (
  organization_id text not null,
  id bigint not null generated always as identity,
  data_type_id text not null,
  record_ids text[] not null,
  noted_time timestamp with time zone not null default now(),
  constraint data_search_notes_pkey PRIMARY KEY (organization_id, id),
  constraint data_search_notes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table data_search_order (
  organization_id text not null,
  data_type_id text not null,
  field_id text not null,
  value double precision not null,
  record_id text not null,
  hub_id text
);

create table data_search_trigrams (
  organization_id text not null,
  data_type_id text not null,
  trigram text not null,
  count bigint not null,
  constraint data_search_trigrams_pkey PRIMARY KEY (organization_id, data_type_id, trigram)
);

create table data_types (
  organization_id text not null,
  id text not null,
  name text not null,
  fields jsonb not null,
  limit_user boolean not null default false,
  common_data boolean not null default false,
  provider text not null default 'internal'::text,
  provider_config jsonb,
  counted_fields text[] not null default '{}'::text[],
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  provider_key bytea,
  constraint data_types_pkey PRIMARY KEY (organization_id, id),
  constraint data_types_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint data_types_check CHECK (((provider = 'external-api'::text) = (provider_config IS NOT NULL))),
  constraint data_types_provider_check CHECK ((provider = ANY (ARRAY['internal'::text, 'external-api'::text])))
);

create table device_alarms (
  organization_id text not null,
  user_id text not null,
  alarm text not null,
  recorded_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  lat double precision,
  lng double precision,
  constraint device_alarms_pkey PRIMARY KEY (organization_id, user_id, recorded_at, alarm),
  constraint device_alarms_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table device_keys (
  organization_id text not null,
  id text not null,
  hash bytea not null,
  user_id text not null,
  name text not null,
  created_by text,
  created_time timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_protocol text,
  last_refusal text,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint device_keys_organization_id_hash_key UNIQUE (organization_id, hash),
  constraint device_keys_pkey PRIMARY KEY (organization_id, id),
  constraint device_keys_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table domain_event_removals (
  organization_id text not null,
  xid xid8 not null,
  number bigint not null,
  constraint domain_event_removals_pkey PRIMARY KEY (organization_id),
  constraint domain_event_removals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table domain_events (
  organization_id text not null,
  xid xid8 not null default pg_current_xact_id(),
  number bigint not null generated always as identity,
  event text not null,
  reference_id text,
  hub_id text,
  depth smallint not null default (COALESCE(NULLIF(current_setting('fieldway.event_depth'::text, true), ''::text), '0'::text))::smallint,
  record jsonb,
  created_time timestamp with time zone not null default now(),
  reference_ids text,
  records text,
  traceparent text,
  request_id text,
  constraint domain_events_pkey PRIMARY KEY (organization_id, xid, number),
  constraint domain_events_form CHECK (((records IS NULL) = (record IS NOT NULL)))
);

create table equipment (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  code text not null,
  name text not null,
  kind text,
  customer text,
  address text,
  lat double precision,
  lng double precision,
  note text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint equipment_pkey PRIMARY KEY (organization_id, id),
  constraint equipment_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint equipment_check CHECK (((lat IS NULL) = (lng IS NULL)))
);

create table equipment_tasks (
  organization_id text not null,
  equipment_id text not null,
  task_id text not null,
  title text,
  flow text not null,
  done_by text,
  done_at timestamp with time zone not null,
  constraint equipment_tasks_pkey PRIMARY KEY (organization_id, equipment_id, task_id),
  constraint equipment_tasks_organization_id_equipment_id_fkey FOREIGN KEY (organization_id, equipment_id) REFERENCES equipment(organization_id, id) ON DELETE CASCADE
);

create table export_configs (
  organization_id text not null,
  id text not null,
  name text not null,
  description text,
  collection text not null,
  flow_ids text[] not null,
  fields jsonb not null,
  filters jsonb,
  format text,
  schedule jsonb,
  scheduled_by text,
  next_run_time timestamp with time zone,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint export_configs_pkey PRIMARY KEY (organization_id, id),
  constraint export_configs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table exports (
  organization_id text not null,
  id text not null,
  data_type text not null,
  data_name text not null,
  status text not null,
  request jsonb not null,
  is_background boolean not null,
  file_key text,
  file_type text not null,
  total_records integer not null default 0,
  error_message text,
  hub_names text[] not null default '{}'::text[],
  export_config_id text,
  user_id text not null,
  email text not null,
  user_name text not null,
  requested_time timestamp with time zone not null,
  completed_time timestamp with time zone,
  notify_emails text[] not null default '{}'::text[],
  constraint exports_pkey PRIMARY KEY (organization_id, id),
  constraint exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint exports_data_type_check CHECK ((data_type = ANY (ARRAY['task'::text, 'data'::text, 'vehicle'::text, 'driver'::text, 'route'::text, 'report'::text]))),
  constraint exports_status_check CHECK ((status = ANY (ARRAY['Processing'::text, 'Done'::text, 'Failed'::text])))
);

create table file_links (
  organization_id text not null,
  key text not null,
  owner_type text not null,
  owner_id text not null,
  linked_by text,
  linked_time timestamp with time zone not null default now(),
  content_hash bytea,
  constraint file_links_pkey PRIMARY KEY (organization_id, key, owner_type, owner_id),
  constraint file_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint file_links_owner_type_check CHECK ((owner_type = ANY (ARRAY['user'::text, 'task'::text, 'record'::text])))
);

create table flow_logs (
  organization_id text not null,
  id text not null,
  flow_id text not null,
  action text not null,
  changed_by text not null,
  version integer not null,
  raw_data jsonb not null,
  change_data jsonb not null,
  created_time timestamp with time zone not null default now(),
  constraint flow_logs_pkey PRIMARY KEY (organization_id, id),
  constraint flow_logs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint flow_logs_action_check CHECK ((action = ANY (ARRAY['create'::text, 'put'::text, 'reorder'::text])))
);

create table flows (
  organization_id text not null,
  id text not null,
  name text not null,
  pages jsonb not null,
  configurations jsonb not null,
  is_default boolean not null default false,
  order_index integer not null,
  version integer not null default 1,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint flows_pkey PRIMARY KEY (organization_id, id),
  constraint flows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table geofences (
  organization_id text not null,
  id text not null,
  hub_id text,
  name text not null,
  group_name text,
  color text not null,
  shape jsonb not null,
  area box not null,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint geofences_name UNIQUE NULLS NOT DISTINCT (organization_id, hub_id, group_name, name),
  constraint geofences_pkey PRIMARY KEY (organization_id, id),
  constraint geofences_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint geofences_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE
);

create table hubs (
  organization_id text not null,
  id text not null,
  name text not null,
  address text not null,
  lat double precision not null,
  lng double precision not null,
  country_code text,
  time_zone text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint hubs_pkey PRIMARY KEY (organization_id, id),
  constraint hubs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint hubs_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint hubs_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))
);

create table idempotency_keys (
  organization_id text not null,
  user_id text not null,
  key text not null,
  request_hash text not null,
  status_code integer not null default 0,
  answer jsonb,
  created_at timestamp with time zone not null default now(),
  sealed_answer bytea,
  etag text,
  constraint idempotency_keys_pkey PRIMARY KEY (organization_id, user_id, key),
  constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table import_batches (
  organization_id text not null,
  import_id text not null,
  first_chunk integer not null,
  written_time timestamp with time zone not null,
  created_ids text[] not null default '{}'::text[],
  changed jsonb not null default '[]'::jsonb,
  undone_time timestamp with time zone,
  constraint import_batches_pkey PRIMARY KEY (organization_id, import_id, first_chunk),
  constraint import_batches_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE
);

create table import_failures (
  organization_id text not null,
  import_id text not null,
  row_index integer not null,
  row_number integer not null,
  cells jsonb not null,
  problems jsonb not null,
  resolved_by text,
  constraint import_failures_pkey PRIMARY KEY (organization_id, import_id, row_index),
  constraint import_failures_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE
);

create table import_keys (
  organization_id text not null,
  import_id text not null,
  first_chunk integer not null,
  hashes bytea not null,
  constraint import_keys_pkey PRIMARY KEY (organization_id, import_id, first_chunk),
  constraint import_keys_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE
);

create table import_places (
  organization_id text not null,
  import_id text not null,
  task_id text not null,
  component_id text not null,
  address text not null,
  coordinate text,
  confidence real not null,
  constraint import_places_pkey PRIMARY KEY (organization_id, import_id, task_id, component_id),
  constraint import_places_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id) ON DELETE CASCADE
);

create table imports (
  organization_id text not null,
  id text not null,
  type text not null,
  mode text not null,
  hub_id text,
  target_id text,
  target_name text,
  name text,
  filename text not null,
  content_hash bytea not null,
  rows_key text not null,
  columns jsonb not null default '{}'::jsonb,
  is_dry_run boolean not null default false,
  continues text,
  total_rows integer not null,
  total_chunks integer not null,
  total_valid integer not null default 0,
  total_invalid integer not null default 0,
  processed_chunks integer not null default 0,
  created_count integer not null default 0,
  changed_count integer not null default 0,
  status text not null default 'onprocess'::text,
  error_message text,
  failed_key text,
  user_id text not null,
  created_by text not null,
  updated_by text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  started_time timestamp with time zone,
  processed_time timestamp with time zone,
  cancelled_time timestamp with time zone,
  undone_time timestamp with time zone,
  undo_result jsonb,
  constraint imports_pkey PRIMARY KEY (organization_id, id),
  constraint imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint imports_mode_check CHECK ((mode = ANY (ARRAY['create'::text, 'upsert'::text, 'update'::text]))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['onprocess'::text, 'success'::text, 'partially'::text, 'failed'::text]))),
  constraint imports_type_check CHECK ((type = ANY (ARRAY['datasource'::text, 'task'::text, 'visit'::text, 'route'::text, 'vehicle'::text, 'user'::text])))
);

create table inboxes (
  organization_id text not null,
  user_id text not null,
  email text not null,
  opened_time timestamp with time zone not null,
  constraint inboxes_pkey PRIMARY KEY (organization_id, user_id),
  constraint inboxes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table insight_settings (
  organization_id text not null,
  costs jsonb not null default '{}'::jsonb,
  targets jsonb not null default '[]'::jsonb,
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint insight_settings_pkey PRIMARY KEY (organization_id),
  constraint insight_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table installation (
  is_only boolean not null default true,
  operator_organization_id text,
  constraint installation_pkey PRIMARY KEY (is_only),
  constraint installation_operator_organization_id_fkey FOREIGN KEY (operator_organization_id) REFERENCES organizations(id) ON DELETE SET NULL,
  constraint installation_is_only_check CHECK (is_only)
);

create table installation_secrets (
  name text not null,
  secret bytea not null,
  constraint installation_secrets_pkey PRIMARY KEY (name)
);

create table live_events (
  organization_id text not null,
  id text not null,
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  hub_id text,
  emails text[],
  content jsonb not null,
  created_time timestamp with time zone not null default now(),
  owner text,
  constraint live_events_pkey PRIMARY KEY (organization_id, id),
  constraint live_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table location_count_changes (
  organization_number integer not null,
  month date not null,
  change bigint not null
);

create table location_counts (
  organization_number integer not null,
  month date not null,
  count bigint not null,
  constraint location_counts_pkey PRIMARY KEY (organization_number, month)
);

create table location_links (
  organization_id text not null,
  id text not null,
  user_id text not null,
  day date not null,
  created_by text,
  created_time timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint location_links_pkey PRIMARY KEY (organization_id, id),
  constraint location_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint location_links_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table location_outlines (
  organization_number integer not null,
  person_number integer not null,
  hour timestamp with time zone not null,
  outline bytea not null,
  constraint location_outlines_pkey PRIMARY KEY (organization_number, person_number, hour)
);

create table location_points (
  recorded_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  distance double precision,
  organization_number integer not null,
  person_number integer not null,
  fingerprint integer not null,
  created_by integer,
  speed real,
  duration real,
  accuracy real,
  altitude real,
  distance_to_destination real,
  bearing smallint,
  battery smallint,
  source smallint,
  event smallint,
  task_id text,
  extra jsonb,
  constraint location_points_pkey PRIMARY KEY (organization_number, person_number, recorded_at, fingerprint),
  constraint location_points_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint location_points_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))
) partition by range (recorded_at);

create table location_sessions (
  organization_number integer not null,
  person_number integer not null,
  id text not null,
  received_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  speed real,
  distance double precision,
  duration real,
  task_id text,
  event smallint,
  notes text,
  created_from text,
  data jsonb,
  finished_at timestamp with time zone,
  finish_lat double precision,
  finish_lng double precision,
  finish_notes text,
  total_distance double precision,
  total_duration double precision,
  tracked_minutes integer,
  is_recalculated boolean not null default false,
  created_by text,
  updated_by text,
  updated_at timestamp with time zone not null,
  is_counted boolean not null default false,
  moving tstzmultirange,
  off_duty tstzmultirange not null default '{}'::tstzmultirange,
  vehicle_id text,
  shift_on date,
  shift_seconds double precision,
  load_used double precision,
  constraint location_sessions_pkey PRIMARY KEY (organization_number, id),
  constraint location_sessions_check CHECK ((finished_at >= started_at))
);

create table location_settings (
  organization_id text not null,
  retention_days integer not null default 365,
  only_during_sessions boolean not null default false,
  constraint location_settings_pkey PRIMARY KEY (organization_id),
  constraint location_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint location_settings_retention_days_check CHECK (((retention_days >= 1) AND (retention_days <= 365)))
);

create table location_silences (
  organization_id text not null,
  user_id text not null,
  told_at timestamp with time zone not null,
  constraint location_silences_pkey PRIMARY KEY (organization_id, user_id),
  constraint location_silences_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table location_visits (
  organization_id text not null,
  id text not null,
  user_id text not null,
  place_type text not null,
  place_id text not null,
  arrived_at timestamp with time zone not null,
  left_at timestamp with time zone,
  constraint location_visits_organization_id_user_id_place_type_place_id_key UNIQUE (organization_id, user_id, place_type, place_id, arrived_at),
  constraint location_visits_pkey PRIMARY KEY (organization_id, id),
  constraint location_visits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint location_visits_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint location_visits_place_type_check CHECK ((place_type = ANY (ARRAY['hub'::text, 'task'::text, 'geofence'::text])))
);

create table loose_files (
  organization_id text not null,
  key text not null,
  remove_after timestamp with time zone not null,
  constraint loose_files_pkey PRIMARY KEY (organization_id, key),
  constraint loose_files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table mail_attachments (
  organization_id text not null,
  id text not null,
  name text not null,
  type text not null,
  content bytea not null,
  created_time timestamp with time zone not null default now(),
  constraint mail_attachments_pkey PRIMARY KEY (organization_id, id),
  constraint mail_attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table mails (
  organization_id text not null,
  id text not null,
  recipient text not null,
  kind text not null,
  subject text not null,
  text text,
  html text,
  is_private boolean not null default false,
  created_time timestamp with time zone not null default now(),
  sent_time timestamp with time zone,
  error text,
  sealed bytea,
  attachment_ids text[],
  constraint mails_pkey PRIMARY KEY (organization_id, id),
  constraint mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table maintenance_entries (
  organization_id text not null,
  id text not null,
  vehicle_id text,
  equipment_id text,
  audit_hub_id text,
  plan_id text,
  task_id text,
  name text not null,
  note text,
  done_on date not null,
  odometer_meters double precision,
  engine_seconds double precision,
  cost numeric(14,2),
  created_by text not null,
  created_time timestamp with time zone not null,
  constraint maintenance_entries_pkey PRIMARY KEY (organization_id, id),
  constraint maintenance_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint maintenance_entries_check CHECK ((num_nonnulls(vehicle_id, equipment_id) = 1))
);

create table maintenance_plans (
  organization_id text not null,
  id text not null,
  vehicle_id text,
  equipment_id text,
  audit_hub_id text,
  name text not null,
  every_meters double precision,
  every_seconds double precision,
  every_days integer,
  remind_meters double precision not null default 0,
  remind_seconds double precision not null default 0,
  remind_days integer not null default 0,
  done_on date not null,
  done_meters double precision not null default 0,
  done_seconds double precision not null default 0,
  flow_id text,
  task_id text,
  task_problem text,
  is_active boolean not null default true,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  read_at timestamp with time zone,
  constraint maintenance_plans_pkey PRIMARY KEY (organization_id, id),
  constraint maintenance_plans_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint maintenance_plans_check CHECK ((num_nonnulls(vehicle_id, equipment_id) = 1)),
  constraint maintenance_plans_check1 CHECK ((num_nonnulls(every_meters, every_seconds, every_days) > 0))
);

create table map_builds (
  id text not null,
  region text not null,
  status text not null,
  source text not null,
  source_key text,
  fingerprint text,
  step text,
  progress real not null default 0,
  error text,
  requested_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint map_builds_pkey PRIMARY KEY (id),
  constraint map_builds_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

create table map_regions (
  name text not null,
  version text not null,
  files jsonb not null,
  attribution text not null,
  west double precision not null,
  south double precision not null,
  east double precision not null,
  north double precision not null,
  data_time timestamp with time zone,
  source text not null,
  report jsonb not null,
  built_at timestamp with time zone not null default now(),
  constraint map_regions_pkey PRIMARY KEY (name),
  constraint map_regions_name_check CHECK ((name ~ '^[a-z0-9](-?[a-z0-9]){0,39}$'::text))
);

create table message_channels (
  organization_id text not null,
  id text not null,
  name text not null,
  kind text not null,
  preset text not null,
  settings jsonb not null default '{}'::jsonb,
  secrets bytea,
  is_active boolean not null default true,
  cost numeric(12,4) not null default 0,
  daily_cap integer not null default 1000,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint message_channels_pkey PRIMARY KEY (organization_id, id),
  constraint message_channels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint message_channels_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text])))
);

create table message_opt_outs (
  organization_id text not null,
  address text not null,
  source text not null,
  created_time timestamp with time zone not null,
  constraint message_opt_outs_pkey PRIMARY KEY (organization_id, address),
  constraint message_opt_outs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint message_opt_outs_source_check CHECK ((source = ANY (ARRAY['link'::text, 'reply'::text, 'console'::text])))
);

create table message_reads (
  organization_id text not null,
  about text not null,
  about_id text not null,
  user_id text not null,
  read_until timestamp with time zone not null,
  constraint message_reads_pkey PRIMARY KEY (organization_id, about, about_id, user_id),
  constraint message_reads_organization_id_about_about_id_fkey FOREIGN KEY (organization_id, about, about_id) REFERENCES conversations(organization_id, about, about_id) ON DELETE CASCADE,
  constraint message_reads_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table message_settings (
  organization_id text not null,
  settings jsonb not null default '{}'::jsonb,
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint message_settings_pkey PRIMARY KEY (organization_id),
  constraint message_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table message_templates (
  organization_id text not null,
  id text not null,
  event text not null,
  channel_id text not null,
  hub_id text,
  flow_id text,
  language text not null default ''::text,
  subject text not null default ''::text,
  body text not null default ''::text,
  is_active boolean not null default true,
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint message_templates_pkey PRIMARY KEY (organization_id, id),
  constraint message_templates_organization_id_channel_id_fkey FOREIGN KEY (organization_id, channel_id) REFERENCES message_channels(organization_id, id) ON DELETE CASCADE,
  constraint message_templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table message_usage (
  organization_id text not null,
  channel_id text not null,
  day date not null,
  messages integer not null default 0,
  cost numeric(14,4) not null default 0,
  constraint message_usage_pkey PRIMARY KEY (organization_id, channel_id, day),
  constraint message_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table messages (
  organization_id text not null,
  id text not null,
  about text not null,
  about_id text not null,
  client_id text not null,
  author_id text not null,
  author_email text not null,
  author_name text not null,
  text text not null,
  photos text[] not null default '{}'::text[],
  written_time timestamp with time zone not null,
  created_time timestamp with time zone not null,
  mentions text[] not null default '{}'::text[],
  audit_name text generated always as (COALESCE(NULLIF("left"(text, 80), ''::text), author_name)) stored,
  constraint messages_client_id UNIQUE (organization_id, author_id, client_id),
  constraint messages_pkey PRIMARY KEY (organization_id, id),
  constraint messages_organization_id_about_about_id_fkey FOREIGN KEY (organization_id, about, about_id) REFERENCES conversations(organization_id, about, about_id) ON DELETE CASCADE
);

create table notices (
  organization_id text not null,
  id text not null,
  user_id text not null,
  kind text not null,
  task_id text,
  title text,
  count integer not null default 1,
  created_by text not null,
  created_time timestamp with time zone not null,
  read_time timestamp with time zone,
  about text,
  about_id text,
  constraint notices_pkey PRIMARY KEY (organization_id, id),
  constraint notices_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES inboxes(organization_id, user_id) ON DELETE CASCADE,
  constraint notices_kind_check CHECK ((kind = ANY (ARRAY['taskNew'::text, 'taskChanged'::text, 'taskCancelled'::text, 'message'::text, 'mention'::text, 'alert'::text])))
);

create table oauth_clients (
  organization_id text not null,
  id text not null,
  name text not null,
  secret_hash bytea,
  redirect_uris text[] not null default '{}'::text[],
  scopes text[] not null,
  acts_as text,
  created_by text not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (organization_id, id),
  constraint oauth_clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table oauth_codes (
  organization_id text not null,
  hash bytea not null,
  client_id text not null,
  client_name text not null,
  user_id text not null,
  grant_id text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  used_time timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (organization_id, hash),
  constraint oauth_codes_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table oauth_registrations (
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  created_from text not null,
  created_time timestamp with time zone not null default now(),
  constraint oauth_registrations_pkey PRIMARY KEY (id)
);

create table organization_archives (
  organization_id text not null,
  id text not null,
  user_id text not null,
  status text not null,
  requested_time timestamp with time zone not null,
  completed_time timestamp with time zone,
  bytes bigint,
  file_key text,
  error text,
  constraint organization_archives_pkey PRIMARY KEY (organization_id),
  constraint organization_archives_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint organization_archives_status_check CHECK ((status = ANY (ARRAY['making'::text, 'ready'::text, 'failed'::text])))
);

create table organization_data (
  organization_id text not null,
  id text not null,
  name text not null,
  data jsonb not null,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint organization_data_pkey PRIMARY KEY (organization_id, id),
  constraint organization_data_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table organizations (
  id text not null,
  number integer not null generated always as identity,
  name text not null,
  status text not null default 'verified'::text,
  verified_time timestamp with time zone,
  profile jsonb not null default '{}'::jsonb,
  country_code text,
  currency text not null default 'USD'::text,
  time_zone text not null default 'UTC'::text,
  language text not null default 'en'::text,
  configuration jsonb not null default '{"filesServerProvider": "milesto", "filesAccessPermission": "private"}'::jsonb,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint organizations_number_key UNIQUE (number),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text])))
);

create table other_system_answers (
  organization_id text not null,
  reading_id text not null,
  number integer not null,
  question bytea not null,
  byte_count integer not null,
  answer bytea not null,
  constraint other_system_answers_pkey PRIMARY KEY (organization_id, reading_id, number),
  constraint other_system_answers_organization_id_reading_id_fkey FOREIGN KEY (organization_id, reading_id) REFERENCES other_system_readings(organization_id, id) ON DELETE CASCADE
);

create table other_system_readings (
  organization_id text not null,
  id text not null,
  user_id text not null,
  system text not null,
  collection text not null,
  address text,
  from_day text not null default ''::text,
  to_day text not null default ''::text,
  sealed_key bytea,
  dump_key text,
  dump_name text,
  status text not null default 'reading'::text,
  row_count integer not null default 0,
  empty_count integer not null default 0,
  request_count integer not null default 0,
  byte_count bigint not null default 0,
  waits_until timestamp with time zone,
  problem jsonb,
  file_key text,
  created_by text not null,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  ended_time timestamp with time zone,
  constraint other_system_readings_pkey PRIMARY KEY (organization_id, id),
  constraint other_system_readings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint other_system_readings_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint other_system_readings_check CHECK (((status = 'reading'::text) OR ((sealed_key IS NULL) AND (dump_key IS NULL)))),
  constraint other_system_readings_status_check CHECK ((status = ANY (ARRAY['reading'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

create table parquet_files (
  organization_id text not null,
  "table" text not null,
  month text not null,
  part integer not null,
  key text not null,
  state text not null,
  rows integer not null,
  bytes bigint not null,
  written_time timestamp with time zone not null,
  constraint parquet_files_pkey PRIMARY KEY (organization_id, "table", month, part),
  constraint parquet_files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table password_policies (
  organization_id text not null,
  id text not null,
  name text not null,
  minimum_length integer not null,
  complexity integer not null,
  expiration integer not null,
  expiration_notification_days integer not null,
  minimum_duration integer not null,
  account_lockout integer not null,
  account_lockout_duration integer not null,
  password_history integer not null,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint password_policies_pkey PRIMARY KEY (organization_id, id),
  constraint password_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint password_policies_account_lockout_check CHECK ((account_lockout >= 1)),
  constraint password_policies_complexity_check CHECK (((complexity >= 1) AND (complexity <= 4))),
  constraint password_policies_minimum_length_check CHECK ((minimum_length >= 6)),
  constraint password_policies_password_history_check CHECK (((password_history >= 0) AND (password_history <= 100)))
);

create table person_positions (
  organization_number integer not null,
  person_number integer not null,
  organization_id text not null,
  user_id text not null,
  email text not null,
  last_time bigint not null,
  batch_size integer not null,
  recorded_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  fingerprint integer,
  session_id text,
  speed real,
  accuracy real,
  altitude real,
  bearing smallint,
  battery smallint,
  charging boolean,
  source smallint,
  task_id text,
  previous_recorded_at timestamp with time zone,
  previous_lat double precision,
  previous_lng double precision,
  previous_accuracy real,
  xid xid8 not null default pg_current_xact_id(),
  pending_from timestamp with time zone,
  outlined_until timestamp with time zone,
  attributes jsonb,
  constraint person_positions_pkey PRIMARY KEY (organization_number, person_number),
  constraint person_positions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table place_crossings (
  version_id integer not null,
  street integer not null,
  other integer not null,
  lon integer not null,
  lat integer not null
) partition by list (version_id);

create table place_entries (
  version_id integer not null,
  id integer not null,
  kind text not null,
  osm_type text,
  osm_id bigint,
  category text not null,
  type text not null,
  rank smallint not null,
  importance real not null,
  name text not null,
  names jsonb,
  spellings text[] not null,
  words integer[] not null,
  parents integer[] not null,
  passes integer[],
  extra text,
  country text not null,
  postcode text,
  city text,
  house_number text,
  street_name text,
  lon integer not null,
  lat integer not null,
  y integer not null,
  bounds integer[] not null,
  extratags jsonb,
  constraint place_entries_kind_check CHECK ((kind = ANY (ARRAY['street'::text, 'place'::text, 'interest'::text, 'postcode'::text])))
) partition by list (version_id);

create table place_houses (
  version_id integer not null,
  street integer not null,
  value integer,
  number text not null,
  osm_type text not null,
  osm_id bigint not null,
  building text,
  is_interpolated boolean not null,
  is_interest boolean not null,
  postcode text,
  parents integer[],
  lon integer not null,
  lat integer not null,
  y integer not null
) partition by list (version_id);

create table place_lines (
  version_id integer not null,
  street integer not null,
  extent box not null,
  line integer[] not null
) partition by list (version_id);

create table place_versions (
  id integer not null generated always as identity,
  region text not null,
  version text not null,
  is_current boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint place_versions_version_key UNIQUE (version),
  constraint place_versions_pkey PRIMARY KEY (id)
);

create table place_words (
  version_id integer not null,
  word text not null,
  entries integer not null,
  deletions integer[] not null
) partition by list (version_id);

create table plugin_installations (
  organization_id text not null,
  plugin_id text not null,
  plugin_organization_id text not null,
  granted_permissions text[] not null default '{}'::text[],
  created_by text not null,
  created_time timestamp with time zone not null default now(),
  constraint plugin_installations_pkey PRIMARY KEY (organization_id, plugin_id),
  constraint plugin_installations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint plugin_installations_plugin_organization_id_plugin_id_fkey FOREIGN KEY (plugin_organization_id, plugin_id) REFERENCES plugins(organization_id, id) ON DELETE CASCADE
);

create table plugins (
  organization_id text not null,
  id text not null,
  name text not null,
  description text not null,
  resource_file text not null,
  script_key text not null,
  icon_key text,
  scope text not null default 'organization'::text,
  custom_module_id text,
  status text not null default 'active'::text,
  created_by text not null,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  permissions text[] not null default '{}'::text[],
  constraint plugins_pkey PRIMARY KEY (organization_id, id),
  constraint plugins_organization_id_custom_module_id_fkey FOREIGN KEY (organization_id, custom_module_id) REFERENCES custom_modules(organization_id, id) ON DELETE SET NULL (custom_module_id),
  constraint plugins_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint plugins_scope_check CHECK ((scope = ANY (ARRAY['organization'::text, 'system'::text]))),
  constraint plugins_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'draft'::text])))
);

create table position_consents (
  organization_id text not null,
  id text not null,
  user_id text not null,
  is_given boolean not null,
  decided_time timestamp with time zone not null,
  constraint position_consents_pkey PRIMARY KEY (organization_id, id),
  constraint position_consents_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table privacy_policies (
  organization_id text not null,
  id text not null,
  description text not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint privacy_policies_pkey PRIMARY KEY (organization_id),
  constraint privacy_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table push_keys (
  is_only boolean not null default true,
  public_key text not null,
  sealed_key bytea not null,
  created_time timestamp with time zone not null default now(),
  constraint push_keys_pkey PRIMARY KEY (is_only),
  constraint push_keys_is_only_check CHECK (is_only)
);

create table push_subscriptions (
  organization_id text not null,
  id text not null,
  user_id text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  language text not null,
  created_time timestamp with time zone not null,
  constraint push_subscriptions_endpoint UNIQUE (organization_id, user_id, endpoint),
  constraint push_subscriptions_pkey PRIMARY KEY (organization_id, id),
  constraint push_subscriptions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES inboxes(organization_id, user_id) ON DELETE CASCADE
);

create table report_schedules (
  organization_id text not null,
  id text not null,
  owner_id text not null,
  name text not null,
  settings jsonb not null,
  is_active boolean not null default true,
  next_at timestamp with time zone,
  sent_for timestamp with time zone,
  error text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint report_schedules_pkey PRIMARY KEY (organization_id, id),
  constraint report_schedules_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table report_settings (
  organization_id text not null,
  flow_id text not null,
  settings jsonb not null default '{}'::jsonb,
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint report_settings_pkey PRIMARY KEY (organization_id, flow_id),
  constraint report_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table request_forms (
  organization_id text not null,
  id text not null,
  name text not null,
  hub_id text not null,
  flow_id text not null,
  round integer not null default 0,
  code_hash bytea not null,
  settings jsonb not null,
  is_active boolean not null default true,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint request_forms_pkey PRIMARY KEY (organization_id, id),
  constraint request_forms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table road_speeds (
  organization_id text not null,
  is_used boolean not null default true,
  history jsonb not null default '[]'::jsonb,
  learned_until timestamp with time zone,
  learned_at timestamp with time zone,
  constraint road_speeds_pkey PRIMARY KEY (organization_id),
  constraint road_speeds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table roles (
  organization_id text not null,
  id text not null,
  name text not null,
  is_default boolean not null default false,
  permission_names text[] not null default '{}'::text[],
  permission_details jsonb not null default '[]'::jsonb,
  password_policy_id text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint roles_pkey PRIMARY KEY (organization_id, id),
  constraint roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table rollup_changes (
  organization_id text not null,
  id bigint not null generated always as identity,
  facet text not null,
  at timestamp with time zone not null,
  constraint rollup_changes_pkey PRIMARY KEY (organization_id, id),
  constraint rollup_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table rollup_months (
  organization_id text not null,
  facet text not null,
  at timestamp with time zone not null,
  is_current boolean not null,
  constraint rollup_months_pkey PRIMARY KEY (organization_id, facet, at),
  constraint rollup_months_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table rollup_states (
  organization_id text not null,
  covered_since timestamp with time zone,
  constraint rollup_states_pkey PRIMARY KEY (organization_id),
  constraint rollup_states_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table rollups (
  organization_id text not null,
  grain text not null,
  facet text not null,
  at timestamp with time zone not null,
  hub_id text not null,
  flow_id text not null,
  person text not null,
  outcome text not null,
  is_late boolean not null,
  reason text not null,
  late_reason text not null,
  tasks bigint not null,
  stops bigint not null,
  first_attempts bigint not null,
  timed bigint not null,
  service_seconds double precision not null,
  waiting_seconds double precision not null,
  late_seconds double precision not null,
  ratings bigint not null,
  stars bigint not null,
  meters double precision not null,
  seconds double precision not null,
  vehicle_id text not null default ''::text,
  travel_seconds double precision not null default 0,
  idle_seconds double precision not null default 0,
  used_seconds double precision not null default 0,
  shift_seconds double precision not null default 0,
  loads bigint not null default 0,
  load_used double precision not null default 0,
  late bigint not null default 0,
  done bigint not null default 0,
  partial bigint not null default 0,
  failed bigint not null default 0,
  returned bigint not null default 0,
  constraint rollups_pkey PRIMARY KEY (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id),
  constraint rollups_facet_check CHECK ((facet = ANY (ARRAY['created'::text, 'planned'::text, 'finished'::text, 'attended'::text]))),
  constraint rollups_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'hourHub'::text, 'hourSum'::text, 'day'::text, 'dayHub'::text, 'dayReason'::text, 'dayPerson'::text, 'month'::text, 'monthHub'::text, 'monthHour'::text, 'monthPerson'::text])))
);

create table routing_configurations (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  settings jsonb not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint routing_configurations_organization_id_hub_id_name_key UNIQUE (organization_id, hub_id, name),
  constraint routing_configurations_pkey PRIMARY KEY (organization_id, id),
  constraint routing_configurations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint routing_configurations_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE
);

create table routing_dispatches (
  organization_id text not null,
  result_id text not null,
  written_time timestamp with time zone not null,
  changed jsonb not null,
  created jsonb not null default '[]'::jsonb,
  constraint routing_dispatches_pkey PRIMARY KEY (organization_id, result_id),
  constraint routing_dispatches_organization_id_result_id_fkey FOREIGN KEY (organization_id, result_id) REFERENCES routing_results(organization_id, id) ON DELETE CASCADE
);

create table routing_geotags (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  ring jsonb not null,
  color text,
  is_active boolean not null default true,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint routing_geotags_name UNIQUE (organization_id, hub_id, name),
  constraint routing_geotags_pkey PRIMARY KEY (organization_id, id),
  constraint routing_geotags_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint routing_geotags_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE
);

create table routing_proposals (
  organization_id text not null,
  id text not null,
  result_id text not null,
  base_time timestamp with time zone not null,
  status text not null,
  routing jsonb not null,
  input jsonb not null,
  changes jsonb not null,
  created_by text not null,
  created_time timestamp with time zone not null,
  accepted_by text,
  accepted_time timestamp with time zone,
  is_accepted_by_rule boolean not null default false,
  constraint routing_proposals_pkey PRIMARY KEY (organization_id, id),
  constraint routing_proposals_organization_id_result_id_fkey FOREIGN KEY (organization_id, result_id) REFERENCES routing_results(organization_id, id) ON DELETE CASCADE,
  constraint routing_proposals_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text])))
);

create table routing_result_histories (
  organization_id text not null,
  result_id text not null,
  version integer not null,
  id text not null,
  action text not null,
  description text not null,
  visits jsonb not null,
  vehicle_from text not null,
  vehicle_to text not null,
  created_from text not null,
  created_type text not null,
  created_by text not null,
  result jsonb not null,
  summary jsonb not null,
  created_time timestamp with time zone not null default now(),
  constraint routing_result_histories_pkey PRIMARY KEY (organization_id, result_id, version),
  constraint routing_result_histories_organization_id_result_id_fkey FOREIGN KEY (organization_id, result_id) REFERENCES routing_results(organization_id, id) ON DELETE CASCADE,
  constraint routing_result_histories_version_check CHECK ((version >= 1))
);

create table routing_results (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  result_code text not null,
  routing_date date not null,
  hub_coordinate text not null,
  country_code text,
  status text not null,
  message text not null default ''::text,
  configuration_id text,
  configuration jsonb not null,
  input jsonb,
  result jsonb not null default '{"dropped": [], "routing": []}'::jsonb,
  summary jsonb not null default '{}'::jsonb,
  original jsonb,
  current_version integer not null default 0,
  warnings text[] not null default '{}'::text[],
  assignees text[] not null default '{}'::text[],
  user_name text not null,
  created_by text not null,
  created_from text not null,
  finish_time timestamp with time zone,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  dispatch_status text,
  dispatch_message text,
  runner text,
  runner_seen_at timestamp with time zone,
  run_count integer not null default 0,
  progress jsonb,
  is_cancelled boolean not null default false,
  constraint routing_results_pkey PRIMARY KEY (organization_id, id),
  constraint routing_results_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint routing_results_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint routing_results_dispatch_status_check CHECK ((dispatch_status = ANY (ARRAY['ongoing'::text, 'done'::text, 'failed'::text]))),
  constraint routing_results_status_check CHECK ((status = ANY (ARRAY['ongoing'::text, 'done'::text, 'failed'::text])))
);

create table saved_views (
  organization_id text not null,
  id text not null,
  list text not null,
  name text not null,
  content jsonb not null,
  visibility text not null,
  team_id text,
  owner_id text not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint saved_views_pkey PRIMARY KEY (organization_id, id),
  constraint saved_views_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint saved_views_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint saved_views_check CHECK (((visibility = 'team'::text) = (team_id IS NOT NULL))),
  constraint saved_views_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'team'::text, 'everyone'::text])))
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table scim_ids (
  organization_id text not null,
  resource_id text not null,
  external_id text,
  names jsonb,
  constraint scim_ids_pkey PRIMARY KEY (organization_id, resource_id),
  constraint scim_ids_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table scim_tokens (
  organization_id text not null,
  id text not null,
  hash bytea not null,
  name text not null,
  role_id text not null,
  hub_id text not null,
  created_by text not null,
  created_time timestamp with time zone not null default now(),
  used_time timestamp with time zone,
  constraint scim_tokens_organization_id_hash_key UNIQUE (organization_id, hash),
  constraint scim_tokens_pkey PRIMARY KEY (organization_id, id),
  constraint scim_tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint scim_tokens_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint scim_tokens_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles(organization_id, id) ON DELETE CASCADE
);

create table sign_in_challenges (
  organization_id text not null,
  id text not null,
  user_id text not null,
  method text not null,
  sign_in text not null default 'password'::text,
  code_hash bytea,
  tries integer not null default 0,
  sends integer not null default 1,
  created_time timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (organization_id, id),
  constraint sign_in_challenges_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint sign_in_challenges_method_check CHECK ((method = ANY (ARRAY['email'::text, 'totp'::text])))
);

create table sign_in_sources (
  account_id text not null,
  source text not null,
  failed_attempts integer not null default 0,
  failed_time timestamp with time zone not null default now(),
  locked_until timestamp with time zone,
  known_until timestamp with time zone,
  constraint sign_in_sources_pkey PRIMARY KEY (account_id, source),
  constraint sign_in_sources_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table sso_assertions (
  organization_id text not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint sso_assertions_pkey PRIMARY KEY (organization_id, hash),
  constraint sso_assertions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table sso_requests (
  organization_id text not null,
  id text not null,
  app_integration_id text not null,
  browser_hash bytea,
  return_to text not null,
  expires_at timestamp with time zone not null,
  email text,
  ticket_hash bytea,
  code_verifier text,
  nonce text,
  vouched jsonb,
  constraint sso_requests_pkey PRIMARY KEY (organization_id, id),
  constraint sso_requests_organization_id_app_integration_id_fkey FOREIGN KEY (organization_id, app_integration_id) REFERENCES app_integrations(organization_id, id) ON DELETE CASCADE
);

create table stock_items (
  organization_id text not null,
  id text not null,
  code text not null,
  name text not null,
  unit text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  updated_by text,
  constraint stock_items_pkey PRIMARY KEY (organization_id, id),
  constraint stock_items_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table stock_levels (
  organization_id text not null,
  item_id text not null,
  holder_kind text not null,
  holder_id text not null,
  quantity numeric(14,3) not null default 0,
  constraint stock_levels_pkey PRIMARY KEY (organization_id, item_id, holder_kind, holder_id),
  constraint stock_levels_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id) REFERENCES stock_items(organization_id, id) ON DELETE CASCADE,
  constraint stock_levels_holder_kind_check CHECK ((holder_kind = ANY (ARRAY['vehicle'::text, 'hub'::text]))),
  constraint stock_levels_quantity CHECK ((quantity >= (0)::numeric))
);

create table stock_movements (
  organization_id text not null,
  id text not null,
  item_id text not null,
  kind text not null,
  from_kind text,
  from_id text,
  to_kind text,
  to_id text,
  quantity numeric(14,3) not null,
  missing numeric(14,3) not null default 0,
  counted numeric(14,3),
  task_id text,
  audit_hub_id text,
  note text,
  created_by text not null,
  created_time timestamp with time zone not null,
  constraint stock_movements_pkey PRIMARY KEY (organization_id, id),
  constraint stock_movements_organization_id_item_id_fkey FOREIGN KEY (organization_id, item_id) REFERENCES stock_items(organization_id, id) ON DELETE CASCADE,
  constraint stock_movements_kind_check CHECK ((kind = ANY (ARRAY['receipt'::text, 'issue'::text, 'transfer'::text, 'count'::text, 'use'::text]))),
  constraint stock_movements_missing_check CHECK ((missing >= (0)::numeric)),
  constraint stock_movements_quantity_check CHECK ((quantity >= (0)::numeric))
);

create table task_count_changes (
  organization_id text not null,
  id bigint not null generated always as identity,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  status text not null,
  task_type text not null,
  change bigint not null,
  constraint task_count_changes_pkey PRIMARY KEY (organization_id, id),
  constraint task_count_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_counts (
  organization_id text not null,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  status text not null,
  task_type text not null,
  count bigint not null,
  constraint task_counts_pkey PRIMARY KEY (organization_id, hub_id, flow_id, flow, status, task_type),
  constraint task_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_estimate_history (
  organization_id text not null,
  task_id text not null,
  horizon_minutes integer not null,
  computed_at timestamp with time zone not null,
  arrival timestamp with time zone not null,
  earliest timestamp with time zone not null,
  latest timestamp with time zone not null,
  model_arrival timestamp with time zone not null,
  deviation_seconds real not null,
  stops_before integer not null,
  opens timestamp with time zone,
  arrived_at timestamp with time zone,
  constraint task_estimate_history_pkey PRIMARY KEY (organization_id, task_id, horizon_minutes)
);

create table task_estimate_models (
  organization_id text not null,
  model jsonb not null,
  learned_at timestamp with time zone not null,
  constraint task_estimate_models_pkey PRIMARY KEY (organization_id),
  constraint task_estimate_models_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_estimate_people (
  organization_id text not null,
  email text not null,
  stops integer not null,
  computed_at timestamp with time zone not null,
  constraint task_estimate_people_pkey PRIMARY KEY (organization_id, email),
  constraint task_estimate_people_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_estimate_requests (
  number bigint not null generated always as identity,
  organization_id text not null,
  task_ids text[] not null,
  emails text[] not null,
  constraint task_estimate_requests_pkey PRIMARY KEY (organization_id, number),
  constraint task_estimate_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_estimates (
  organization_id text not null,
  task_id text not null,
  email text not null,
  arrival timestamp with time zone not null,
  earliest timestamp with time zone not null,
  latest timestamp with time zone not null,
  stops_before integer not null,
  basis text not null,
  deadline timestamp with time zone not null,
  published_arrival timestamp with time zone not null,
  late_since timestamp with time zone,
  computed_at timestamp with time zone not null,
  constraint task_estimates_pkey PRIMARY KEY (organization_id, task_id),
  constraint task_estimates_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE,
  constraint task_estimates_basis_check CHECK ((basis = ANY (ARRAY['road'::text, 'straight'::text])))
);

create table task_histories (
  organization_id text not null,
  task_id text not null,
  id text not null,
  action text not null,
  notes text not null,
  change_data jsonb,
  created_at timestamp with time zone not null,
  details jsonb,
  constraint task_histories_pkey PRIMARY KEY (organization_id, task_id, created_at, id),
  constraint task_histories_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
);

create table task_receipts (
  organization_id text not null,
  id text not null,
  created_time timestamp with time zone not null default now(),
  constraint task_receipts_pkey PRIMARY KEY (organization_id, id),
  constraint task_receipts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_requests (
  organization_id text not null,
  id text not null,
  form_id text not null,
  hub_id text not null,
  flow_id text not null,
  submission bytea not null,
  code_hash bytea not null,
  status text not null,
  "values" jsonb not null,
  name text,
  language text not null,
  slot_id text,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  task_id text,
  created_time timestamp with time zone not null,
  decided_time timestamp with time zone,
  decided_by text,
  reason text,
  constraint task_requests_pkey PRIMARY KEY (organization_id, id),
  constraint task_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint task_requests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);

create table task_requirements (
  organization_id text not null,
  flow_id text not null,
  flow_version integer not null,
  component_ids text[] not null,
  constraint task_requirements_pkey PRIMARY KEY (organization_id, flow_id, flow_version),
  constraint task_requirements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table task_schedule_runs (
  organization_id text not null,
  schedule_id text not null,
  executed_time timestamp with time zone not null,
  id text not null,
  occurrence timestamp with time zone,
  status text not null,
  task_id text,
  failed_code text,
  message text[] not null,
  constraint task_schedule_runs_pkey PRIMARY KEY (organization_id, schedule_id, executed_time, id),
  constraint task_schedule_runs_organization_id_schedule_id_fkey FOREIGN KEY (organization_id, schedule_id) REFERENCES task_schedules(organization_id, id) ON DELETE CASCADE,
  constraint task_schedule_runs_status_check CHECK ((status = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text, 'SKIPPED'::text])))
);

create table task_schedules (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  name text not null,
  recurrence jsonb not null,
  skipped_dates text[] not null default '{}'::text[],
  task jsonb not null,
  assignee text[] not null default '{}'::text[],
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  version integer not null default 1,
  paused_time timestamp with time zone,
  handled_until timestamp with time zone not null,
  next_run_at timestamp with time zone,
  last_status text,
  last_task_id text,
  last_message text[],
  last_executed_time timestamp with time zone,
  execution_count integer not null default 0,
  failed_count integer not null default 0,
  constraint task_schedules_pkey PRIMARY KEY (organization_id, id),
  constraint task_schedules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint task_schedules_check CHECK (((paused_time IS NULL) OR (next_run_at IS NULL))),
  constraint task_schedules_last_status_check CHECK ((last_status = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text])))
);

create table tasks (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  status text not null,
  task_type text not null default 'task'::text,
  title text,
  content text,
  label text,
  assignee text[] not null default '{}'::text[],
  assigned_to jsonb,
  assigned_by text,
  assigned_time timestamp with time zone,
  start_time timestamp with time zone not null,
  end_time timestamp with time zone not null,
  created_time timestamp with time zone not null,
  updated_time timestamp with time zone not null,
  created_by text,
  updated_by text,
  created_from text not null,
  done_by text,
  done_time timestamp with time zone,
  order_index double precision not null,
  ref_id text,
  parent_id text,
  routing_result_id text,
  lng double precision,
  lat double precision,
  "values" jsonb not null default '{}'::jsonb,
  attributes jsonb not null default '{}'::jsonb,
  first_assignee text generated always as (assignee[1]) stored,
  flow_version integer,
  has_photos boolean not null default false,
  constraint tasks_pkey PRIMARY KEY (organization_id, id),
  constraint tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint tasks_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id),
  constraint tasks_check CHECK ((((status = 'UNASSIGNED'::text) = (assignee = '{}'::text[])) OR (status = 'DONE'::text) OR (task_type <> 'task'::text))),
  constraint tasks_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint tasks_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint tasks_status_check CHECK ((status = ANY (ARRAY['UNASSIGNED'::text, 'ONGOING'::text, 'DONE'::text])))
);

create table teams (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint teams_pkey PRIMARY KEY (organization_id, id),
  constraint teams_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE
);

create table templates (
  organization_id text not null,
  id text not null,
  name text not null,
  category text not null,
  configuration text not null,
  description text,
  created_by text not null,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint templates_pkey PRIMARY KEY (organization_id, id),
  constraint templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table token_uses (
  organization_id text not null,
  token_id text not null,
  used_at timestamp with time zone not null,
  used_from text,
  constraint token_uses_pkey PRIMARY KEY (organization_id, token_id),
  constraint token_uses_organization_id_token_id_fkey FOREIGN KEY (organization_id, token_id) REFERENCES access_tokens(organization_id, id) ON DELETE CASCADE
);

create table tracker_messages (
  organization_id text not null,
  tracker_id text not null,
  slot smallint not null,
  number bigint not null,
  received_at timestamp with time zone not null,
  kind text not null,
  content bytea not null,
  size integer not null,
  positions smallint not null,
  note text,
  constraint tracker_messages_pkey PRIMARY KEY (organization_id, tracker_id, slot),
  constraint tracker_messages_organization_id_tracker_id_fkey FOREIGN KEY (organization_id, tracker_id) REFERENCES trackers(organization_id, id) ON DELETE CASCADE
);

create table trackers (
  organization_id text not null,
  id text not null,
  organization_number integer not null,
  imei text not null,
  protocol text not null,
  name text not null,
  user_id text not null,
  created_by text,
  created_time timestamp with time zone not null,
  last_contact_at timestamp with time zone,
  last_address text,
  last_refusal text,
  attributes jsonb not null default '{}'::jsonb,
  messages bigint not null default 0,
  constraint trackers_imei_key UNIQUE (imei),
  constraint trackers_pkey PRIMARY KEY (organization_id, id),
  constraint trackers_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE,
  constraint trackers_imei_check CHECK ((imei ~ '^[0-9]{8,20}$'::text))
);

create table tracking_links (
  organization_id text not null,
  id text not null,
  kind text not null,
  target_id text not null,
  code_hash bytea not null,
  created_by text,
  created_time timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint tracking_links_pkey PRIMARY KEY (organization_id, id),
  constraint tracking_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint tracking_links_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'position'::text])))
);

create table tracking_page_settings (
  organization_id text not null,
  settings jsonb not null default '{}'::jsonb,
  logo bytea,
  logo_type text,
  updated_time timestamp with time zone not null default now(),
  updated_by text,
  constraint tracking_page_settings_pkey PRIMARY KEY (organization_id),
  constraint tracking_page_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint tracking_page_settings_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text])))
);

create table trash (
  organization_id text not null,
  id text not null,
  type text not null,
  name text not null,
  source_id text not null,
  hub_id text,
  content jsonb not null,
  deleted_by text,
  deleted_time timestamp with time zone not null default now(),
  action_id text,
  constraint trash_pkey PRIMARY KEY (organization_id, id),
  constraint trash_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table undo_columns (
  organization_id text not null,
  entry_id text not null,
  object_type text not null,
  object_id text not null,
  columns jsonb not null,
  "time" timestamp with time zone not null default now(),
  constraint undo_columns_pkey PRIMARY KEY (organization_id, entry_id, object_type, object_id),
  constraint undo_columns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table undone_rows (
  organization_id text not null,
  id text not null,
  type text not null,
  content jsonb not null,
  removed_time timestamp with time zone not null default now(),
  constraint undone_rows_pkey PRIMARY KEY (organization_id, id),
  constraint undone_rows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table unknown_trackers (
  imei text not null,
  protocol text not null,
  address text not null,
  first_contact_at timestamp with time zone not null,
  last_contact_at timestamp with time zone not null,
  constraint unknown_trackers_pkey PRIMARY KEY (imei)
);

create table user_hubs (
  organization_id text not null,
  user_id text not null,
  hub_id text not null,
  constraint user_hubs_pkey PRIMARY KEY (organization_id, user_id, hub_id),
  constraint user_hubs_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint user_hubs_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table user_preferences (
  organization_id text not null,
  user_id text not null,
  name text not null,
  value jsonb not null,
  updated_time timestamp with time zone not null default now(),
  constraint user_preferences_pkey PRIMARY KEY (organization_id, user_id, name),
  constraint user_preferences_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table user_teams (
  organization_id text not null,
  user_id text not null,
  team_id text not null,
  constraint user_teams_pkey PRIMARY KEY (organization_id, user_id, team_id),
  constraint user_teams_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint user_teams_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, id) ON DELETE CASCADE
);

create table users (
  organization_id text not null,
  id text not null,
  number integer not null generated always as identity,
  account_id text not null,
  email text not null,
  name text not null,
  phone_number text,
  avatar text,
  language text not null default 'en'::text,
  provider text not null default 'web'::text,
  status text not null,
  role_id text not null,
  is_first_owner boolean not null default false,
  first_login boolean not null default true,
  last_login timestamp with time zone,
  onboarding_step jsonb not null default '[]'::jsonb,
  dynamic_visit_time jsonb not null default '[]'::jsonb,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  invitation_hash bytea,
  invitation_expires timestamp with time zone,
  constraint users_number_key UNIQUE (number),
  constraint users_organization_id_account_id_key UNIQUE (organization_id, account_id),
  constraint users_organization_id_email_key UNIQUE (organization_id, email),
  constraint users_pkey PRIMARY KEY (organization_id, id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint users_organization_id_role_id_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles(organization_id, id),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'pending'::text, 'disabled'::text, 'reject'::text])))
);

create table vehicle_defects (
  organization_id text not null,
  id text not null,
  vehicle_id text not null,
  task_id text not null,
  audit_hub_id text,
  component_id text not null,
  name text not null,
  value text not null,
  found_by text not null,
  found_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolved_by text,
  note text,
  constraint vehicle_defects_organization_id_task_id_component_id_key UNIQUE (organization_id, task_id, component_id),
  constraint vehicle_defects_pkey PRIMARY KEY (organization_id, id),
  constraint vehicle_defects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicle_drivers (
  organization_id text not null,
  vehicle_id text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  email text not null,
  constraint vehicle_drivers_pkey PRIMARY KEY (organization_id, vehicle_id, started_at),
  constraint vehicle_drivers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicle_hours (
  organization_id text not null,
  vehicle_id text not null,
  hour timestamp with time zone not null,
  meters double precision not null,
  engine_seconds double precision not null,
  by_device boolean not null,
  constraint vehicle_hours_pkey PRIMARY KEY (organization_id, vehicle_id, hour),
  constraint vehicle_hours_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicle_inspections (
  organization_id text not null,
  vehicle_id text not null,
  flow_id text not null,
  vehicle_hub_id text not null,
  day date not null,
  task_id text,
  problem text,
  constraint vehicle_inspections_pkey PRIMARY KEY (organization_id, vehicle_id, flow_id, day),
  constraint vehicle_inspections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicle_meters (
  organization_id text not null,
  vehicle_id text not null,
  odometer_meters double precision not null default 0,
  engine_seconds double precision not null default 0,
  base_meters double precision not null default 0,
  base_seconds double precision not null default 0,
  counted_meters double precision not null default 0,
  counted_seconds double precision not null default 0,
  counted_at timestamp with time zone,
  constraint vehicle_meters_pkey PRIMARY KEY (organization_id, vehicle_id),
  constraint vehicle_meters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicle_readings (
  organization_id text not null,
  id text not null,
  vehicle_id text not null,
  audit_hub_id text,
  odometer_before double precision,
  odometer_after double precision,
  seconds_before double precision,
  seconds_after double precision,
  note text,
  created_by text not null,
  created_time timestamp with time zone not null,
  constraint vehicle_readings_pkey PRIMARY KEY (organization_id, id),
  constraint vehicle_readings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table vehicles (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  name text not null,
  assignee text,
  speed double precision not null default 25,
  fixed_cost integer not null default 0,
  tags text[] not null default '{}'::text[],
  odd_even text,
  working_time jsonb,
  break_time jsonb,
  capacity jsonb not null default '{}'::jsonb,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  terms jsonb not null default '{}'::jsonb,
  constraint vehicles_pkey PRIMARY KEY (organization_id, id),
  constraint vehicles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint vehicles_organization_id_hub_id_fkey FOREIGN KEY (organization_id, hub_id) REFERENCES hubs(organization_id, id) ON DELETE CASCADE,
  constraint vehicles_fixed_cost_check CHECK (((fixed_cost >= 0) AND (fixed_cost <= 100))),
  constraint vehicles_odd_even_check CHECK ((odd_even = ANY (ARRAY['odd'::text, 'even'::text]))),
  constraint vehicles_speed_check CHECK ((speed >= (5)::double precision)),
  constraint vehicles_tags_check CHECK ((cardinality(tags) <= 10))
);

create table webhook_deliveries (
  organization_id text not null,
  automation_id text not null,
  sequence bigint not null generated always as identity,
  event_xid xid8 not null,
  event_number bigint not null,
  origin text not null,
  attempt smallint not null default 0,
  due_time timestamp with time zone not null,
  dispatched_time timestamp with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, automation_id, sequence),
  constraint webhook_deliveries_origin_check CHECK ((origin = ANY (ARRAY['event'::text, 'replay'::text])))
);

create table webhook_endpoints (
  organization_id text not null,
  automation_id text not null,
  next_due timestamp with time zone,
  lease_owner text,
  paused_time timestamp with time zone,
  pause_reason text,
  failure_count integer not null default 0,
  failing_since timestamp with time zone,
  not_before timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (organization_id, automation_id),
  constraint webhook_endpoints_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE,
  constraint webhook_endpoints_check CHECK (((paused_time IS NULL) = (pause_reason IS NULL))),
  constraint webhook_endpoints_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['dead'::text, 'gone'::text, 'person'::text, 'owner'::text])))
);

create table webhook_failures (
  organization_id text not null,
  automation_id text not null,
  started_time timestamp with time zone not null,
  attempted integer not null,
  failed integer not null,
  is_alerted boolean not null default false,
  constraint webhook_failures_pkey PRIMARY KEY (organization_id, automation_id),
  constraint webhook_failures_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE
);

create table worker_heartbeats (
  worker_id text not null,
  seen_at timestamp with time zone not null,
  constraint worker_heartbeats_pkey PRIMARY KEY (worker_id)
);

create table workflows (
  organization_id text not null,
  id text not null,
  name text not null,
  steps jsonb not null,
  custom_statuses jsonb not null default '[]'::jsonb,
  created_by text,
  updated_by text,
  created_time timestamp with time zone not null default now(),
  updated_time timestamp with time zone not null default now(),
  constraint workflows_pkey PRIMARY KEY (organization_id, id),
  constraint workflows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint workflows_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 100)))
);

CREATE INDEX access_tokens_client ON public.access_tokens USING btree (organization_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX access_tokens_grant ON public.access_tokens USING btree (organization_id, grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX access_tokens_live ON public.access_tokens USING btree (organization_id, user_id, kind) WHERE (revoked_at IS NULL);
CREATE INDEX access_tokens_revoked_by ON public.access_tokens USING btree (organization_id, user_id) WHERE (revoked_by IS NOT NULL);
CREATE INDEX access_tokens_user ON public.access_tokens USING btree (organization_id, user_id);
CREATE INDEX account_codes_account ON public.account_codes USING btree (account_id, kind, created_time);
CREATE INDEX account_codes_age ON public.account_codes USING btree (expires_at);
CREATE INDEX account_codes_hash ON public.account_codes USING btree (hash);
CREATE INDEX alerts_notify ON public.alerts USING btree (organization_id, notify_at) WHERE (notify_at IS NOT NULL);
CREATE INDEX alerts_open ON public.alerts USING btree (organization_id, rule_id) WHERE (ended_at IS NULL);
CREATE INDEX alerts_time ON public.alerts USING btree (organization_id, started_at DESC, id);
CREATE INDEX app_integrations_domains ON public.app_integrations USING gin (email_domains);
CREATE INDEX app_integrations_list ON public.app_integrations USING btree (organization_id, created_time DESC, id);
CREATE UNIQUE INDEX app_versions_number ON public.app_versions USING btree (platform, version_number, for_organization_id) NULLS NOT DISTINCT;
CREATE INDEX appointment_slots_age ON public.appointment_slots USING btree (held_until);
CREATE INDEX appointment_slots_held ON public.appointment_slots USING btree (organization_id, hub_id, starts_at) WHERE (status = 'held'::text);
CREATE INDEX appointment_slots_task ON public.appointment_slots USING btree (organization_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX audit_log_action ON public.audit_log USING btree (organization_id, action, "time" DESC);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (organization_id, actor_email, "time" DESC);
CREATE INDEX audit_log_time ON public.audit_log USING btree (organization_id, "time" DESC, id DESC);
CREATE INDEX audit_log_xid ON public.audit_log USING btree (xid);
CREATE INDEX audit_parts_done_late ON public.audit_parts USING btree (organization_id, "time") WHERE ((object_type = 'task'::text) AND (change = 'update'::text) AND (((after ->> 'status'::text) = 'DONE'::text) OR (after ? 'done_time'::text)) AND ((("time" - audit_instant(after, 'done_time'::text)) <= '00:05:00'::interval) IS NOT TRUE));
CREATE INDEX audit_parts_ended ON public.audit_parts USING btree (organization_id, "time") WHERE ((object_type = 'task'::text) AND (before ? 'end_time'::text) AND (NOT (before ? 'start_time'::text)) AND (audit_instant(after, 'end_time'::text) < "time"));
CREATE INDEX audit_parts_moved ON public.audit_parts USING btree (organization_id, audit_instant(before, 'start_time'::text)) WHERE ((object_type = 'task'::text) AND (before ? 'start_time'::text));
CREATE INDEX audit_parts_moved_late ON public.audit_parts USING btree (organization_id, "time") WHERE ((object_type = 'task'::text) AND (before ? 'start_time'::text) AND (("time" - audit_instant(before, 'start_time'::text)) > '7 days'::interval) AND (((audit_instant(before, 'end_time'::text) - audit_instant(before, 'start_time'::text)) > '7 days'::interval) IS NOT FALSE));
CREATE INDEX audit_parts_object ON public.audit_parts USING btree (organization_id, object_id, "time");
CREATE INDEX audit_parts_xid ON public.audit_parts USING btree (xid);
CREATE INDEX automation_log_age ON public.automation_log USING brin (finished_time);
CREATE INDEX automation_log_automation ON public.automation_log USING btree (organization_id, automation_id, finished_time DESC);
CREATE INDEX automation_log_list ON public.automation_log USING btree (organization_id, finished_time DESC, id);
CREATE UNIQUE INDEX automation_log_once ON public.automation_log USING btree (organization_id, automation_id, event_xid, event_number, attempt) WHERE (origin = 'event'::text);
CREATE INDEX automation_log_reference ON public.automation_log USING btree (organization_id, reference_id, finished_time DESC);
CREATE INDEX automations_event ON public.automations USING btree (organization_id, event) WHERE is_active;
CREATE UNIQUE INDEX automations_name ON public.automations USING btree (organization_id, lower(name));
CREATE INDEX calendar_feeds_user ON public.calendar_feeds USING btree (organization_id, user_id);
CREATE INDEX conversations_latest ON public.conversations USING btree (organization_id, last_time DESC);
CREATE UNIQUE INDEX currencies_country ON public.currencies USING btree (organization_id, country_code);
CREATE UNIQUE INDEX custom_modules_label ON public.custom_modules USING btree (organization_id, label);
CREATE UNIQUE INDEX custom_modules_name ON public.custom_modules USING btree (organization_id, lower(name));
CREATE UNIQUE INDEX customer_feedback_rating ON public.customer_feedback USING btree (organization_id, task_id) WHERE (kind = 'rating'::text);
CREATE INDEX customer_feedback_time ON public.customer_feedback USING btree (organization_id, created_time DESC, id);
CREATE INDEX customer_messages_provider ON public.customer_messages USING btree (organization_id, channel_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX customer_messages_recipient ON public.customer_messages USING btree (organization_id, recipient, created_time DESC);
CREATE UNIQUE INDEX customer_messages_request ON public.customer_messages USING btree (organization_id, event_key, kind) WHERE (task_id IS NULL);
CREATE INDEX customer_messages_resends ON public.customer_messages USING btree (organization_id, resend_of) WHERE (resend_of IS NOT NULL);
CREATE INDEX customer_messages_time ON public.customer_messages USING btree (organization_id, created_time DESC, id);
CREATE INDEX data_records_created ON public.data_records USING btree (organization_id, created_time, id);
CREATE UNIQUE INDEX data_records_key ON public.data_records USING btree (organization_id, data_type_id, hub_id, data_id) NULLS NOT DISTINCT;
CREATE INDEX data_records_type ON public.data_records USING btree (organization_id, data_type_id, created_time, id);
CREATE INDEX data_records_updated ON public.data_records USING btree (organization_id, updated_time, id);
CREATE INDEX data_search_order_value ON public.data_search_order USING btree (organization_id, data_type_id, field_id, value, record_id) INCLUDE (hub_id);
CREATE INDEX data_search_values ON public.data_search USING gin (data_type_id, "values" jsonb_path_ops);
CREATE INDEX data_search_words ON public.data_search USING gin (data_type_id, words gin_trgm_ops);
CREATE INDEX data_types_created ON public.data_types USING btree (organization_id, created_time DESC, id DESC);
CREATE UNIQUE INDEX data_types_name ON public.data_types USING btree (organization_id, name);
CREATE INDEX device_alarms_received ON public.device_alarms USING btree (organization_id, received_at);
CREATE INDEX device_keys_user ON public.device_keys USING btree (organization_id, user_id);
CREATE INDEX domain_events_age ON public.domain_events USING brin (created_time);
CREATE UNIQUE INDEX equipment_code ON public.equipment USING btree (organization_id, lower(code));
CREATE INDEX equipment_hub ON public.equipment USING btree (organization_id, hub_id);
CREATE INDEX equipment_tasks_time ON public.equipment_tasks USING btree (organization_id, equipment_id, done_at DESC);
CREATE INDEX export_configs_due ON public.export_configs USING btree (next_run_time) WHERE (next_run_time IS NOT NULL);
CREATE UNIQUE INDEX export_configs_name ON public.export_configs USING btree (organization_id, lower(name));
CREATE INDEX exports_age ON public.exports USING btree (requested_time);
CREATE INDEX exports_requested ON public.exports USING btree (organization_id, requested_time DESC, id DESC);
CREATE INDEX file_links_content ON public.file_links USING btree (organization_id, owner_id, content_hash) WHERE (content_hash IS NOT NULL);
CREATE INDEX flow_logs_flow ON public.flow_logs USING btree (organization_id, flow_id, created_time, id);
CREATE INDEX flow_logs_time ON public.flow_logs USING btree (organization_id, created_time, id);
CREATE UNIQUE INDEX flows_name ON public.flows USING btree (organization_id, name);
CREATE INDEX flows_order ON public.flows USING btree (organization_id, order_index DESC, id DESC);
CREATE INDEX geofences_area ON public.geofences USING gist (area);
CREATE UNIQUE INDEX hubs_name ON public.hubs USING btree (organization_id, lower(name));
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX imports_age ON public.imports USING btree (created_time);
CREATE INDEX imports_created ON public.imports USING btree (organization_id, created_time DESC, id DESC);
CREATE INDEX imports_running ON public.imports USING btree (updated_time) WHERE (status = 'onprocess'::text);
CREATE INDEX imports_same ON public.imports USING btree (organization_id, content_hash, created_time);
CREATE INDEX inboxes_email ON public.inboxes USING btree (organization_id, email);
CREATE INDEX live_events_age ON public.live_events USING btree (created_time);
CREATE INDEX live_events_xid ON public.live_events USING btree (xid);
CREATE INDEX location_count_changes_organization ON public.location_count_changes USING btree (organization_number);
CREATE INDEX location_links_age ON public.location_links USING btree (expires_at);
CREATE INDEX location_links_user ON public.location_links USING btree (organization_id, user_id);
CREATE INDEX location_points_moved_id ON ONLY public.location_points USING btree (organization_number, ((extra ->> 'id'::text))) WHERE (extra ? 'id'::text);
CREATE INDEX location_points_received ON ONLY public.location_points USING brin (received_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX location_points_task ON ONLY public.location_points USING btree (organization_number, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX location_sessions_finished ON public.location_sessions USING btree (organization_number, person_number, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX location_sessions_open ON public.location_sessions USING btree (organization_number, person_number) WHERE (finished_at IS NULL);
CREATE INDEX location_sessions_person ON public.location_sessions USING btree (organization_number, person_number, recorded_at);
CREATE INDEX location_sessions_time ON public.location_sessions USING btree (organization_number, recorded_at);
CREATE INDEX location_sessions_uncounted ON public.location_sessions USING btree (organization_number, finished_at) WHERE ((finished_at IS NOT NULL) AND (NOT is_counted));
CREATE INDEX location_sessions_vehicle ON public.location_sessions USING btree (organization_number, vehicle_id, shift_on, started_at, id) WHERE (vehicle_id IS NOT NULL);
CREATE INDEX location_visits_person ON public.location_visits USING btree (organization_id, user_id, arrived_at);
CREATE INDEX location_visits_place ON public.location_visits USING btree (organization_id, place_type, place_id, arrived_at);
CREATE INDEX location_visits_time ON public.location_visits USING btree (organization_id, arrived_at);
CREATE INDEX loose_files_remove_after ON public.loose_files USING btree (remove_after);
CREATE INDEX mails_age ON public.mails USING btree (created_time);
CREATE INDEX mails_list ON public.mails USING btree (organization_id, created_time DESC, id);
CREATE INDEX maintenance_entries_equipment ON public.maintenance_entries USING btree (organization_id, equipment_id, done_on DESC, id) WHERE (equipment_id IS NOT NULL);
CREATE UNIQUE INDEX maintenance_entries_task ON public.maintenance_entries USING btree (organization_id, plan_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX maintenance_entries_vehicle ON public.maintenance_entries USING btree (organization_id, vehicle_id, done_on DESC, id);
CREATE INDEX maintenance_plans_equipment ON public.maintenance_plans USING btree (organization_id, equipment_id) WHERE (equipment_id IS NOT NULL);
CREATE INDEX maintenance_plans_task ON public.maintenance_plans USING btree (organization_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX maintenance_plans_vehicle ON public.maintenance_plans USING btree (organization_id, vehicle_id);
CREATE INDEX map_builds_created ON public.map_builds USING btree (created_at);
CREATE INDEX map_builds_fingerprint ON public.map_builds USING btree (fingerprint) WHERE (fingerprint IS NOT NULL);
CREATE UNIQUE INDEX message_channels_id ON public.message_channels USING btree (id);
CREATE INDEX message_reads_user ON public.message_reads USING btree (organization_id, user_id);
CREATE INDEX message_templates_event ON public.message_templates USING btree (organization_id, event) WHERE is_active;
CREATE INDEX messages_conversation ON public.messages USING btree (organization_id, about, about_id, created_time DESC, id DESC);
CREATE INDEX messages_photos ON public.messages USING gin (photos) WHERE (photos <> '{}'::text[]);
CREATE INDEX notices_created ON public.notices USING btree (created_time);
CREATE INDEX notices_inbox ON public.notices USING btree (organization_id, user_id, created_time DESC, id DESC);
CREATE INDEX notices_unread ON public.notices USING btree (organization_id, user_id, task_id) WHERE (read_time IS NULL);
CREATE INDEX oauth_codes_expires ON public.oauth_codes USING btree (expires_at);
CREATE INDEX oauth_codes_user ON public.oauth_codes USING btree (organization_id, user_id);
CREATE INDEX oauth_registrations_created ON public.oauth_registrations USING btree (created_time);
CREATE UNIQUE INDEX organization_data_name ON public.organization_data USING btree (organization_id, name);
CREATE INDEX other_system_readings_running ON public.other_system_readings USING btree (updated_time) WHERE (status = 'reading'::text);
CREATE INDEX other_system_readings_time ON public.other_system_readings USING btree (created_time);
CREATE UNIQUE INDEX password_policies_name ON public.password_policies USING btree (organization_id, lower(name));
CREATE INDEX person_positions_email ON public.person_positions USING btree (organization_number, email);
CREATE INDEX plugin_installations_plugin ON public.plugin_installations USING btree (plugin_organization_id, plugin_id);
CREATE INDEX plugins_id ON public.plugins USING btree (id);
CREATE UNIQUE INDEX plugins_name ON public.plugins USING btree (organization_id, lower(name));
CREATE INDEX plugins_system ON public.plugins USING btree (created_time) WHERE (scope = 'system'::text);
CREATE INDEX position_consents_latest ON public.position_consents USING btree (organization_id, user_id, decided_time DESC);
CREATE INDEX push_subscriptions_device ON public.push_subscriptions USING btree (endpoint);
CREATE INDEX report_schedules_due ON public.report_schedules USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE UNIQUE INDEX request_forms_code ON public.request_forms USING btree (code_hash);
CREATE UNIQUE INDEX roles_name ON public.roles USING btree (organization_id, lower(name));
CREATE INDEX rollups_person ON public.rollups USING btree (organization_id, facet, person, at) WHERE (grain = 'dayPerson'::text);
CREATE INDEX rollups_person_hours ON public.rollups USING btree (organization_id, facet, person, at) WHERE (grain = 'hour'::text);
CREATE INDEX routing_proposals_result ON public.routing_proposals USING btree (organization_id, result_id, created_time);
CREATE INDEX routing_results_code ON public.routing_results USING btree (organization_id, result_code);
CREATE INDEX routing_results_created ON public.routing_results USING btree (organization_id, created_time DESC, id DESC);
CREATE INDEX routing_results_hub ON public.routing_results USING btree (organization_id, hub_id, updated_time DESC);
CREATE INDEX saved_views_owner ON public.saved_views USING btree (organization_id, owner_id);
CREATE INDEX saved_views_team ON public.saved_views USING btree (organization_id, team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX scim_ids_external ON public.scim_ids USING btree (organization_id, external_id);
CREATE INDEX sign_in_challenges_age ON public.sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_id ON public.sign_in_challenges USING btree (id);
CREATE INDEX sso_assertions_age ON public.sso_assertions USING btree (expires_at);
CREATE INDEX sso_requests_age ON public.sso_requests USING btree (expires_at);
CREATE UNIQUE INDEX sso_requests_id ON public.sso_requests USING btree (id);
CREATE INDEX sso_requests_ticket ON public.sso_requests USING btree (ticket_hash) WHERE (ticket_hash IS NOT NULL);
CREATE UNIQUE INDEX stock_items_code ON public.stock_items USING btree (organization_id, lower(code));
CREATE INDEX stock_items_name ON public.stock_items USING btree (organization_id, lower(name));
CREATE INDEX stock_levels_holder ON public.stock_levels USING btree (organization_id, holder_kind, holder_id);
CREATE UNIQUE INDEX stock_movements_task ON public.stock_movements USING btree (organization_id, task_id, item_id) WHERE (task_id IS NOT NULL);
CREATE INDEX stock_movements_time ON public.stock_movements USING btree (organization_id, created_time DESC, id);
CREATE INDEX task_estimate_history_age ON public.task_estimate_history USING btree (computed_at);
CREATE INDEX task_estimate_requests_number ON public.task_estimate_requests USING btree (number);
CREATE INDEX task_estimates_person ON public.task_estimates USING btree (organization_id, email);
CREATE INDEX task_estimates_task ON public.task_estimates USING btree (task_id);
CREATE UNIQUE INDEX task_requests_code ON public.task_requests USING btree (code_hash);
CREATE INDEX task_requests_decided ON public.task_requests USING btree (decided_time) WHERE (decided_time IS NOT NULL);
CREATE UNIQUE INDEX task_requests_submission ON public.task_requests USING btree (organization_id, form_id, submission);
CREATE INDEX task_requests_time ON public.task_requests USING btree (organization_id, created_time DESC, id);
CREATE INDEX task_schedule_runs_age ON public.task_schedule_runs USING brin (executed_time);
CREATE UNIQUE INDEX task_schedule_runs_once ON public.task_schedule_runs USING btree (organization_id, schedule_id, occurrence);
CREATE INDEX task_schedules_created ON public.task_schedules USING btree (organization_id, created_time, id);
CREATE INDEX task_schedules_due ON public.task_schedules USING btree (next_run_at, organization_id, id) WHERE (next_run_at IS NOT NULL);
CREATE INDEX tasks_activities ON public.tasks USING btree (organization_id, updated_time, id) WHERE (task_type = 'activityMaster'::text);
CREATE INDEX tasks_assignee ON public.tasks USING btree (organization_id, first_assignee, created_time, id) INCLUDE (hub_id, status, flow_id, start_time, end_time, order_index);
CREATE INDEX tasks_assignees ON public.tasks USING gin (organization_id, assignee) WHERE (cardinality(assignee) > 1);
CREATE INDEX tasks_created ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id, start_time, end_time, done_time, order_index);
CREATE INDEX tasks_done ON public.tasks USING btree (organization_id, done_time, id) INCLUDE (hub_id, status, flow_id, created_time, start_time, order_index);
CREATE INDEX tasks_done_by ON public.tasks USING btree (organization_id, done_by, done_time, id) INCLUDE (hub_id, status, flow_id, created_time) WHERE (done_by IS NOT NULL);
CREATE INDEX tasks_end ON public.tasks USING btree (organization_id, end_time, id) INCLUDE (hub_id, status, flow_id, start_time, done_time);
CREATE INDEX tasks_flow ON public.tasks USING btree (organization_id, flow_id, created_time, id) INCLUDE (hub_id, status);
CREATE INDEX tasks_hub ON public.tasks USING btree (organization_id, hub_id, created_time, id) INCLUDE (status, flow_id);
CREATE INDEX tasks_id ON public.tasks USING btree (id);
CREATE INDEX tasks_late ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE ((attributes -> 'isLate'::text) = 'true'::jsonb);
CREATE INDEX tasks_long_windows ON public.tasks USING btree (organization_id, end_time, id) INCLUDE (status, start_time) WHERE ((end_time - start_time) > '7 days'::interval);
CREATE INDEX tasks_order ON public.tasks USING btree (organization_id, order_index, id) INCLUDE (hub_id, status, flow_id);
CREATE INDEX tasks_outcome ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE (attributes ? 'outcome'::text);
CREATE INDEX tasks_parent ON public.tasks USING btree (organization_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX tasks_photos ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE has_photos;
CREATE INDEX tasks_place ON public.tasks USING btree (organization_id, lat, lng) INCLUDE (hub_id, status, flow_id) WHERE (lat IS NOT NULL);
CREATE INDEX tasks_priority ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE (attributes ? 'priority'::text);
CREATE INDEX tasks_ref ON public.tasks USING btree (organization_id, ref_id) WHERE (ref_id IS NOT NULL);
CREATE INDEX tasks_result ON public.tasks USING btree (organization_id, routing_result_id) WHERE (routing_result_id IS NOT NULL);
CREATE INDEX tasks_review ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE ((attributes -> 'needsReview'::text) = 'true'::jsonb);
CREATE INDEX tasks_start ON public.tasks USING btree (organization_id, start_time, id) INCLUDE (hub_id, status, flow_id, created_time, end_time, done_time, order_index);
CREATE INDEX tasks_status ON public.tasks USING btree (organization_id, status, created_time, id) INCLUDE (hub_id, flow_id);
CREATE INDEX tasks_tags ON public.tasks USING btree (organization_id, created_time, id) INCLUDE (hub_id, status, flow_id) WHERE (attributes ? 'tags'::text);
CREATE INDEX tasks_title ON public.tasks USING btree (organization_id, "left"(title, 100) COLLATE "C", id);
CREATE INDEX tasks_updated ON public.tasks USING btree (organization_id, updated_time, id) INCLUDE (hub_id, status, flow_id);
CREATE INDEX tasks_words ON public.tasks USING gin (task_grams(organization_id, lower(((((COALESCE(title, ''::text) || ' '::text) || COALESCE(content, ''::text)) || ' '::text) || COALESCE(label, ''::text)))));
CREATE UNIQUE INDEX teams_name ON public.teams USING btree (organization_id, hub_id, lower(name));
CREATE INDEX templates_list ON public.templates USING btree (organization_id, created_time DESC, id);
CREATE INDEX trackers_user ON public.trackers USING btree (organization_id, user_id);
CREATE UNIQUE INDEX tracking_links_code ON public.tracking_links USING btree (code_hash);
CREATE INDEX tracking_links_expires ON public.tracking_links USING btree (expires_at);
CREATE UNIQUE INDEX tracking_links_target ON public.tracking_links USING btree (organization_id, kind, target_id) WHERE (revoked_at IS NULL);
CREATE INDEX trash_action ON public.trash USING btree (organization_id, action_id) WHERE (action_id IS NOT NULL);
CREATE INDEX trash_age ON public.trash USING btree (deleted_time);
CREATE INDEX trash_list ON public.trash USING btree (organization_id, deleted_time DESC, id);
CREATE INDEX trash_source ON public.trash USING btree (organization_id, source_id);
CREATE INDEX trash_type ON public.trash USING btree (organization_id, type, deleted_time DESC);
CREATE INDEX undo_columns_time ON public.undo_columns USING btree ("time");
CREATE INDEX undone_rows_age ON public.undone_rows USING btree (removed_time);
CREATE INDEX unknown_trackers_last_contact ON public.unknown_trackers USING btree (last_contact_at);
CREATE INDEX user_hubs_hub ON public.user_hubs USING btree (organization_id, hub_id);
CREATE INDEX user_teams_team ON public.user_teams USING btree (organization_id, team_id);
CREATE INDEX users_account ON public.users USING btree (account_id);
CREATE INDEX users_invitation ON public.users USING btree (invitation_hash) WHERE (invitation_hash IS NOT NULL);
CREATE INDEX users_role ON public.users USING btree (organization_id, role_id);
CREATE INDEX vehicle_defects_open ON public.vehicle_defects USING btree (organization_id, vehicle_id) WHERE (resolved_at IS NULL);
CREATE INDEX vehicle_drivers_email ON public.vehicle_drivers USING btree (organization_id, email, started_at);
CREATE UNIQUE INDEX vehicle_drivers_open ON public.vehicle_drivers USING btree (organization_id, vehicle_id) WHERE (ended_at IS NULL);
CREATE INDEX vehicle_inspections_task ON public.vehicle_inspections USING btree (organization_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX vehicle_readings_vehicle ON public.vehicle_readings USING btree (organization_id, vehicle_id, created_time DESC, id);
CREATE INDEX vehicles_assignee ON public.vehicles USING btree (organization_id, assignee) WHERE (assignee IS NOT NULL);
CREATE INDEX vehicles_created ON public.vehicles USING btree (organization_id, created_time DESC, id DESC);
CREATE INDEX vehicles_hub ON public.vehicles USING btree (organization_id, hub_id, created_time DESC, id DESC);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING brin (dispatched_time);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (organization_id, automation_id, due_time, sequence);
CREATE UNIQUE INDEX webhook_deliveries_once ON public.webhook_deliveries USING btree (organization_id, automation_id, event_xid, event_number) WHERE (origin = 'event'::text);
CREATE INDEX webhook_endpoints_due ON public.webhook_endpoints USING btree (next_due) WHERE ((next_due IS NOT NULL) AND (paused_time IS NULL));
CREATE INDEX workflows_created ON public.workflows USING btree (organization_id, created_time DESC, id DESC);
CREATE UNIQUE INDEX workflows_name ON public.workflows USING btree (organization_id, name);

CREATE OR REPLACE FUNCTION public.audit_entry(origin jsonb, organization text, object_type text, verb text, amount bigint, object_id text, names text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, actor_id,
    actor_name, actor_kind, via, operation, request_id, details)
  values (organization, origin ->> 'entry', origin ->> 'email', origin ->> 'address',
    coalesce(origin ->> 'action', object_type || '.' || verb), object_type, case when amount = 1 then object_id end,
    audit_names(names, amount), origin ->> 'id', origin ->> 'name', origin ->> 'kind', origin ->> 'via',
    origin ->> 'operation', origin ->> 'request', origin -> 'details')
  on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION public.audit_instant(line jsonb, name text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return (line ->> name)::timestamptz;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_names(names text[], amount bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when amount = 1 then names[1]
    else left(array_to_string(names[1:5], ', '), 200) || case when amount > 5 then ' … (' || amount || ')' else '' end end
$function$;

CREATE OR REPLACE FUNCTION public.audit_origin()
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  origin jsonb := nullif(current_setting('fieldway.origin', true), '')::jsonb;
begin
  if origin is null then
    origin := jsonb_build_object(
      'entry', lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || substr(md5(gen_random_uuid()::text), 1, 16),
      'kind', 'operator', 'via', 'database', 'name', session_user);
    perform set_config('fieldway.origin', origin::text, true);
  end if;
  return origin;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_result()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  origin jsonb := audit_origin();
  verb text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
  was jsonb := case when tg_op <> 'INSERT' then jsonb_build_object('name', old.name, 'hub_id', old.hub_id,
    'current_version', old.current_version, 'dispatch_status', old.dispatch_status, 'is_cancelled', old.is_cancelled) end;
  line jsonb := case when tg_op <> 'DELETE' then jsonb_build_object('name', new.name, 'hub_id', new.hub_id,
    'current_version', new.current_version, 'dispatch_status', new.dispatch_status, 'is_cancelled', new.is_cancelled) end;
  organization text := case when tg_op = 'DELETE' then old.organization_id else new.organization_id end;
  object text := case when tg_op = 'DELETE' then old.id else new.id end;
  title text := coalesce(line, was) ->> 'name';
begin
  if origin ->> 'entry' is null or not exists (select from organizations where id = organization) then return null; end if;
  insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
  values (organization, origin ->> 'entry', verb, 'result', object, title, coalesce(line, was) ->> 'hub_id',
    (select jsonb_object_agg(key, value) from jsonb_each(was) where value is distinct from line -> key),
    (select jsonb_object_agg(key, value) from jsonb_each(line) where value is distinct from was -> key));
  perform audit_entry(origin, organization, 'result', verb, 1, object, array[title]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  origin jsonb := audit_origin();
  entry text := origin ->> 'entry';
  hidden text[] := tg_argv[4]::text[];
  ignored text[] := tg_argv[5]::text[] || array['organization_id'];
  verb text := case tg_op when 'INSERT' then 'create' when 'DELETE' then 'delete' else 'update' end;
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  line jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  known jsonb := coalesce(line, was);
  earlier jsonb;
  later jsonb;
begin
  if entry is null then return null; end if;
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = was ->> 'organization_id') then return null; end if;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else value end),
      jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else line -> key end) into earlier, later
    from jsonb_each(was - ignored) where value is distinct from line -> key;
    if earlier is null then return null; end if;
  else
    earlier := was - ignored - hidden;
    later := jsonb_strip_nulls(line - ignored - hidden);
  end if;
  insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
  values (known ->> 'organization_id', entry, verb, tg_argv[0], known ->> tg_argv[1], known ->> tg_argv[2], known ->> tg_argv[3],
    earlier, later);
  perform audit_entry(origin, known ->> 'organization_id', tg_argv[0], verb, 1, known ->> tg_argv[1], array[known ->> tg_argv[2]]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  origin jsonb;
  entry text;
  hidden text[] := tg_argv[4]::text[];
  ignored text[] := tg_argv[5]::text[];
  field text := tg_argv[6];
  verb text := case when tg_op = 'UPDATE' or tg_argv[6] <> '' then 'update' when tg_op = 'INSERT' then 'create' else 'delete' end;
begin
  if tg_op = 'DELETE' then
    if not exists (select from old_rows) then return null; end if;
  elsif not exists (select from new_rows) then
    return null;
  end if;
  origin := nullif(current_setting('fieldway.origin', true), '')::jsonb;
  if origin is null then origin := audit_origin(); end if;
  entry := origin ->> 'entry';
  if entry is null then return null; end if;
  if tg_op = 'INSERT' then
    ignored := ignored || hidden || 'organization_id'::text;
    with kept as (
      insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, after)
      select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
        line ->> tg_argv[2], line ->> tg_argv[3],
        case when field = '' then jsonb_strip_nulls(line - ignored) else jsonb_build_object(field, line -> field) end
      from (select to_jsonb(n) as line from new_rows n offset 0) as written
      returning organization_id, object_id, object_name
    )
    insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, actor_id,
      actor_name, actor_kind, via, operation, request_id, details)
    select organization_id, entry, origin ->> 'email', origin ->> 'address', coalesce(origin ->> 'action', tg_argv[0] || '.' || verb),
      tg_argv[0], case when count(*) = 1 then min(object_id) end,
      case when count(*) = 1 then min(object_name) else audit_names(array_agg(object_name), count(*)) end, origin ->> 'id',
      origin ->> 'name', origin ->> 'kind', origin ->> 'via', origin ->> 'operation', origin ->> 'request', origin -> 'details'
    from kept group by organization_id
    on conflict do nothing;
  elsif tg_op = 'DELETE' then
    ignored := ignored || hidden || 'organization_id'::text;
    with kept as (
      insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before)
      select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
        line ->> tg_argv[2], line ->> tg_argv[3],
        case when field = '' then line - ignored else jsonb_build_object(field, line -> field) end
      from (select to_jsonb(o) as line from old_rows o offset 0) as gone
      -- What goes with its organization leaves no entry.
      where exists (select from organizations o where o.id = line ->> 'organization_id')
      returning organization_id, object_id, object_name
    )
    insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, actor_id,
      actor_name, actor_kind, via, operation, request_id, details)
    select organization_id, entry, origin ->> 'email', origin ->> 'address', coalesce(origin ->> 'action', tg_argv[0] || '.' || verb),
      tg_argv[0], case when count(*) = 1 then min(object_id) end,
      case when count(*) = 1 then min(object_name) else audit_names(array_agg(object_name), count(*)) end, origin ->> 'id',
      origin ->> 'name', origin ->> 'kind', origin ->> 'via', origin ->> 'operation', origin ->> 'request', origin -> 'details'
    from kept group by organization_id
    on conflict do nothing;
  else
    with pairs as (
      select o.line as was, n.line as line
      from (select to_jsonb(t) - ignored as line, row_number() over () as place from old_rows t) o
      full join (select to_jsonb(t) - ignored as line, row_number() over () as place from new_rows t) n using (place)
      where o.line is distinct from n.line
    ), kept as (
      insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
      select coalesce(line ->> 'organization_id', line ->> 'id'), entry, verb, tg_argv[0], line ->> tg_argv[1],
        line ->> tg_argv[2], line ->> tg_argv[3], difference.before, difference.after
      from pairs cross join lateral (
        select jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else value end) as before,
          jsonb_object_agg(key, case when key = any (hidden) then '"…"'::jsonb else line -> key end) as after
        from jsonb_each(was) where value is distinct from line -> key
      ) difference
      returning organization_id, object_id, object_name
    )
    insert into audit_log (organization_id, id, actor_email, address, action, target_type, target_id, target_name, actor_id,
      actor_name, actor_kind, via, operation, request_id, details)
    select organization_id, entry, origin ->> 'email', origin ->> 'address', coalesce(origin ->> 'action', tg_argv[0] || '.' || verb),
      tg_argv[0], case when count(*) = 1 then min(object_id) end,
      case when count(*) = 1 then min(object_name) else audit_names(array_agg(object_name), count(*)) end, origin ->> 'id',
      origin ->> 'name', origin ->> 'kind', origin ->> 'via', origin ->> 'operation', origin ->> 'request', origin -> 'details'
    from kept group by organization_id
    on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_table(tabled text, object_type text, id_column text DEFAULT 'id'::text, name_column text DEFAULT 'name'::text, hub_column text DEFAULT ''::text, hidden text[] DEFAULT '{}'::text[], ignored text[] DEFAULT '{}'::text[], relation text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  arguments text := format('%L, %L, %L, %L, %L, %L, %L', object_type, id_column, name_column, hub_column, hidden,
    ignored || array['updated_time', 'updated_by'], relation);
begin
  execute format('drop trigger if exists audit_insert on %I', tabled);
  execute format('drop trigger if exists audit_update on %I', tabled);
  execute format('drop trigger if exists audit_delete on %I', tabled);
  execute format('create trigger audit_insert after insert on %I referencing new table as new_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
  execute format('create trigger audit_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
  execute format('create trigger audit_delete after delete on %I referencing old table as old_rows
    for each statement execute function audit_rows(%s)', tabled, arguments);
end $function$;

CREATE OR REPLACE FUNCTION public.automations_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  part record;
begin
  for part in select organization_id, id from gone loop
    delete from webhook_deliveries where organization_id = part.organization_id and automation_id = part.id;
    delete from automation_log where organization_id = part.organization_id and automation_id = part.id;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.begin_rollups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into rollup_states (organization_id, covered_since) values (new.id, '-infinity');
  elsif new.time_zone <> old.time_zone then
    -- Hours and days begin at other times: what is counted already is counted again.
    update rollup_states set covered_since = null
    where organization_id = new.id and exists (select 1 from rollups r where r.organization_id = new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_deleted_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
  select organization_id, hub_id, flow_id, flow, status, task_type, -count(*)
  from deleted d where exists (select from organizations o where o.id = d.organization_id)
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_updated_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
  select organization_id, hub_id, flow_id, flow, status, task_type, sum(change) from (
    select organization_id, hub_id, flow_id, flow, status, task_type, 1 as change from after_update
    union all
    select organization_id, hub_id, flow_id, flow, status, task_type, -1 from before_update
  ) changes
  group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.data_records_check_parents(tenant text, type_ids text[], hub_ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  found_count bigint;
begin
  select count(*) into found_count from (
    select from data_types where organization_id = tenant and id = any (type_ids) for key share) found;
  if found_count <> cardinality(type_ids) then
    raise exception 'a data record names a data type that does not exist' using errcode = 'foreign_key_violation', constraint = 'data_records_data_type';
  end if;
  select count(*) into found_count from (
    select from hubs where organization_id = tenant and id = any (hub_ids) for key share) found;
  if found_count <> cardinality(hub_ids) then
    raise exception 'a data record names a hub that does not exist' using errcode = 'foreign_key_violation', constraint = 'data_records_hub';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.data_records_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into data_search_notes (organization_id, data_type_id, record_ids)
  select organization_id, data_type_id, array_agg(id) from (
    select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
    from deleted
  ) numbered
  where (select true from organizations o where o.id = numbered.organization_id)
  group by organization_id, data_type_id, part;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, -count(*) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value from deleted
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f
    from deleted r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted
  where (select true from organizations o where o.id = counted.organization_id)
  group by 1, 2, 3, 4, 5;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.data_records_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  part record;
begin
  for part in
    select organization_id, data_type_id, hub_id, array_agg(id) as ids from inserted group by 1, 2, 3 order by 1, 2, 3
  loop
    perform data_records_check_parents(part.organization_id, array[part.data_type_id], array_remove(array[part.hub_id], null));
    insert into data_search_notes (organization_id, data_type_id, record_ids)
    select part.organization_id, part.data_type_id, part.ids[first : first + 1999]
    from generate_series(1, cardinality(part.ids), 2000) first;
    insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
    select part.organization_id, part.data_type_id, coalesce(part.hub_id, ''), field_id, value, change from (
      select '' as field_id, '' as value, cardinality(part.ids) as change
      union all
      select f, v.value, v.change
      from data_types t cross join lateral unnest(t.counted_fields) f cross join lateral (
        select i."values"->>f as value, count(*) as change from inserted i
        where i.organization_id = part.organization_id and i.data_type_id = part.data_type_id
          and i.hub_id is not distinct from part.hub_id
        group by 1
      ) v
      where t.organization_id = part.organization_id and t.id = part.data_type_id and length(v.value) <= 255
    ) counted;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.data_records_updated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tenant record;
begin
  for tenant in
    select organization_id as id, array_agg(distinct data_type_id) as types,
      coalesce(array_agg(distinct hub_id) filter (where hub_id is not null), '{}') as hubs
    from after_update group by organization_id
  loop
    perform data_records_check_parents(tenant.id, tenant.types, tenant.hubs);
  end loop;
  insert into data_search_notes (organization_id, data_type_id, record_ids)
  select organization_id, data_type_id, array_agg(id) from (
    select organization_id, data_type_id, id, row_number() over (partition by organization_id, data_type_id) / 2000 as part
    from after_update
  ) numbered group by organization_id, data_type_id, part;
  insert into data_count_changes (organization_id, data_type_id, hub_id, field_id, value, change)
  select organization_id, data_type_id, hub_id, field_id, value, sum(change) from (
    select organization_id, data_type_id, coalesce(hub_id, '') as hub_id, '' as field_id, '' as value, 1 as change
    from after_update
    union all
    select organization_id, data_type_id, coalesce(hub_id, ''), '', '', -1 from before_update
    union all
    select r.organization_id, r.data_type_id, coalesce(r.hub_id, ''), f, r."values"->>f, r.change
    from (
      select organization_id, data_type_id, hub_id, "values", 1 as change from after_update
      union all
      select organization_id, data_type_id, hub_id, "values", -1 from before_update
    ) r cross join lateral unnest((
      select t.counted_fields from data_types t where t.organization_id = r.organization_id and t.id = r.data_type_id
    )) f where length(r."values"->>f) <= 255
  ) counted group by 1, 2, 3, 4, 5 having sum(change) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.data_types_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from data_records r using gone where r.organization_id = gone.organization_id and r.data_type_id = gone.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_location_partition(moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  first_day date := date_trunc('month', moment at time zone 'UTC')::date;
  partition text := 'location_points_' || to_char(first_day, 'YYYYMM');
begin
  if to_regclass(partition) is not null then return; end if;
  perform pg_advisory_xact_lock(7270117003);
  if to_regclass(partition) is not null then return; end if;
  execute format('create table %I (like location_points including all)', partition);
  execute format('alter table location_points attach partition %I for values from (%L) to (%L)', partition,
    first_day::timestamp at time zone 'UTC', (first_day + interval '1 month')::timestamp at time zone 'UTC');
end $function$;

CREATE OR REPLACE FUNCTION public.flows_renamed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update task_schedules set flow = new.name,
    task = case when task ? 'flow' then jsonb_set(task, '{flow}', to_jsonb(new.name)) else task end
  where organization_id = new.organization_id and flow_id = new.id;
  update automations set
    rules = case when rules->>'flowId' = new.id and rules ? 'flow' then jsonb_set(rules, '{flow}', to_jsonb(new.name)) else rules end,
    details = case when details->>'flowId' = new.id and details ? 'flow' then jsonb_set(details, '{flow}', to_jsonb(new.name)) else details end
  where organization_id = new.organization_id and (rules->>'flowId' = new.id or details->>'flowId' = new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.hubs_deleted_records()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from data_records r using gone
  where r.organization_id = gone.organization_id and r.hub_id = gone.id
    and r.data_type_id in (select t.id from data_types t where t.organization_id = gone.organization_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.is_file_owned(organization text, wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from imports where organization_id = organization and wanted in (rows_key, failed_key))
    or exists (select from exports where organization_id = organization and file_key = wanted)
    or exists (select from organization_archives where organization_id = organization and file_key = wanted)
    or exists (select from plugins where organization_id = organization and wanted in (script_key, icon_key))
    or exists (select from app_integrations where organization_id = organization and certificate_key = wanted)
    or exists (select from users where organization_id = organization and position('/files/' || wanted in avatar) > 0)
    or exists (select from file_links where organization_id = organization and key = wanted)
    or exists (select from other_system_readings where organization_id = organization and wanted in (dump_key, file_key))
    or exists (select from task_requests where organization_id = organization and status = 'pending' and position(wanted in "values"::text) > 0)
$function$;

CREATE OR REPLACE FUNCTION public.keep_columns_for_undo(tabled text, object_type text, id_column text, kept text[], only_deleted boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  arguments text := format('%L, %L, %L', object_type, id_column, kept);
begin
  execute format('create trigger keep_deleted after delete on %I referencing old table as old_rows
    for each statement execute function keep_for_undo(%s)', tabled, arguments);
  if only_deleted then return; end if;
  execute format('create trigger keep_changed after update on %I referencing old table as old_rows
    for each statement execute function keep_for_undo(%s)', tabled, arguments);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_for_undo()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  entry text := nullif(current_setting('fieldway.origin', true), '')::jsonb ->> 'entry';
  kept text[] := tg_argv[2]::text[];
begin
  if entry is null then return null; end if;
  insert into undo_columns (organization_id, entry_id, object_type, object_id, columns)
  select line ->> 'organization_id', entry, tg_argv[0], line ->> tg_argv[1],
    (select jsonb_object_agg(key, value) from jsonb_each(line) where key = any (kept))
  from (select to_jsonb(o) as line from old_rows o) as changed
  -- What goes with its organization cannot come back.
  where exists (select from organizations o where o.id = line ->> 'organization_id')
  -- The first value within an action is the one to go back to.
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.link_record_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
  select written.organization_id, key, 'record', written.id, coalesce(written.updated_by, written.created_by, '')
  from written cross join lateral stored_file_keys(written.organization_id, written."values"::text) key
  where written."values"::text like '%/files/%'
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.link_task_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
  select written.organization_id, key, 'task', written.id, coalesce(written.updated_by, written.created_by, '')
  from written cross join lateral stored_file_keys(written.organization_id, written."values"::text || written.attributes::text) key
  where written."values"::text like '%/files/%' or written.attributes::text like '%/files/%'
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_changed_point()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into location_work.changed_points
    values (old.organization_number, old.person_number, old.recorded_at, old.fingerprint);
  end if;
  if tg_op <> 'DELETE' then
    insert into location_work.changed_points
    values (new.organization_number, new.person_number, new.recorded_at, new.fingerprint);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_deleted_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
  from deleted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
    ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
  where f.at is not null and t.task_type <> 'activityMaster'
    and exists (select from organizations o where o.id = t.organization_id);
  if exists (select from deleted where status = 'DONE') then
    perform note_stops_of((select jsonb_agg(distinct jsonb_build_object('organization_id', organization_id, 'person', done_by,
      'done_time', done_time)) from deleted where status = 'DONE'));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_rated_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, 'finished', date_bin('15 minutes', t.done_time, 'epoch')
  from changed c join tasks t on t.organization_id = c.organization_id and t.id = c.task_id
  where c.kind = 'rating' and t.status = 'DONE' and t.done_time is not null
    and exists (select from organizations o where o.id = c.organization_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_renamed_people()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', s.started_at, 'epoch')
  from location_sessions s join organizations o on o.number = s.organization_number
  where o.id = old.organization_id and s.person_number = old.number;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', n.at, 'epoch')
  from (
    select organization_number, started_at as at from changed
    union all
    select s.organization_number, s.started_at from changed c join location_sessions s
      on s.organization_number = c.organization_number and s.vehicle_id = c.vehicle_id and s.shift_on = c.shift_on
  ) n join organizations o on o.number = n.organization_number;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_stops_of(stops jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', s.started_at, 'epoch')
  from jsonb_to_recordset(stops) as stop (organization_id text, person text, done_time timestamptz)
  join organizations o on o.id = stop.organization_id
  join users u on u.organization_id = o.id and u.email = stop.person
  join lateral (
    select started_at from location_sessions f
    where f.organization_number = o.number and f.person_number = u.number and f.finished_at >= stop.done_time
    union all
    -- One that another transaction may be finishing.
    select started_at from location_sessions f
    where f.organization_number = o.number and f.person_number = u.number and f.finished_at is null
  ) s on s.started_at <= stop.done_time
$function$;

CREATE OR REPLACE FUNCTION public.note_updated_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  stops jsonb;
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct changed.organization_id, changed.facet, date_bin('15 minutes', changed.at, 'epoch')
  from (
    select b.organization_id, f.facet, unnest(f.at) as at
    from before_update b join after_update a on a.organization_id = b.organization_id and a.id = b.id,
    lateral (values
      ('created', array[b.created_time, a.created_time],
        (b.hub_id, b.flow_id, b.created_by, b.created_time, b.task_type) is distinct from
        (a.hub_id, a.flow_id, a.created_by, a.created_time, a.task_type)),
      ('planned', array[b.start_time, a.start_time],
        (b.hub_id, b.flow_id, b.assignee, b.start_time, b.task_type, b.attributes -> 'distance') is distinct from
        (a.hub_id, a.flow_id, a.assignee, a.start_time, a.task_type, a.attributes -> 'distance')),
      ('finished', array[case when b.status = 'DONE' then b.done_time end, case when a.status = 'DONE' then a.done_time end],
        (b.status = 'DONE' or a.status = 'DONE') and
        (b.hub_id, b.flow_id, b.done_by, b.done_time, b.status, b.lat, b.lng, b.start_time, b.end_time, b.task_type, b.attributes)
          is distinct from
        (a.hub_id, a.flow_id, a.done_by, a.done_time, a.status, a.lat, a.lng, a.start_time, a.end_time, a.task_type, a.attributes))
    ) f (facet, at, is_changed)
    where f.is_changed
  ) changed where changed.at is not null;
  if exists (select from before_update where status = 'DONE') or exists (select from after_update where status = 'DONE') then
    select jsonb_agg(distinct jsonb_build_object('organization_id', a.organization_id, 'person', f.person, 'done_time', f.done_time))
    into stops
    from before_update b join after_update a on a.organization_id = b.organization_id and a.id = b.id,
      lateral (values (b.status, b.done_by, b.done_time), (a.status, a.done_by, a.done_time)) f (status, person, done_time)
    where f.status = 'DONE'
      and (b.status, b.done_by, b.done_time, b.task_type, b.attributes -> 'arrivedTime', b.attributes -> 'leftTime')
        is distinct from (a.status, a.done_by, a.done_time, a.task_type, a.attributes -> 'arrivedTime', a.attributes -> 'leftTime');
    if stops is not null then
      perform note_stops_of(stops);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.organizations_deleted_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tenant text;
begin
  for tenant in select id from gone loop
    delete from domain_events where organization_id = tenant;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.organizations_deleted_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tenant text;
begin
  for tenant in select id from gone loop
    delete from data_records where organization_id = tenant;
    delete from data_search where organization_id = tenant;
    delete from data_search_order where organization_id = tenant;
    delete from data_search_buckets where organization_id = tenant;
    delete from data_search_trigrams where organization_id = tenant;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.seconds_in(spans tstzmultirange)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::float8 from unnest(spans) span
$function$;

CREATE OR REPLACE FUNCTION public.session_times(organization text, person text, started timestamp with time zone, finished timestamp with time zone, moving tstzmultirange, off_duty tstzmultirange)
 RETURNS double precision[]
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with session as (
    select tstzmultirange(tstzrange(started, finished)) - off_duty as duty,
      coalesce(moving, tstzmultirange(tstzrange(started, finished))) as travel
  ), finishes as (
    select done_time, (attributes ->> 'arrivedTime')::timestamptz as arrived,
      coalesce((attributes ->> 'leftTime')::timestamptz, done_time) as departed
    from tasks
    where organization_id = organization and done_by = person and done_time >= started and done_time <= finished
      and status = 'DONE' and task_type <> 'activityMaster'
      and (session_user !~ '^fieldway_analyst_' or organization = analytics.organization_id())
  ), stops as (
    select coalesce(range_agg(stop), '{}') as stops from (
      select tstzrange(arrived, departed) as stop from finishes where arrived <= departed
      union all
      select still from session, unnest(tstzmultirange(tstzrange(started, finished)) - travel) still
      where exists (select from finishes where (arrived <= departed) is not true and done_time <@ still)
    ) found
  )
  select array[seconds_in(duty * travel - stops), seconds_in(duty - travel - stops), seconds_in(duty * stops)]
  from session, stops
$function$;

CREATE OR REPLACE FUNCTION public.sort_value(value jsonb, is_number boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_typeof(value) = 'array'::text) THEN to_jsonb(array_to_string(ARRAY(SELECT jsonb_array_elements_text(value) AS jsonb_array_elements_text), ', '::text)) WHEN (is_number AND (jsonb_typeof(value) = 'string'::text) AND ((value #>> '{}'::text[]) ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$'::text)) THEN to_jsonb(((value #>> '{}'::text[]))::numeric) ELSE value END;

CREATE OR REPLACE FUNCTION public.stored_file_keys(organization text, content text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select distinct match[1]
  from regexp_matches(content, '/files/(' || organization || '/[0-9]{4}/[0-9]{2}/[0-9]{2}/[A-Za-z0-9._@-]+)', 'g') match
$function$;

CREATE OR REPLACE FUNCTION public.task_expected_late(organization text, task text, status text, end_time timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select status <> 'DONE' and (end_time < now() or exists (
    select from task_estimates e where e.organization_id = organization and e.task_id = task and e.arrival > e.deadline))
$function$;

CREATE OR REPLACE FUNCTION public.task_grams(organization_id text, words text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  letters text[] := string_to_array(words, null);
  seed bigint := hashtextextended(organization_id, 0);
begin
  return (
    select coalesce(array_agg(hashtextextended(one || two || three, seed)), '{}')
    from unnest(letters, letters[2:], letters[3:]) as gram (one, two, three)
    where three is not null
  );
end $function$;

CREATE OR REPLACE FUNCTION public.task_stars(organization text, task text)
 RETURNS smallint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select stars from customer_feedback where organization_id = organization and task_id = task and kind = 'rating'
$function$;

CREATE OR REPLACE FUNCTION public.tasks_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with counted as (
    insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
    select organization_id, hub_id, flow_id, flow, status, task_type, count(*)
    from inserted group by 1, 2, 3, 4, 5, 6
  ), noted as (
    insert into rollup_changes (organization_id, facet, at)
    select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
    from inserted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
      ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
    where f.at is not null and t.task_type <> 'activityMaster'
  )
  insert into file_links (organization_id, key, owner_type, owner_id, linked_by)
  select organization_id, key, 'task', id, linked_by from (
    select organization_id, id, "values"::text || attributes::text as content, coalesce(updated_by, created_by, '') as linked_by
    from inserted offset 0
  ) written cross join lateral stored_file_keys(organization_id, content) key
  where content like '%/files/%'
  on conflict do nothing;
  if exists (select from inserted where status = 'DONE') then
    perform note_stops_of((select jsonb_agg(distinct jsonb_build_object('organization_id', organization_id, 'person', done_by,
      'done_time', done_time)) from inserted where status = 'DONE'));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.touch_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('fieldway.loads_rows', true) = 'on' then
    return null;
  end if;
  update users set updated_time = now()
  where organization_id = coalesce(new.organization_id, old.organization_id) and id = coalesce(new.user_id, old.user_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.uncount_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_counted := false;
  return new;
end $function$;

create aggregate jsonb_merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

CREATE TRIGGER audit_disconnected AFTER UPDATE OF revoked_by ON public.access_tokens FOR EACH ROW WHEN (((new.kind = 'refresh'::text) AND ((new.revoked_by IS NULL) = (new.revoked_at IS NULL)))) EXECUTE FUNCTION audit_row('oauth-grant', 'id', 'name', '', '{hash}', '{}');
CREATE TRIGGER audit_made AFTER INSERT ON public.access_tokens FOR EACH ROW WHEN ((new.kind = 'personal'::text)) EXECUTE FUNCTION audit_row('token', 'id', 'name', '', '{hash}', '{}');
CREATE TRIGGER audit_set AFTER UPDATE OF name, revoked_by ON public.access_tokens FOR EACH ROW WHEN (((new.kind = 'personal'::text) AND ((new.name IS DISTINCT FROM old.name) OR ((new.revoked_by IS NULL) = (new.revoked_at IS NULL))))) EXECUTE FUNCTION audit_row('token', 'id', 'name', '', '{hash}', '{}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.alert_rules REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('alert-rule', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.alert_rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('alert-rule', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.alert_rules REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('alert-rule', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_set AFTER UPDATE OF acknowledged_at ON public.alerts FOR EACH ROW EXECUTE FUNCTION audit_row('alert', 'id', '', '', '{}', '{notify_at}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.app_integrations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('app-integration', 'id', 'name', '', '{client_secret,certificate_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.app_integrations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('app-integration', 'id', 'name', '', '{client_secret,certificate_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.app_integrations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('app-integration', 'id', 'name', '', '{client_secret,certificate_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.app_integrations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('app-integration', 'id', '{client_secret,certificate_key}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.app_integrations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('app-integration', 'id', '{client_secret,certificate_key}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.appointment_slots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('appointment', 'id', '', 'hub_id', '{}', '{held_until,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.appointment_slots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('appointment', 'id', '', 'hub_id', '{}', '{held_until,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.appointment_slots REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('appointment', 'id', '', 'hub_id', '{}', '{held_until,updated_time,updated_by}', '');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.appointment_slots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('appointment', 'id', '{held_until}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.audit_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('audit-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.audit_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('audit-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.audit_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('audit-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.automations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('automation', 'id', 'name', '', '{signing_secret,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.automations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('automation', 'id', 'name', '', '{signing_secret,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.automations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('automation', 'id', 'name', '', '{signing_secret,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER automations_delete_entries AFTER DELETE ON public.automations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION automations_deleted();
CREATE TRIGGER keep_changed AFTER UPDATE ON public.automations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('automation', 'id', '{signing_secret,secrets}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.automations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('automation', 'id', '{signing_secret,secrets}');
CREATE TRIGGER audit_made AFTER INSERT OR DELETE ON public.calendar_feeds FOR EACH ROW EXECUTE FUNCTION audit_row('calendar-feed', 'id', 'kind', '', '{hash}', '{read_time}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.calendar_feeds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('calendar-feed', 'id', '{hash}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.capacity_constraints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('capacity-constraint', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.capacity_constraints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('capacity-constraint', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.capacity_constraints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('capacity-constraint', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.currencies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('currency', 'id', 'iso', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.currencies REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('currency', 'id', 'iso', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.currencies REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('currency', 'id', 'iso', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.custom_modules REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('custom-module', 'id', 'label', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.custom_modules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('custom-module', 'id', 'label', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.custom_modules REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('custom-module', 'id', 'label', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.custom_permissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('permission', 'name', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.custom_permissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('permission', 'name', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.custom_permissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('permission', 'name', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.customer_feedback REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('feedback', 'id', 'task_title', 'hub_id', '{}', '{read_time,read_by,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.customer_feedback REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('feedback', 'id', 'task_title', 'hub_id', '{}', '{read_time,read_by,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.customer_feedback REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('feedback', 'id', 'task_title', 'hub_id', '{}', '{read_time,read_by,updated_time,updated_by}', '');
CREATE TRIGGER customer_feedback_rollups_delete AFTER DELETE ON public.customer_feedback REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rated_tasks();
CREATE TRIGGER customer_feedback_rollups_insert AFTER INSERT ON public.customer_feedback REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_rated_tasks();
CREATE TRIGGER audit_delete AFTER DELETE ON public.data_records REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('record', 'id', 'data_id', 'hub_id', '{}', '{ordered,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.data_records REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('record', 'id', 'data_id', 'hub_id', '{}', '{ordered,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.data_records REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('record', 'id', 'data_id', 'hub_id', '{}', '{ordered,updated_time,updated_by}', '');
CREATE TRIGGER data_records_delete AFTER DELETE ON public.data_records REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION data_records_deleted();
CREATE TRIGGER data_records_insert AFTER INSERT ON public.data_records REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION data_records_inserted();
CREATE TRIGGER data_records_link_files_insert AFTER INSERT ON public.data_records REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION link_record_files();
CREATE TRIGGER data_records_link_files_update AFTER UPDATE ON public.data_records REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION link_record_files();
CREATE TRIGGER data_records_update AFTER UPDATE ON public.data_records REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update FOR EACH STATEMENT EXECUTE FUNCTION data_records_updated();
CREATE TRIGGER audit_delete AFTER DELETE ON public.data_types REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('data-type', 'id', 'name', '', '{provider_config,provider_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.data_types REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('data-type', 'id', 'name', '', '{provider_config,provider_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.data_types REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('data-type', 'id', 'name', '', '{provider_config,provider_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER data_types_delete AFTER DELETE ON public.data_types REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION data_types_deleted();
CREATE TRIGGER keep_changed AFTER UPDATE ON public.data_types REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('data-type', 'id', '{provider_config,provider_key}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.data_types REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('data-type', 'id', '{provider_config,provider_key}');
CREATE TRIGGER audit_made AFTER INSERT ON public.device_keys FOR EACH ROW EXECUTE FUNCTION audit_row('device-key', 'id', 'name', '', '{hash}', '{last_used_at,last_protocol,last_refusal}');
CREATE TRIGGER audit_set AFTER UPDATE OF revoked_by ON public.device_keys FOR EACH ROW WHEN (((new.revoked_by IS NULL) = (new.revoked_at IS NULL))) EXECUTE FUNCTION audit_row('device-key', 'id', 'name', '', '{hash}', '{last_used_at,last_protocol,last_refusal}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.equipment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('equipment', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.equipment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('equipment', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.equipment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('equipment', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.export_configs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('export-configuration', 'id', 'name', '', '{}', '{next_run_time,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.export_configs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('export-configuration', 'id', 'name', '', '{}', '{next_run_time,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.export_configs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('export-configuration', 'id', 'name', '', '{}', '{next_run_time,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.flows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('flow', 'id', 'name', '', '{}', '{version,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.flows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('flow', 'id', 'name', '', '{}', '{version,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.flows REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('flow', 'id', 'name', '', '{}', '{version,updated_time,updated_by}', '');
CREATE TRIGGER flows_rename AFTER UPDATE OF name ON public.flows FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION flows_renamed();
CREATE TRIGGER audit_delete AFTER DELETE ON public.geofences REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geofence', 'id', 'name', 'hub_id', '{}', '{area,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.geofences REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geofence', 'id', 'name', 'hub_id', '{}', '{area,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.geofences REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geofence', 'id', 'name', 'hub_id', '{}', '{area,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.hubs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('hub', 'id', 'name', 'id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.hubs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('hub', 'id', 'name', 'id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.hubs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('hub', 'id', 'name', 'id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER hubs_delete_records AFTER DELETE ON public.hubs REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION hubs_deleted_records();
CREATE TRIGGER audit_delete AFTER DELETE ON public.imports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('import', 'id', 'filename', 'hub_id', '{content_hash,rows_key,failed_key}', '{processed_chunks,total_valid,total_invalid,created_count,changed_count,started_time,processed_time,columns,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('import', 'id', 'filename', 'hub_id', '{content_hash,rows_key,failed_key}', '{processed_chunks,total_valid,total_invalid,created_count,changed_count,started_time,processed_time,columns,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.imports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('import', 'id', 'filename', 'hub_id', '{content_hash,rows_key,failed_key}', '{processed_chunks,total_valid,total_invalid,created_count,changed_count,started_time,processed_time,columns,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.insight_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('insight-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.insight_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('insight-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.insight_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('insight-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.location_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-link', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.location_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-link', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.location_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-link', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER location_sessions_rollups_before AFTER UPDATE ON public.location_sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_sessions();
CREATE TRIGGER location_sessions_rollups_delete AFTER DELETE ON public.location_sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_sessions();
CREATE TRIGGER location_sessions_rollups_insert AFTER INSERT ON public.location_sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_sessions();
CREATE TRIGGER location_sessions_rollups_update AFTER UPDATE ON public.location_sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_sessions();
CREATE TRIGGER location_sessions_uncounted BEFORE UPDATE OF started_at, finished_at, person_number ON public.location_sessions FOR EACH ROW WHEN ((((old.started_at IS DISTINCT FROM new.started_at) OR (old.finished_at IS DISTINCT FROM new.finished_at)) OR (old.person_number IS DISTINCT FROM new.person_number))) EXECUTE FUNCTION uncount_session();
CREATE TRIGGER audit_delete AFTER DELETE ON public.location_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.location_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.location_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('location-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.maintenance_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-entry', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.maintenance_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-entry', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.maintenance_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-entry', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.maintenance_plans REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-plan', 'id', 'name', 'audit_hub_id', '{}', '{task_id,task_problem,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.maintenance_plans REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-plan', 'id', 'name', 'audit_hub_id', '{}', '{task_id,task_problem,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.maintenance_plans REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('maintenance-plan', 'id', 'name', 'audit_hub_id', '{}', '{task_id,task_problem,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.message_channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-channel', 'id', 'name', '', '{settings,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.message_channels REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-channel', 'id', 'name', '', '{settings,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.message_channels REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-channel', 'id', 'name', '', '{settings,secrets}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.message_channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('message-channel', 'id', '{settings,secrets}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.message_channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('message-channel', 'id', '{settings,secrets}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.message_opt_outs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-opt-out', 'address', 'address', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.message_opt_outs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-opt-out', 'address', 'address', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.message_opt_outs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-opt-out', 'address', 'address', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.message_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.message_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.message_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-settings', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.message_templates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-template', 'id', 'event', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.message_templates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-template', 'id', 'event', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.message_templates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message-template', 'id', 'event', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message', 'id', 'audit_name', '', '{}', '{author_email,author_name,client_id,audit_name,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message', 'id', 'audit_name', '', '{}', '{author_email,author_name,client_id,audit_name,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('message', 'id', 'audit_name', '', '{}', '{author_email,author_name,client_id,audit_name,updated_time,updated_by}', '');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('message', 'id', '{author_email,author_name,client_id}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.oauth_clients REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('oauth-client', 'id', 'name', '', '{secret_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.oauth_clients REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('oauth-client', 'id', 'name', '', '{secret_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.oauth_clients REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('oauth-client', 'id', 'name', '', '{secret_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.oauth_clients REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('oauth-client', 'id', '{secret_hash}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.oauth_clients REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('oauth-client', 'id', '{secret_hash}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.organization_data REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization-data', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.organization_data REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization-data', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.organization_data REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization-data', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.organizations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization', 'id', 'name', '', '{}', '{number,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.organizations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization', 'id', 'name', '', '{}', '{number,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.organizations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('organization', 'id', 'name', '', '{}', '{number,updated_time,updated_by}', '');
CREATE TRIGGER organizations_delete_events AFTER DELETE ON public.organizations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION organizations_deleted_events();
CREATE TRIGGER organizations_delete_search AFTER DELETE ON public.organizations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION organizations_deleted_search();
CREATE TRIGGER organizations_rollups AFTER INSERT OR UPDATE OF time_zone ON public.organizations FOR EACH ROW EXECUTE FUNCTION begin_rollups();
CREATE TRIGGER audit_delete AFTER DELETE ON public.other_system_readings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('reading', 'id', 'collection', '', '{sealed_key,dump_key,file_key}', '{row_count,empty_count,request_count,byte_count,waits_until,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.other_system_readings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('reading', 'id', 'collection', '', '{sealed_key,dump_key,file_key}', '{row_count,empty_count,request_count,byte_count,waits_until,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.other_system_readings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('reading', 'id', 'collection', '', '{sealed_key,dump_key,file_key}', '{row_count,empty_count,request_count,byte_count,waits_until,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.password_policies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('password-policy', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.password_policies REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('password-policy', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.password_policies REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('password-policy', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.plugin_installations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin-installation', 'plugin_id', 'plugin_id', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.plugin_installations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin-installation', 'plugin_id', 'plugin_id', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.plugin_installations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin-installation', 'plugin_id', 'plugin_id', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.plugins REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin', 'id', 'name', '', '{script_key,icon_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.plugins REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin', 'id', 'name', '', '{script_key,icon_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.plugins REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('plugin', 'id', 'name', '', '{script_key,icon_key}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.plugins REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('plugin', 'id', '{script_key,icon_key}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.plugins REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('plugin', 'id', '{script_key,icon_key}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.position_consents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('position-consent', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.position_consents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('position-consent', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.position_consents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('position-consent', 'id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.privacy_policies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('privacy-policy', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.privacy_policies REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('privacy-policy', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.privacy_policies REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('privacy-policy', 'organization_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.report_schedules REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-schedule', 'id', 'name', '', '{}', '{next_at,sent_for,error,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.report_schedules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-schedule', 'id', 'name', '', '{}', '{next_at,sent_for,error,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.report_schedules REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-schedule', 'id', 'name', '', '{}', '{next_at,sent_for,error,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.report_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-settings', 'flow_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.report_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-settings', 'flow_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.report_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('report-settings', 'flow_id', '', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.request_forms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('request-form', 'id', 'name', 'hub_id', '{code_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.request_forms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('request-form', 'id', 'name', 'hub_id', '{code_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.request_forms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('request-form', 'id', 'name', 'hub_id', '{code_hash}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.request_forms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('request-form', 'id', '{code_hash}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.request_forms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('request-form', 'id', '{code_hash}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.road_speeds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('road-speeds', 'organization_id', '', '', '{}', '{history,learned_until,learned_at,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.road_speeds REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('road-speeds', 'organization_id', '', '', '{}', '{history,learned_until,learned_at,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.road_speeds REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('road-speeds', 'organization_id', '', '', '{}', '{history,learned_until,learned_at,updated_time,updated_by}', '');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.road_speeds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('road-speeds', 'organization_id', '{history,learned_until,learned_at}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.roles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('role', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.roles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('role', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.roles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('role', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.routing_configurations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('routing-configuration', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.routing_configurations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('routing-configuration', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.routing_configurations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('routing-configuration', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.routing_geotags REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geotag', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.routing_geotags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geotag', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.routing_geotags REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('geotag', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.routing_results FOR EACH ROW EXECUTE FUNCTION audit_result();
CREATE TRIGGER audit_insert AFTER INSERT ON public.routing_results FOR EACH ROW EXECUTE FUNCTION audit_result();
CREATE TRIGGER audit_update AFTER UPDATE OF name, hub_id, current_version, dispatch_status, is_cancelled ON public.routing_results FOR EACH ROW WHEN ((((((old.name IS DISTINCT FROM new.name) OR (old.hub_id IS DISTINCT FROM new.hub_id)) OR (old.current_version IS DISTINCT FROM new.current_version)) OR (old.dispatch_status IS DISTINCT FROM new.dispatch_status)) OR (old.is_cancelled IS DISTINCT FROM new.is_cancelled))) EXECUTE FUNCTION audit_result();
CREATE TRIGGER audit_delete AFTER DELETE ON public.saved_views REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('saved-view', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.saved_views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('saved-view', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.saved_views REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('saved-view', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.scim_tokens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('scim-token', 'id', 'name', '', '{hash}', '{used_time,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.scim_tokens REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('scim-token', 'id', 'name', '', '{hash}', '{used_time,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.scim_tokens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('scim-token', 'id', 'name', '', '{hash}', '{used_time,updated_time,updated_by}', '');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.scim_tokens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('scim-token', 'id', '{hash,used_time}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.stock_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-item', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.stock_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-item', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.stock_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-item', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.stock_movements REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-movement', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.stock_movements REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-movement', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.stock_movements REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('stock-movement', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.task_requests REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task-request', 'id', 'name', 'hub_id', '{}', '{code_hash,submission,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.task_requests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task-request', 'id', 'name', 'hub_id', '{}', '{code_hash,submission,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.task_requests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task-request', 'id', 'name', 'hub_id', '{}', '{code_hash,submission,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.task_schedules REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('schedule', 'id', 'name', 'hub_id', '{}', '{version,handled_until,next_run_at,last_status,last_task_id,last_message,last_executed_time,execution_count,failed_count,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.task_schedules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('schedule', 'id', 'name', 'hub_id', '{}', '{version,handled_until,next_run_at,last_status,last_task_id,last_message,last_executed_time,execution_count,failed_count,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.task_schedules REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('schedule', 'id', 'name', 'hub_id', '{}', '{version,handled_until,next_run_at,last_status,last_task_id,last_message,last_executed_time,execution_count,failed_count,updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task', 'id', 'title', 'hub_id', '{}', '{first_assignee,has_photos,assigned_to,assigned_by,assigned_time,content,label,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task', 'id', 'title', 'hub_id', '{}', '{first_assignee,has_photos,assigned_to,assigned_by,assigned_time,content,label,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('task', 'id', 'title', 'hub_id', '{}', '{first_assignee,has_photos,assigned_to,assigned_by,assigned_time,content,label,updated_time,updated_by}', '');
CREATE TRIGGER tasks_count_delete AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_tasks();
CREATE TRIGGER tasks_count_update AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update FOR EACH STATEMENT EXECUTE FUNCTION count_updated_tasks();
CREATE TRIGGER tasks_inserted AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION tasks_inserted();
CREATE TRIGGER tasks_link_files_update AFTER UPDATE ON public.tasks REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION link_task_files();
CREATE TRIGGER tasks_rollups_delete AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_tasks();
CREATE TRIGGER tasks_rollups_update AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update FOR EACH STATEMENT EXECUTE FUNCTION note_updated_tasks();
CREATE TRIGGER audit_delete AFTER DELETE ON public.teams REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('team', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.teams REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('team', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.teams REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('team', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.templates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('template', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.templates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('template', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.templates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('template', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_made AFTER INSERT OR DELETE OR UPDATE OF name, protocol, user_id ON public.trackers FOR EACH ROW EXECUTE FUNCTION audit_row('tracker', 'id', 'name', '', '{}', '{last_contact_at,last_address,last_refusal,attributes,messages}');
CREATE TRIGGER audit_set AFTER UPDATE OF revoked_at ON public.tracking_links FOR EACH ROW EXECUTE FUNCTION audit_row('tracking-link', 'id', '', '', '{code_hash}', '{}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.tracking_page_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('tracking-page', 'organization_id', '', '', '{logo}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.tracking_page_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('tracking-page', 'organization_id', '', '', '{logo}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.tracking_page_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('tracking-page', 'organization_id', '', '', '{logo}', '{updated_time,updated_by}', '');
CREATE TRIGGER keep_changed AFTER UPDATE ON public.tracking_page_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('tracking-page', 'organization_id', '{logo}');
CREATE TRIGGER keep_deleted AFTER DELETE ON public.tracking_page_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_for_undo('tracking-page', 'organization_id', '{logo}');
CREATE TRIGGER audit_delete AFTER DELETE ON public.user_hubs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'hub_id');
CREATE TRIGGER audit_insert AFTER INSERT ON public.user_hubs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'hub_id');
CREATE TRIGGER audit_update AFTER UPDATE ON public.user_hubs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'hub_id');
CREATE TRIGGER user_hubs_touch AFTER INSERT OR DELETE OR UPDATE ON public.user_hubs FOR EACH ROW EXECUTE FUNCTION touch_user();
CREATE TRIGGER audit_delete AFTER DELETE ON public.user_teams REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'team_id');
CREATE TRIGGER audit_insert AFTER INSERT ON public.user_teams REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'team_id');
CREATE TRIGGER audit_update AFTER UPDATE ON public.user_teams REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'user_id', '', '', '{}', '{updated_time,updated_by}', 'team_id');
CREATE TRIGGER user_teams_touch AFTER INSERT OR DELETE OR UPDATE ON public.user_teams FOR EACH ROW EXECUTE FUNCTION touch_user();
CREATE TRIGGER audit_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'id', 'email', '', '{invitation_hash}', '{number,first_login,last_login,onboarding_step,invitation_expires,updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'id', 'email', '', '{invitation_hash}', '{number,first_login,last_login,onboarding_step,invitation_expires,updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('user', 'id', 'email', '', '{invitation_hash}', '{number,first_login,last_login,onboarding_step,invitation_expires,updated_time,updated_by}', '');
CREATE TRIGGER users_rollups_deleted AFTER DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION note_renamed_people();
CREATE TRIGGER users_rollups_renamed AFTER UPDATE OF email ON public.users FOR EACH ROW WHEN ((old.email IS DISTINCT FROM new.email)) EXECUTE FUNCTION note_renamed_people();
CREATE TRIGGER audit_delete AFTER DELETE ON public.vehicle_defects REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-defect', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.vehicle_defects REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-defect', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.vehicle_defects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-defect', 'id', 'name', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.vehicle_readings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-reading', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.vehicle_readings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-reading', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.vehicle_readings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle-reading', 'id', 'note', 'audit_hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.vehicles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.vehicles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.vehicles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('vehicle', 'id', 'name', 'hub_id', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_delete AFTER DELETE ON public.workflows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('workflow', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_insert AFTER INSERT ON public.workflows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('workflow', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
CREATE TRIGGER audit_update AFTER UPDATE ON public.workflows REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION audit_rows('workflow', 'id', 'name', '', '{}', '{updated_time,updated_by}', '');
