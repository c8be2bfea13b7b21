/** Tables as ours, with keys, indexes and checks but without triggers, for the bare writes. */
export const bareTables = `
  create schema bare;
  create table bare.task_histories (like task_histories including all);
  create table bare.domain_events (like domain_events including all);
  create table bare.data_records (like data_records including all);
  create table bare.points (like location_points including all);
  create table bare.tasks as select * from tasks; alter table bare.tasks add primary key (organization_id, id); create index on bare.tasks (organization_id, created_time, id);
  insert into bare.data_records select * from data_records;
  analyze bare.tasks`

/** New tasks, each with its first history entry and its event. */
export const insertTasksText = (count: number) => `
    with written as (
      insert into bare.tasks (organization_id, id, hub_id, flow_id, flow, status, title, start_time, end_time, created_time, updated_time,
        created_by, created_from, order_index, ref_id, "values")
      select $1, $2 || '-' || n, $3, $4, $5, 'UNASSIGNED', 'Title', now(), now(), now(), now(), 'owner', 'API', 1, 'ref', $6
      from generate_series(1, ${count}) n returning organization_id, id
    ), histories as (
      insert into bare.task_histories select organization_id, id, id, 'create', '', null, now() from written
    )
    insert into bare.domain_events (organization_id, event, reference_id, record) select organization_id, 'onTaskCreated', id, $6 from written`

/** A change of one task with its history entry and its event. */
export const updateTaskText = `
      with written as (
        update bare.tasks set "values" = "values" || $3, updated_time = now() where organization_id = $1 and id = $2 returning *
      ), histories as (
        insert into bare.task_histories select organization_id, id, $4, 'update', '', $3, now() from written
      )
      insert into bare.domain_events (organization_id, event, reference_id, record) select organization_id, 'onTaskUpdated', id, $3 from written`

export const insertPointsText = (
  count: number,
) => `insert into bare.points (recorded_at, received_at, lat, lng, organization_number, person_number, fingerprint, speed, accuracy, battery, source)
      select to_timestamp($2) + n * interval '1 ms', now(), 48.1, 11.2, $1, 7, n, 5, 5, 77, 1 from generate_series(1, ${count}) n`
