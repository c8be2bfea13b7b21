import type { Sql } from "#core/database/database.ts"
import { type Id, isId } from "#core/ids.ts"
import { CommandRefusal } from "./command.ts"

export interface NamedOrganization {
  id: Id<"organization">
  number: number
  name: string
}

/** The organization with this id, or the only one with this name. Throws a CommandRefusal that lists what there is. */
export async function findByIdOrName(sql: Sql, wanted: string): Promise<NamedOrganization> {
  const found = await sql<NamedOrganization[]>`
    select id, number, name from organizations where ${isId(wanted) ? sql`id = ${wanted}` : sql`name = ${wanted}`}`
  const [only] = found
  if (only && found.length === 1) return only
  const known = await sql<
    NamedOrganization[]
  >`select id, number, name from organizations order by name limit 50`
  const list = known.map(({ id, name }) => `  ${id}  ${name}`).join("\n")
  throw new CommandRefusal(
    `${found.length === 0 ? "There is no organization" : "Several organizations have the name"} ${wanted}. Use an id:\n${list}`,
  )
}
