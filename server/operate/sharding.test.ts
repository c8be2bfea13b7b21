import assert from "node:assert/strict"
import { glob, readFile } from "node:fs/promises"
import { test } from "node:test"
import { distributedTables } from "#core/database/citus.ts"
import { testApp } from "#testing/test-app.ts"
import { distribute } from "./distribute.ts"
import { type CatalogTable, readCatalog } from "./distribution/catalog.ts"
import { keysInto, planDistribution, showPlan } from "./distribution/plan.ts"

/**
 * Ready for a tenant-sharded PostgreSQL (docs/scaling.md): every table of tenants is distributed by the
 * organization, and whatever must be unique or refers to another row does so within one organization.
 */

/** Of the installation itself; reference tables, or tables of one node, when it is sharded. */
const globalTables = [
  "account_codes",
  "accounts",
  "app_versions",
  "audit_sealing",
  "installation",
  "installation_secrets",
  "map_builds",
  "map_regions",
  "oauth_registrations",
  "organizations",
  "place_crossings",
  "place_entries",
  "place_houses",
  "place_lines",
  "place_versions",
  "place_words",
  "push_keys",
  "schema_migrations",
  "sign_in_sources",
  "unknown_trackers",
  "worker_heartbeats",
]

/** Keys by the organization's surrogate number: their distribution column is `organization_number`. */
const numbered = [
  "location_count_changes",
  "location_counts",
  "location_outlines",
  "location_points",
  "location_sessions",
  "person_positions",
]

/** What looks past one tenant, each with the way that a sharded database does it. */
const crossing: Record<string, string> = {
  "capacity_constraints_id_key (id)": "ids are random; drop the constraint before distributing",
  "plugin_installations_plugin_organization_id_plugin_id_fkey (plugin_organization_id, plugin_id)":
    "a plugin of the installation may be another organization's; drop the foreign key, reading finds none then",
  "message_channels_id (id)": "ids are random; make it an index that is not unique",
  "trackers_imei_key (imei)": "IMEIs are unique in the world; drop the constraint before distributing",
  "sso_requests_id (id)": "ids are random; make it an index that is not unique",
  "request_forms_code (code_hash)": "codes are random; make it an index that is not unique",
  "task_requests_code (code_hash)": "codes are random; make it an index that is not unique",
  "tracking_links_code (code_hash)": "codes are random; make it an index that is not unique",
  "users_number_key (number)": "numbers come from one sequence; drop the constraint before distributing",
}

interface Key {
  table: string
  kind: "p" | "u" | "f" | "i"
  name: string
  columns: string[]
  target: string | null
}

async function keysOf(): Promise<Key[]> {
  const { sql } = await testApp()
  return sql<Key[]>`
    select c.relname as table, k.contype::text as kind, k.conname as name, t.relname as target,
      array(select a.attname::text from unnest(k.conkey) with ordinality u (n, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = u.n order by place) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_class t on t.oid = k.confrelid
    where n.nspname = 'public' and k.contype in ('p', 'u', 'f') and not c.relispartition
    union all
    select c.relname, 'i', i.relname, null,
      array(select a.attname::text from unnest(x.indkey::int2[]) u (n) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.n)
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and x.indisunique and not c.relispartition
      and not exists (select from pg_constraint where conindid = x.indexrelid)`
}

test("every table belongs to organizations, or is named here as global", async () => {
  const { sql } = await testApp()
  const rows = await sql<{ name: string; key: string | null }[]>`
    select c.relname as name, (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnotnull
      and a.attname in ('organization_id', 'organization_number') order by 1 limit 1) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
  assert.deepEqual(
    rows
      .filter((row) => row.key === null)
      .map((row) => row.name)
      .toSorted(),
    globalTables,
  )
  assert.deepEqual(
    rows
      .filter((row) => row.key === "organization_number")
      .map((row) => row.name)
      .toSorted(),
    numbered.filter((name) => name !== "person_positions"),
  )
})

test("keys, foreign keys and uniqueness of tenants' tables carry the organization", async () => {
  const keys = (await keysOf()).filter(({ table }) => !globalTables.includes(table))
  const isScoped = ({ columns }: Key) =>
    columns.some((name) => name === "organization_id" || name === "organization_number")
  const loose = keys.filter(
    (key) => !isScoped(key) && !(key.kind === "f" && globalTables.includes(key.target ?? "")),
  )
  assert.deepEqual(
    loose.map(({ name, columns }) => `${name} (${columns.join(", ")})`).toSorted(),
    Object.keys(crossing).toSorted(),
  )
  const primary = keys.filter(({ kind }) => kind === "p")
  assert.deepEqual(
    primary
      .filter(({ columns }) => !["organization_id", "organization_number"].includes(columns[0] ?? ""))
      .map(({ table }) => table),
    [],
    "the organization comes first in every primary key",
  )
})

test("no query joins tenants' tables on anything but the organization", async () => {
  const { sql } = await testApp()
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
  const tenants = rows.map((row) => row.name).filter((name) => !globalTables.includes(name))
  const join = new RegExp(
    `\\bjoin\\s+(${tenants.join("|")})\\b(?:\\s+(?:as\\s+)?((?!on\\b)\\w+))?\\s+on\\s+([\\s\\S]*?)(?=\\bjoin\\b|\\bleft\\b|\\bcross\\b|\\bwhere\\b|\\bgroup\\b|\\border\\b|\\blimit\\b|\\breturning\\b|\`|$)`,
    "gi",
  )
  const loose: string[] = []
  for await (const path of glob("server/{core,features}/**/*.ts")) {
    if (path.endsWith(".test.ts")) continue
    const source = await readFile(path, "utf8")
    // Accounts are a reference table, of which every node has a copy.
    for (const [, template = ""] of source.matchAll(/`([^`]*\bjoin\b[^`]*)`/gi))
      for (const [, table = "", alias = table, condition = ""] of template.matchAll(join))
        if (
          !/organization_?(id|number)|\$\{|accounts\.id/i.test(condition) &&
          !template.includes(`${alias}.organization_`)
        )
          loose.push(`${path}: join ${table} on ${condition.trim().slice(0, 80)}`)
  }
  assert.deepEqual(loose, [])
})

/** Triggers of tenants' tables beside those of the audit trail and of undo. The list may only get shorter. */
const triggers = [
  "automations.automations_delete_entries",
  "customer_feedback.customer_feedback_rollups_delete",
  "customer_feedback.customer_feedback_rollups_insert",
  "data_records.data_records_delete",
  "data_records.data_records_insert",
  "data_records.data_records_link_files_insert",
  "data_records.data_records_link_files_update",
  "data_records.data_records_update",
  "data_types.data_types_delete",
  "flows.flows_rename",
  "hubs.hubs_delete_records",
  "location_sessions.location_sessions_rollups_before",
  "location_sessions.location_sessions_rollups_delete",
  "location_sessions.location_sessions_rollups_insert",
  "location_sessions.location_sessions_rollups_update",
  "location_sessions.location_sessions_uncounted",
  "tasks.tasks_count_delete",
  "tasks.tasks_count_update",
  "tasks.tasks_inserted",
  "tasks.tasks_link_files_update",
  "tasks.tasks_rollups_delete",
  "tasks.tasks_rollups_update",
  "user_hubs.user_hubs_touch",
  "user_teams.user_teams_touch",
  "users.users_rollups_deleted",
  "users.users_rollups_renamed",
]

test("tenants' tables get no further triggers, which Citus refuses on distributed tables", async () => {
  const { sql } = await testApp()
  const catalog = await readCatalog(sql)
  const found = catalog
    .filter(({ name }) => !globalTables.includes(name))
    .flatMap((table) => table.triggers.map((trigger) => `${table.name}.${trigger}`))
  assert.deepEqual(
    found.filter(
      (name) => !/\.(audit_(insert|update|delete|made|set|disconnected)|keep_(changed|deleted))$/.test(name),
    ),
    triggers,
  )
})

test("positions and what jobs write can be distributed, everything else stays on the coordinator", async () => {
  const { sql } = await testApp()
  const catalog = await readCatalog(sql)
  const plan = planDistribution(catalog, distributedTables)
  const moved = plan.filter(({ column }) => column !== undefined)
  assert.deepEqual(
    moved,
    Object.entries(distributedTables).map(([name, column]) => ({ name, column, obstacles: [] })),
  )
  assert.deepEqual(
    catalog.filter(({ name, foreignKeys }) => name in distributedTables && foreignKeys.length > 0),
    [],
    "an organization on a worker can be deleted with the coordinator's rows alone to look at",
  )
  assert.deepEqual(keysInto(catalog, distributedTables), [])
  assert.match(showPlan(plan), /^workers +location_points +by organization_number$/m)
  assert.match(showPlan(plan), /^coordinator +tasks +trigger audit_delete and \d+ more$/m)
})

test("no statement asks a distributed table once for each row of another, or for rows by their place", async () => {
  const tables = Object.keys(distributedTables).join("|")
  const asksForEach = new RegExp(`\\bexists \\(\\s*select (1 )?from (${tables})\\b`)
  const names = new RegExp(`\\b(from|into|join|update) (${tables})\\b`)
  const found: string[] = []
  for await (const path of glob("server/{core,features}/**/*.ts")) {
    if (path.endsWith(".test.ts")) continue
    const source = await readFile(path, "utf8")
    for (const [, template = ""] of source.matchAll(/`([^`]*)`/g))
      if (asksForEach.test(template) || (names.test(template) && template.includes("ctid")))
        found.push(`${path}: ${template.trim().slice(0, 80)}`)
  }
  assert.deepEqual(found, [])
})

test("the plan names what Citus refuses", async () => {
  const parts: CatalogTable = {
    name: "parts",
    columns: ["organization_id", "id"],
    triggers: ["parts_count"],
    uniques: [
      { name: "parts_pkey", columns: ["organization_id", "id"] },
      { name: "parts_id", columns: ["id"] },
    ],
    foreignKeys: [
      key("parts_whole", ["organization_id", "whole"], "wholes"),
      key("parts_loose", ["whole"], "wholes"),
      key("parts_owner", ["organization_id"], "organizations"),
    ],
  }
  const [planned] = planDistribution([parts], { parts: "organization_id", wholes: "organization_id" })
  assert.deepEqual(planned?.obstacles, [
    "trigger parts_count",
    "unique index parts_id without organization_id",
    "foreign key parts_loose without organization_id",
    "foreign key parts_owner to organizations on the coordinator",
  ])
  assert.deepEqual(keysInto([parts], { wholes: "organization_id" }), [
    "parts: foreign key parts_whole to wholes on the workers",
    "parts: foreign key parts_loose to wholes on the workers",
  ])
})

function key(name: string, columns: string[], target: string) {
  const targetColumns = columns.map((column) => (column === "organization_id" ? column : "id"))
  return { name, columns, target, targetColumns }
}

test("npm run distribute refuses a PostgreSQL without Citus", async () => {
  const { sql } = await testApp()
  await assert.rejects(
    distribute(sql, () => undefined),
    /no Citus extension/,
  )
})
