-- The next run alone says what a schedule owes. A small table: the lock lasts an instant.

alter table export_configs drop column scheduled_until;
