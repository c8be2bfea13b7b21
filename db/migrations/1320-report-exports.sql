-- Service reports of many tasks are an export too.
alter table exports drop constraint exports_data_type_check;
alter table exports add constraint exports_data_type_check
  check (data_type in ('task', 'data', 'vehicle', 'driver', 'route', 'report'));
