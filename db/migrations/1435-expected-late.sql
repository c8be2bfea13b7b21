-- Whether an open task is expected to miss the end of its time window, or has missed it: reports count these, and lists filter by
-- it. New function; no lock.
create function task_expected_late(organization text, task text, status text, end_time timestamptz) returns boolean
stable parallel safe language sql as $$
  select status <> 'DONE' and (end_time < now() or exists (
    select from task_estimates e where e.organization_id = organization and e.task_id = task and e.arrival > e.deadline))
$$;
