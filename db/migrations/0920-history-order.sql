-- The newest changes of a task are read, and pages of them, in the order of time: ids ascend to the second only.
alter table task_histories
  drop constraint task_histories_pkey,
  add constraint task_histories_pkey primary key (organization_id, task_id, created_at, id);
