-- Messages between people in the field and their planners: about a task, or with a person. New tables only.
create table conversations (
  organization_id text not null,
  about text not null check (about in ('task', 'person')),
  -- Of the task or the member. No foreign key: a task comes back from the trash with its messages.
  about_id text not null,
  -- Who can see it at most: in one of these hubs, and for those who see only their own, by e-mail. Narrows lists down;
  -- the task or the person decides.
  hub_ids text[] not null,
  emails text[] not null,
  last_time timestamptz not null,
  primary key (organization_id, about, about_id)
);
create index conversations_latest on conversations (organization_id, last_time desc);

create table messages (
  organization_id text not null,
  id text not null,
  about text not null,
  about_id text not null,
  -- Chosen by the client, so that a repeated call sends one message.
  client_id text not null,
  author_id text not null,
  author_email text not null,
  author_name text not null,
  text text not null,
  -- Keys of stored files that the author uploaded.
  photos text[] not null default '{}',
  -- On the author's device, which may have had no network.
  written_time timestamptz not null,
  created_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, about, about_id) references conversations (organization_id, about, about_id) on delete cascade,
  constraint messages_client_id unique (organization_id, author_id, client_id)
);
create index messages_conversation on messages (organization_id, about, about_id, created_time desc, id desc);
create index messages_photos on messages using gin (photos) where photos <> '{}';

-- Until when a person has read a conversation.
create table message_reads (
  organization_id text not null,
  about text not null,
  about_id text not null,
  user_id text not null,
  read_until timestamptz not null,
  primary key (organization_id, about, about_id, user_id),
  foreign key (organization_id, about, about_id) references conversations (organization_id, about, about_id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index message_reads_user on message_reads (organization_id, user_id);
