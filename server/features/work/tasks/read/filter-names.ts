import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { TaskFilter } from "./list-query.ts"

/** A filter whose names were looked up, so that it meets columns that indexes have. */
export interface ResolvedFilter extends TaskFilter {
  doneByEmails?: readonly string[]
  flowIdsOfNames?: readonly string[]
}

/** Looks up the names in a filter: a person's name becomes e-mails, a flow's name ids where that says the same. */
export async function resolveFilter(sql: Sql, caller: Caller, filter: TaskFilter): Promise<ResolvedFilter> {
  const [doneByEmails, flowIdsOfNames] = await Promise.all([
    filter.doneBy === undefined ? undefined : emailsNamed(sql, caller, filter.doneBy),
    filter.flow === undefined ? undefined : flowIdsNamed(sql, caller, commaList(filter.flow)),
  ])
  return {
    ...filter,
    ...(doneByEmails ? { doneByEmails } : {}),
    ...(flowIdsOfNames ? { flowIdsOfNames } : {}),
  }
}

async function emailsNamed(sql: Sql, caller: Caller, name: string): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select email from users where organization_id = ${caller.organizationId} and name = ${name}`
  return [...new Set([name.toLowerCase(), ...rows.map((row) => row.email)])]
}

/**
 * The ids of the flows that were ever used under these names, unless one of them was also used under another
 * name: tasks keep the name of their day, then only the name itself distinguishes them.
 */
async function flowIdsNamed(
  sql: Sql,
  caller: Caller,
  names: readonly string[],
): Promise<string[] | undefined> {
  const rows = await sql<{ flowId: string; isAmbiguous: boolean }[]>`
    select flow_id, bool_or(flow <> all (${names as string[]})) as is_ambiguous from (
      select flow_id, flow from task_counts where organization_id = ${caller.organizationId}
      union all
      select flow_id, flow from task_count_changes where organization_id = ${caller.organizationId}
    ) used
    group by flow_id having bool_or(flow = any (${names as string[]}))`
  return rows.some((row) => row.isAmbiguous) ? undefined : rows.map((row) => row.flowId)
}
