-- Parts in vehicles and hubs. New, empty tables.
create table stock_items (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  code text not null,
  name text not null,
  unit text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id)
);
create unique index stock_items_code on stock_items (organization_id, lower(code));
create index stock_items_name on stock_items (organization_id, lower(name));
select audit_table('stock_items', 'stock-item', 'id', 'name', '', '{}', '{}');

-- How much of an item is where. Whatever happens at the same time, it is never less than nothing.
create table stock_levels (
  organization_id text not null,
  item_id text not null,
  holder_kind text not null check (holder_kind in ('vehicle', 'hub')),
  holder_id text not null,
  quantity numeric(14, 3) not null default 0,
  primary key (organization_id, item_id, holder_kind, holder_id),
  foreign key (organization_id, item_id) references stock_items (organization_id, id) on delete cascade,
  constraint stock_levels_quantity check (quantity >= 0)
);
create index stock_levels_holder on stock_levels (organization_id, holder_kind, holder_id);

-- Each change of a level, and what a finished task used although it was not there.
create table stock_movements (
  organization_id text not null,
  id text not null,
  item_id text not null,
  kind text not null check (kind in ('receipt', 'issue', 'transfer', 'count', 'use')),
  from_kind text,
  from_id text,
  to_kind text,
  to_id text,
  quantity numeric(14, 3) not null check (quantity >= 0),
  missing numeric(14, 3) not null default 0 check (missing >= 0),
  -- What was there, by a stocktake.
  counted numeric(14, 3),
  task_id text,
  audit_hub_id text,
  note text,
  created_by text not null,
  created_time timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, item_id) references stock_items (organization_id, id) on delete cascade
);
create index stock_movements_time on stock_movements (organization_id, created_time desc, id);
-- A task uses each item once, although its finish is sent twice.
create unique index stock_movements_task on stock_movements (organization_id, task_id, item_id) where task_id is not null;
select audit_table('stock_movements', 'stock-movement', 'id', 'note', 'audit_hub_id', '{}', '{}');
