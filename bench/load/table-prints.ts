import type { Pool } from "#core/database/database.ts"
import { ownRows, type TenantTable, tenantTables } from "../../server/operate/archive/tenant-tables.ts"

export interface TablePrint {
  rows: number
  /** The sum of the hashes of all rows as text: it does not depend on their order. */
  checksum: string
}

/** Rows that are of one installation, or that a login there writes. */
const ofInstallation = new Set(["access_tokens", "token_uses"])

/**
 * Count and checksum of every table that holds rows of the organization, by name. Numbers that an import assigns again
 * stand for what they refer to: a person is compared by id. Transaction ids mean something in one database only.
 */
export async function printTables(
  sql: Pool,
  organizationId: string,
  without: ReadonlySet<string> = new Set(),
): Promise<Map<string, TablePrint>> {
  const session = await sql.reserve()
  try {
    await session.unsafe("set work_mem = '64MB'")
    const [organization] = await session<{ id: string; number: number }[]>`
      select id, number from organizations where id = ${organizationId}`
    if (!organization) throw new Error(`there is no organization ${organizationId}`)
    const prints = new Map<string, TablePrint>()
    for (const table of await tenantTables(session)) {
      if (ofInstallation.has(table.name) || without.has(table.name)) continue
      const rows = await session.unsafe<TablePrint[]>(printQuery(table, organization))
      if (rows[0]) prints.set(table.name, rows[0])
    }
    return prints
  } finally {
    await session.unsafe("reset work_mem")
    session.release()
  }
}

function printQuery(table: TenantTable, organization: { id: string; number: number }): string {
  const { name, columns, transactionColumns } = table
  const left = new Set(["organization_number", ...transactionColumns])
  if (name === "users") left.add("number")
  // How far a job has simplified somebody's track: it goes on while the copy is made.
  if (name === "person_positions") left.add("outlined_until")
  // The place of an entry among the transactions of its own database.
  if (name === "audit_log" || name === "audit_parts") left.add("xid")
  const isPerson = (column: string) =>
    column === "person_number" || (name === "location_points" && column === "created_by")
  const kept = columns.filter((column) => !left.has(column))
  const people = kept.filter(isPerson)
  const shown = kept.map((column) => (isPerson(column) ? `"${column}_of".id` : `own."${column}"`))
  const joins = people.map(
    (column) =>
      `left join users "${column}_of" on "${column}_of".organization_id = '${organization.id}' and "${column}_of".number = own."${column}"`,
  )
  return `
    select count(*)::int as rows, coalesce(sum(hashtextextended(row(${shown.join(", ")})::text, 0)::numeric), 0)::text as checksum
    from (select * from "${name}" where ${ownRows(table, organization)}) own ${joins.join(" ")}`
}

/** Tables that differ, with both counts. */
export function differences(
  one: ReadonlyMap<string, TablePrint>,
  other: ReadonlyMap<string, TablePrint>,
): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [here, there] = [one.get(name), other.get(name)]
    if (here?.rows === there?.rows && here?.checksum === there?.checksum) return []
    return [`${name}: ${here?.rows ?? 0} rows against ${there?.rows ?? 0}`]
  })
}
