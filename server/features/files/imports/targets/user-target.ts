import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { isSameValue } from "#shared/values.ts"
import { listRoles, type RoleRow } from "../../../people/roles/index.ts"
import {
  createUser,
  deleteUser,
  findUser,
  findVisibleUser,
  type UserRow,
  updateUser,
} from "../../../people/users/index.ts"
import { releaseAssignee } from "../../../work/tasks/index.ts"
import type { ImportMode } from "../settings.ts"
import {
  type ImportField,
  type Line,
  type Outcome,
  refused,
  samplePhoneNumber,
  type Target,
  type WriteContext,
} from "./target.ts"

export interface UserTargetSettings {
  hubId: string
  mode: ImportMode
}

/** Rows become people of one hub, invited by e-mail; a person is found again by the address. */
export async function userTarget(sql: Sql, caller: Caller, settings: UserTargetSettings): Promise<Target> {
  const roles = await listRoles(sql, caller)
  const writing = { ...settings, roles, usual: roles.find(({ name }) => name === "field user") }
  return {
    fields: fieldsOf(roles),
    keyId: "email",
    name: null,
    uniqueKey: (line) => emailOf(line) || undefined,
    write: (tx, lines, context) => writePeople(tx, lines, context, writing),
    removeCreated: (tx, ids, _writtenTime, context) => removeInvited(tx, ids, context),
    restoreChanged: (tx, changed, _writtenTime, context) => restore(tx, changed, context),
  }
}

function fieldsOf(roles: readonly RoleRow[]): readonly ImportField[] {
  return [
    {
      id: "email",
      title: "E-mail",
      kind: "email",
      required: true,
      help: "People sign in with it; finds the person again",
      sample: "ana@company.example",
      aliases: ["email address", "mail"],
    },
    { id: "name", title: "Name", kind: "text", aliases: ["full name", "driver", "worker"] },
    { id: "phoneNumber", title: "Phone", kind: "text", sample: samplePhoneNumber, aliases: ["phone number"] },
    {
      id: "role",
      title: "Role",
      kind: "option",
      options: roles.map(({ name }) => name),
      help: "Empty: field user",
    },
  ]
}

interface Writing extends UserTargetSettings {
  roles: readonly RoleRow[]
  /** Of people for whom the file names none. */
  usual: RoleRow | undefined
}

interface Person {
  name?: string
  phoneNumber?: string
  roleId?: RoleRow["id"]
}

const emailOf = (line: Line) => cellToText(line.cell("email")).trim().toLowerCase()

async function writePeople(tx: Tx, lines: readonly Line[], context: WriteContext, writing: Writing) {
  const outcomes: Outcome[] = []
  for (const line of lines) {
    try {
      // A person who is refused after the first statement leaves nothing behind.
      outcomes.push(await inTransaction(tx, (step) => writePerson(step, line, context, writing)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const [id = ""] = Object.keys(error.fields ?? {})
      const title = fieldsOf([]).find((field) => field.id === id)?.title ?? ""
      outcomes.push(refused(title, emailOf(line), error.fields?.[id]?.[0] ?? error.message))
    }
  }
  return outcomes
}

async function writePerson(tx: Tx, line: Line, context: WriteContext, writing: Writing): Promise<Outcome> {
  const { caller } = context
  const email = emailOf(line)
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    return refused("E-mail", email, email === "" ? "is required" : "must be an e-mail address")
  const roleText = roleName(cellToText(line.cell("role")))
  const role = writing.roles.find(({ id, name }) => name.toLowerCase() === roleText || id === roleText)
  if (roleText !== "" && !role) return refused("Role", roleText, "is not the name of a role")
  const text = (id: string) => (isBlankCell(line.cell(id)) ? undefined : cellToText(line.cell(id)).trim())
  const [name, phoneNumber] = [text("name")?.slice(0, 200), text("phoneNumber")]
  const person: Person = {
    ...(name && { name }),
    ...(phoneNumber && { phoneNumber }),
    ...(role && { roleId: role.id }),
  }
  const known = await findVisibleUser(tx, caller, { email })
  if (known && writing.mode === "create") return refused("E-mail", email, "is a member already")
  if (known) return change(tx, known, person, context)
  if (writing.mode === "update") return refused("E-mail", email, "is not the address of a member")
  const roleId = person.roleId ?? writing.usual?.id
  if (!roleId) return refused("Role", "", "is required")
  const options = { ...person, email, roleId, hubId: [writing.hubId] }
  const { user } = await createUser(tx, caller, options, {
    ...contextOf(context),
    publicUrl: context.publicUrl,
  })
  return { kind: "created", id: user.id }
}

/** A role by its name, or as a server with this API has it: `{"_id":"…","name":"planner"}`. */
function roleName(text: string): string {
  if (!text.trim().startsWith("{")) return text.trim().toLowerCase()
  try {
    const { name, _id } = JSON.parse(text) as { name?: unknown; _id?: unknown }
    return String(name ?? _id ?? "").toLowerCase()
  } catch {
    return text
  }
}

async function change(tx: Tx, known: UserRow, person: Person, context: WriteContext): Promise<Outcome> {
  const before = valuesOf(known, person)
  if (Object.entries(person).every(([key, value]) => isSameValue(value, before[key])))
    return { kind: "unchanged", id: known.id }
  await updateUser(tx, context.caller, known.id, person, contextOf(context))
  return { kind: "changed", id: known.id, before: { before, after: person } }
}

function valuesOf(user: UserRow, keys: object): Record<string, unknown> {
  const stored = user as unknown as Record<string, unknown>
  return Object.fromEntries(Object.keys(keys).map((key) => [key, stored[key]]))
}

/** An import changes neither e-mails nor who is disabled. */
const contextOf = ({ live }: WriteContext) => ({
  address: "",
  live,
  hooks: { onEmailChange: [], onAccessEnd: [] },
})

/** Takes back people who have not accepted, and whom nobody changed since: both times are of one transaction then. */
async function removeInvited(tx: Tx, ids: readonly string[], context: WriteContext): Promise<string[]> {
  const { caller, now, live } = context
  const removed: string[] = []
  for (const id of ids) {
    const user = await findUser(tx, caller, id)
    if (user?.status !== "pending" || !user.updatedTime.equals(user.createdTime)) continue
    const onLeave = [
      (step: Tx, by: Caller, { email }: { email: string }) => releaseAssignee(step, by, email, { now, live }),
    ]
    const isGone = await attempt(tx, (step) => deleteUser(step, caller, id, { address: "", live, onLeave }))
    if (isGone) removed.push(id)
  }
  return removed
}

/** Puts back what the import changed and nobody changed since. */
async function restore(
  tx: Tx,
  changed: readonly { id: string; before: unknown }[],
  context: WriteContext,
): Promise<string[]> {
  const restored: string[] = []
  for (const { id, before: kept } of changed) {
    const { before, after } = kept as { before: Person; after: Person }
    const user = await findUser(tx, context.caller, id)
    if (!user || !isSameValue(valuesOf(user, after), after)) continue
    if (await attempt(tx, (step) => updateUser(step, context.caller, id, before, contextOf(context))))
      restored.push(id)
  }
  return restored
}

/** False: a rule refuses it, such as a role that the caller may no longer give. The result of the undo names the person. */
async function attempt(tx: Tx, work: (step: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await inTransaction(tx, work)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
