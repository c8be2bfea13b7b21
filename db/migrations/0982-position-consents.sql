-- What people decided about the recording of their positions, where their organization asks them. A new table only.
create table position_consents (
  organization_id text not null,
  id text not null,
  user_id text not null,
  is_given boolean not null,
  decided_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index position_consents_latest on position_consents (organization_id, user_id, decided_time desc);
