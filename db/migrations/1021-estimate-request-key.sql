-- The key of a tenant's table carries the organization. The table holds requests of the last seconds: no time.
alter table task_estimate_requests
  drop constraint task_estimate_requests_pkey,
  add primary key (organization_id, number);
create index task_estimate_requests_number on task_estimate_requests (number);
