import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { isVisible, seesOthers, visiblePeople } from "../../location/positions/index.ts"
import { findPeopleByEmail, type NumberedPerson } from "../../people/users/index.ts"
import type { ReportQuery } from "./report-query.ts"

/** The people whose sessions the caller may see, of these hubs. */
export async function peopleOf(
  sql: Sql,
  caller: Caller,
  hubIds: readonly string[] | undefined,
): Promise<NumberedPerson[]> {
  const [visible, people] = [
    await visiblePeople(sql, caller),
    await findPeopleByEmail(sql, caller.organizationId),
  ]
  return people.filter(
    (person) =>
      isVisible(visible, person.number) && (!hubIds || person.hubIds.some((hubId) => hubIds.includes(hubId))),
  )
}

/** Then the sessions of people who were deleted count too. */
export function isEverybody(
  caller: Caller,
  { hubIds, people }: Pick<ReportQuery, "hubIds" | "people">,
): boolean {
  return caller.hubs === "all" && !hubIds && !people && seesOthers(caller)
}

/** Sessions have no hub: they belong to that of their person, or to none when a person has several. */
export function hubOfPerson({ hubIds }: NumberedPerson): string {
  return hubIds.length === 1 ? (hubIds[0] ?? "") : ""
}
