-- Imports may create vehicles and people. The check takes an exclusive lock on imports, a small table, for a moment.
alter table imports drop constraint imports_type_check;
alter table imports add constraint imports_type_check
  check (type in ('datasource', 'task', 'visit', 'route', 'vehicle', 'user'));
