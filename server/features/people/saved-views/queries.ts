import { type Caller, may } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import { viewErrors } from "./errors.ts"
import type { ViewInput } from "./schemas.ts"

export interface SavedViewRow {
  id: Id<"saved-view">
  list: string
  name: string
  content: Record<string, unknown>
  visibility: "private" | "team" | "everyone"
  teamId: string | null
  ownerId: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** What reading a list takes; those that are named after a data type are lists of records. */
const readers: Readonly<Record<string, readonly Permission[]>> = {
  tasks: ["view/task", "do/task"],
  vehicles: ["view/vehicle"],
  people: ["view/user"],
  deliveries: ["view/automation"],
  reports: ["view/dashboard"],
  dashboards: ["view/dashboard"],
  data: ["view/data", "add/task", "do/task"],
}

/**
 * One's own views, and of lists that the caller may read those of their teams and those for everyone: filters name people,
 * customers and the like. Every read starts from this condition.
 */
function visibleViews(sql: Sql, caller: Caller): Fragment {
  const lists = Object.keys(readers).filter((list) => readers[list]?.some((name) => may(caller, name)))
  return sql`saved_views.organization_id = ${caller.organizationId} and (
    saved_views.owner_id = ${caller.userId}
    or (split_part(saved_views.list, '-', 1) = any (${lists}) and (
      saved_views.visibility = 'everyone'
      or (saved_views.visibility = 'team' and (${caller.isOwner} or saved_views.team_id = any (${[...caller.teamIds]}))))))`
}

/** Whether the caller sees the view with this id: a condition. */
export function isVisibleView(sql: Sql, caller: Caller, id: Fragment): Fragment {
  return sql`exists (select from saved_views where ${visibleViews(sql, caller)} and saved_views.id = ${id})`
}

function viewColumns(sql: Sql): Fragment {
  return sql`id, list, name, content, visibility, team_id, owner_id, created_time, updated_time`
}

export function listViews(sql: Sql, caller: Caller, list: string | undefined): Promise<SavedViewRow[]> {
  return sql<SavedViewRow[]>`
    select ${viewColumns(sql)} from saved_views where ${visibleViews(sql, caller)}
      ${list === undefined ? sql`` : sql`and list = ${list}`}
    order by lower(name), id limit 1000`
}

export async function findView(sql: Sql, caller: Caller, viewId: string): Promise<SavedViewRow> {
  const rows = await sql<SavedViewRow[]>`
    select ${viewColumns(sql)} from saved_views where ${visibleViews(sql, caller)} and id = ${viewId.toLowerCase()}`
  const [found] = rows
  if (!found) throw viewErrors.notFound()
  return found
}

const maxViews = 200
const maxCharacters = 16_000

export async function insertView(tx: Tx, caller: Caller, input: ViewInput): Promise<SavedViewRow> {
  const { list, name, content, visibility, teamId } = readView(caller, input)
  const [counted] = await tx<{ count: number }[]>`
    select count(*) as count from saved_views
    where organization_id = ${caller.organizationId} and owner_id = ${caller.userId}`
  if ((counted?.count ?? 0) >= maxViews) throw viewErrors.tooMany()
  const rows = await tx<SavedViewRow[]>`
    insert into saved_views (organization_id, id, list, name, content, visibility, team_id, owner_id)
    values (${caller.organizationId}, ${newId<"saved-view">()}, ${list}, ${name}, ${json(tx, content)}, ${visibility},
      ${teamId}, ${caller.userId})
    returning ${viewColumns(tx)}`
  return rows[0] as SavedViewRow
}

export async function updateView(
  tx: Tx,
  caller: Caller,
  viewId: string,
  input: ViewInput,
): Promise<SavedViewRow> {
  await lockOwnView(tx, caller, viewId)
  const { list, name, content, visibility, teamId } = readView(caller, input)
  const rows = await tx<SavedViewRow[]>`
    update saved_views set list = ${list}, name = ${name}, content = ${json(tx, content)}, visibility = ${visibility},
      team_id = ${teamId}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${viewId.toLowerCase()}
    returning ${viewColumns(tx)}`
  return rows[0] as SavedViewRow
}

export async function deleteView(tx: Tx, caller: Caller, viewId: string): Promise<SavedViewRow> {
  const view = await lockOwnView(tx, caller, viewId)
  await tx`delete from saved_views where organization_id = ${caller.organizationId} and id = ${view.id}`
  return view
}

/** Shared views are changed by the person who saved them and by administrators; others see them. */
async function lockOwnView(tx: Tx, caller: Caller, viewId: string): Promise<SavedViewRow> {
  const rows = await tx<SavedViewRow[]>`
    select ${viewColumns(tx)} from saved_views where ${visibleViews(tx, caller)} and id = ${viewId.toLowerCase()}
    for update`
  const [view] = rows
  if (!view) throw viewErrors.notFound()
  if (view.ownerId !== caller.userId && !may(caller, "edit/organization")) throw viewErrors.forbidden()
  return view
}

function readView(caller: Caller, { list, name, content, visibility, teamId }: ViewInput) {
  if (JSON.stringify(content).length > maxCharacters) throw viewErrors.tooLarge()
  if (visibility !== "team") return { list, name: name.trim(), content, visibility, teamId: null }
  const team = caller.teamIds.find((id) => id === teamId?.toLowerCase())
  if (!team) throw viewErrors.badTeam({ fields: { teamId: ["must be one of your teams"] } })
  return { list, name: name.trim(), content, visibility, teamId: team }
}
