-- Who is told when an export is ready. The table is short-lived and small: the lock lasts an instant.

alter table exports add column notify_emails text[] not null default '{}';
