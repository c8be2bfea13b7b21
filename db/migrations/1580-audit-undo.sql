-- What undo needs of automations and maintenance plans: details of automations hold no secrets any more (those are sealed in
-- their own column), and a plan comes back with when it was last done. Replaces triggers, which locks both tables for a moment.
select audit_table('automations', 'automation', 'id', 'name', '', '{signing_secret,secrets}');
select audit_table('maintenance_plans', 'maintenance-plan', 'id', 'name', 'audit_hub_id', '{}', '{task_id,task_problem}');

-- Entries that came with an archive before they were sealed are sealed now; audit:verify reports what no block covers. Numbers are
-- negative in between, since a number of this installation may be one that another part of the same entry has.
update audit_log arrived set number = coalesce(-number - 1, -1)
from (
  select organization_id, id from audit_log where xid = 0
  except select organization_id, unnest(string_to_array(keys, ' ')) from audit_blocks
) unsealed
where arrived.organization_id = unsealed.organization_id and arrived.id = unsealed.id;
update audit_parts arrived set number = -number - 1
from (
  select organization_id, entry_id || '.' || number as key from audit_parts where xid = 0
  except select organization_id, unnest(string_to_array(keys, ' ')) from audit_blocks
) unsealed
where arrived.organization_id = unsealed.organization_id and arrived.entry_id || '.' || arrived.number = unsealed.key;
update audit_log set xid = pg_current_xact_id()::text::bigint, number = nextval('audit_numbers') where xid = 0 and number < 0;
update audit_parts set xid = pg_current_xact_id()::text::bigint, number = nextval('audit_numbers') where xid = 0 and number < 0;
