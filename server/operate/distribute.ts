import { parseArgs } from "node:util"
import { distributedTables, hasCitus } from "#core/database/citus.ts"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { readCatalog } from "./distribution/catalog.ts"
import { keysInto, planDistribution, showPlan } from "./distribution/plan.ts"
import { openDatabase } from "./open-database.ts"

/**
 * Moves the positions of a migrated installation to the workers of Citus. Every table moves in one transaction, which
 * also compares the rows of each organization before and after: interrupted, it has moved wholly or not at all, and the
 * next run goes on from there.
 */
export async function distribute(sql: Pool, report: (line: string) => void): Promise<void> {
  const catalog = await readCatalog(sql)
  const plan = planDistribution(catalog, distributedTables).filter(({ column }) => column !== undefined)
  const obstacles = [
    ...plan.flatMap(({ name, obstacles }) => obstacles.map((obstacle) => `${name}: ${obstacle}`)),
    ...keysInto(catalog, distributedTables),
  ]
  if (obstacles.length > 0) throw new CommandRefusal(`Citus would refuse:\n${obstacles.join("\n")}`)
  await checkNodes(sql)
  for (const { name, column = "" } of plan) {
    if (await isDistributed(sql, name)) report(`${name}: is on the workers already`)
    else
      report(
        `${name}: moved ${await moveTable(sql, name, column)} rows, counts of every organization are equal`,
      )
    // The copy that stays behind on the coordinator; nothing is left to do when it is gone.
    await sql`select truncate_local_data_after_distributing_table(${name}::text::regclass)`
  }
}

/** Workers are there, and every machine can take part in a transaction of several. */
async function checkNodes(sql: Pool): Promise<void> {
  if (!(await hasCitus(sql)))
    throw new CommandRefusal(
      "This database has no Citus extension: there is nothing to distribute to. See docs/scaling.md",
    )
  const nodes = await sql<{ name: string; port: number; isUsed: boolean }[]>`
    select nodename as name, nodeport as port, shouldhaveshards as is_used from pg_dist_node where isactive and noderole = 'primary'`
  if (!nodes.some(({ isUsed }) => isUsed))
    throw new CommandRefusal(
      "Citus has no worker: add one with `select citus_add_node('worker-1', 5432)`. See docs/scaling.md",
    )
  const settings = await sql<{ result: string; node: string }[]>`
    select result, nodename || ':' || nodeport as node
    from run_command_on_all_nodes('show max_prepared_transactions') join pg_dist_node using (nodeid)`
  const without = settings.filter(({ result }) => !(Number(result) > 0)).map(({ node }) => node)
  if (without.length > 0)
    throw new CommandRefusal(`Set max_prepared_transactions above 0 on ${without.join(", ")} and restart it`)
}

async function isDistributed(sql: Pool, name: string): Promise<boolean> {
  const rows = await sql`select from pg_dist_partition where logicalrelid = ${name}::text::regclass`
  return rows.length > 0
}

/** Writers of the table wait meanwhile. Returns how many rows have moved. */
function moveTable(sql: Pool, name: string, column: string): Promise<number> {
  return inTransaction(sql, async (tx) => {
    await tx`lock table ${tx(name)} in share row exclusive mode`
    const before = await countRows(tx, name, column)
    await tx`select create_distributed_table(${name}::text::regclass, ${column})`
    const after = await countRows(tx, name, column)
    const different = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
    if (different.length > 0)
      throw new CommandRefusal(
        `${name}: other counts on the workers for ${different.slice(0, 20).join(", ")}. Nothing was changed`,
      )
    return [...after.values()].reduce((sum, count) => sum + count, 0)
  })
}

async function countRows(tx: Tx, name: string, column: string): Promise<Map<string, number>> {
  const rows = await tx<{ key: string; count: number }[]>`
    select ${tx(column)}::text as key, count(*) as count from ${tx(name)} group by 1`
  return new Map(rows.map(({ key, count }) => [key, count]))
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({ args, options: { "dry-run": { type: "boolean" } } })
    const { sql, close } = await openDatabase(config, log)
    try {
      if (values["dry-run"]) say(showPlan(planDistribution(await readCatalog(sql), distributedTables)))
      else await distribute(sql, say)
    } finally {
      await close()
    }
  })
