import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { listUsers } from "../../people/users/index.ts"
import { type ConversationOf, type FindRoute, findConversation, openConversation } from "./conversation.ts"

type Mentionable = Pick<Awaited<ReturnType<typeof listUsers>>[number], "id" | "name">

const maxOffered = 20
/** Sight of something is checked person by person. */
const maxChecked = 40

/** Active people whom a message can name, those of its hubs first: what it is about must be in their sight too. */
export async function listMentionable(
  sql: Sql,
  caller: Caller,
  { q, ...key }: ConversationOf & { q?: string | undefined },
  findRoute: FindRoute,
): Promise<Mentionable[]> {
  const { hubIds } = await openConversation(sql, caller, key, findRoute)
  const filter = { status: "active", ...(q ? { q } : {}) }
  const near =
    hubIds.length > 0 ? await listUsers(sql, caller, { ...filter, hubId: hubIds.join() }, maxChecked) : []
  const candidates = new Map(
    [...near, ...(await listUsers(sql, caller, filter, maxChecked))].map(({ id, name }) => [id, name]),
  )
  const offered: Mentionable[] = []
  for (const [id, name] of candidates) {
    if (offered.length === maxOffered) break
    if ((id as string) === caller.userId) continue
    const person = await findCallerOfUser(sql, caller.organizationId, id)
    if (person && (await findConversation(sql, person, key, findRoute))) offered.push({ id, name })
  }
  return offered
}
