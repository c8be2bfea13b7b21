-- Changes of a plan that is being driven, as they were proposed. A new table only.
create table routing_proposals (
  organization_id text not null,
  id text not null,
  result_id text not null,
  -- The state of the result that it was computed from; accepting is refused after another change.
  base_time timestamptz not null,
  status text not null check (status in ('open', 'accepted')),
  routing jsonb not null,
  input jsonb not null,
  changes jsonb not null,
  created_by text not null,
  created_time timestamptz not null,
  accepted_by text,
  accepted_time timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, result_id) references routing_results (organization_id, id) on delete cascade
);
create index routing_proposals_result on routing_proposals (organization_id, result_id, created_time);
