import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { findAccount, insertAccount } from "../accounts/index.ts"
import { lockRole, type RoleRow } from "../roles/index.ts"
import { announceUser } from "./events.ts"
import { sendInvitation } from "./invitations/invitation.ts"
import { memberColumns } from "./queries.ts"
import { checkGivenRole } from "./rules.ts"
import { toWireUser, type UserRow } from "./wire.ts"

const Ids = Type.Array(Type.String())
const Content = Type.Object({
  user: Type.Object({
    id: Type.String(),
    account_id: Type.String(),
    email: Type.String(),
    role_id: Type.String(),
    status: Type.String(),
  }),
  hubs: Ids,
  teams: Ids,
})

type RoleColumns = Pick<RoleRow, "isDefault" | "permissionNames"> & { roleName: string }

const toPlace = ({ user, hubs, teams }: Readonly<Record<string, unknown>>) => ({
  content: user,
  hub_ids: hubs ?? [],
  team_ids: teams ?? [],
})

/** A caller in teams saw their team mates, people without a team, and owners. */
function sawPerson(sql: Sql, caller: Caller): Fragment {
  if (caller.isOwner || caller.teamIds.length === 0) return sql`true`
  return sql`(trash.content -> 'teams' = '[]' or trash.content -> 'teams' ?| ${[...caller.teamIds]}
    or exists (select from roles where roles.organization_id = trash.organization_id
      and roles.id = trash.content -> 'user' ->> 'role_id' and roles.is_default and roles.name = 'owner'))`
}

/**
 * Restores a deleted member under the same id, which reconnects finished work, histories and positions, with the
 * role and the hubs and teams that still exist. If the account still exists in another organization, it becomes a
 * member again. If it was deleted, it is created without a password and invited again. Open tasks keep their
 * current assignees.
 */
export const userRestorer: Restorer = {
  type: "User",
  dataType: "users",
  viewPermission: "view/user",
  permission: "invite",
  isVisible: sawPerson,
  async show(sql, _caller, contents) {
    const rows = await sql<(UserRow & RoleColumns)[]>`
      select ${memberColumns(sql)}, accounts.password_changed_time,
        null as locked_until, place.hub_ids, place.team_ids,
        coalesce(roles.name, '') as role_name, coalesce(roles.is_default, false) as is_default,
        coalesce(roles.permission_names, '{}') as permission_names
      from json_to_recordset(${JSON.stringify(contents.map(toPlace))}::text::json)
        as place (content jsonb, hub_ids text[], team_ids text[])
      cross join lateral jsonb_populate_record(null::users, place.content) as users
      left join accounts on accounts.id = users.account_id
      left join roles on roles.organization_id = users.organization_id and roles.id = users.role_id`
    return rows.map(({ roleName, isDefault, permissionNames, ...row }) =>
      toWireUser(row, { name: roleName, isDefault, permissionNames }),
    )
  },
  async restore(tx, caller, { content }, { publicUrl, live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const role = await lockRole(tx, caller, content.user.role_id, "use")
    if (!role) throw trashErrors.parentGone({ message: "The role of this person no longer exists" })
    checkGivenRole(caller, role)
    const account = await findOrMakeAccount(tx, content)
    const { email } = account
    const isMember = await tx`
      select 1 from users where organization_id = ${caller.organizationId} and email = ${email}`
    if (isMember.length > 0) throw trashErrors.taken({ message: `${email} is already a member` })
    const { status } = content.user
    const kept = ["active", "disabled"].includes(status) && account.isSame
    // Who was switched off is not invited behind the administrator's back.
    const isInvited = !kept && status !== "disabled"
    const row = { ...content.user, account_id: account.id, email, status: kept ? status : "reject" }
    await restoreRows(tx, caller, "users", [row])
    await restorePlaces(tx, caller, content)
    const { organizationId } = caller
    await announceUser(tx, live, "user.created", { organizationId, id: row.id, email })
    if (kept) return {}
    if (!isInvited) return { note: `${email} no longer has an account and was disabled. Send an invitation` }
    await sendInvitation(tx, caller, { id: row.id, email }, { publicUrl })
    return { isInvited, note: `${email} has no password and is invited again by mail` }
  },
}

/** `isSame`: it is the account that the membership had, with the password that its person knows. */
async function findOrMakeAccount(tx: Tx, { user }: Static<typeof Content>) {
  const known = await tx<
    { id: string }[]
  >`select id from accounts where id = ${user.account_id} for key share`
  const account = known[0] && (await findAccount(tx, known[0]))
  if (account) return { id: account.id, email: account.email, isSame: true }
  const { id, email } = await insertAccount(tx, { email: user.email })
  return { id, email, isSame: false }
}

async function restorePlaces(
  tx: Tx,
  caller: Caller,
  { user, hubs, teams }: Static<typeof Content>,
): Promise<void> {
  await tx`
    insert into user_hubs (organization_id, user_id, hub_id)
    select organization_id, ${user.id}, id from hubs
    where organization_id = ${caller.organizationId} and id = any (${hubs})`
  await tx`
    insert into user_teams (organization_id, user_id, team_id)
    select organization_id, ${user.id}, id from teams
    where organization_id = ${caller.organizationId} and id = any (${teams})`
}
