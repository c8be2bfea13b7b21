-- Conversations about data records and planned routes, mentions of people in messages, and notices of them. The constraints
-- are checked against rows of small tables; the columns have constant defaults, so nothing is rewritten.
alter table conversations drop constraint conversations_about_check;
alter table conversations add constraint conversations_about_check check (about in ('task', 'person', 'record', 'route'));
-- Ids of members that the author named.
alter table messages add column mentions text[] not null default '{}';
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('taskNew', 'taskChanged', 'taskCancelled', 'message', 'mention'));
-- What the conversation of a message or mention is about, other than a task.
alter table notices add column about text;
alter table notices add column about_id text;
