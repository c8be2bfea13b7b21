import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { Id } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import {
  createUser,
  deleteUser,
  findUser,
  isPhone,
  type PersonHooks,
  updateUser,
} from "../../people/users/index.ts"
import { memberOf, valuesAt } from "./filter.ts"
import { readName, sentNames } from "./names.ts"
import { notFound, scimRefusal } from "./refusals.ts"
import { deleteSent, schemas, type World, writeSent } from "./resources.ts"
import type { Directory } from "./tokens.ts"

/** What writes need besides the directory. */
export interface Writing extends Directory {
  world: World
  address: string
  publicUrl: string
  live: LiveEvents
  hooks: PersonHooks
}

type Members = Record<string, unknown>

const text = (body: Members, path: string): string | undefined => {
  const [value] = valuesAt(body, path)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

/** The primary element of a list, or the first. */
function primary(body: Members, path: string): string | undefined {
  const values = valuesAt(body, path)
  const found = values.find((each) => isTrue(memberOf(each, "primary"))) ?? values[0]
  const value = memberOf(found, "value") ?? found
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The primary phone number without its scheme, brackets and extension. One that nobody could call is left out. */
function readPhone(body: Members): string | undefined {
  const number = primary(body, "phoneNumbers")
    ?.slice(0, 100)
    .replace(/^tel:/i, "")
    .split(/[;,#xe]/i, 1)[0]
    ?.replaceAll(/[()]/g, "")
    .trim()
  return number !== undefined && isPhone(number) ? number : undefined
}

const isTrue = (value: unknown) => value === true || String(value).toLowerCase() === "true"

function readActive(body: Members): boolean | undefined {
  const [value] = valuesAt(body, "active")
  if (value === undefined || value === null) return undefined
  if (typeof value === "boolean") return value
  // Entra ID sends "True" and "False".
  if (/^(true|false)$/i.test(String(value))) return isTrue(value)
  throw scimRefusal(400, "active must be true or false", "invalidValue")
}

function readRole(writing: Writing, body: Members): Id<"role"> | undefined {
  const wanted = primary(body, "roles")
  if (wanted === undefined) return undefined
  const names = [wanted, ...namesInJson(wanted)].map((name) => name.toLowerCase())
  const { roles } = writing.world
  const role =
    roles.find(({ id }) => names.includes(id)) ?? roles.find(({ name }) => names.includes(name.toLowerCase()))
  if (!role) throw scimRefusal(400, `There is no role ${wanted}`, "invalidValue")
  return role.id
}

/** Entra ID writes an app role as JSON in a text: `{"id":"…","value":"…","displayName":"…"}`. */
function namesInJson(text: string): string[] {
  if (!text.startsWith("{")) return []
  try {
    const { value, displayName } = JSON.parse(text) as Members
    return [value, displayName].filter((name) => typeof name === "string")
  } catch {
    return []
  }
}

/** Whether they exist is checked where they are written. */
function readHubs(body: Members): Id<"hub">[] | undefined {
  if (valuesAt(body, schemas.userHubs).length === 0) return undefined
  const hubs = valuesAt(body, `${schemas.userHubs}:hubs`)
  return hubs.map(
    (hub) => String(typeof hub === "object" && hub !== null ? (hub as Members).value : hub) as Id<"hub">,
  )
}

/** Owners are made by people, never by a directory. */
export function refuseOwner({ world }: Writing, roleId: string | undefined): void {
  const role = world.roles.find(({ id }) => id === roleId)
  if (role && isOwnerRole(role)) throw scimRefusal(403, "A directory cannot make owners", "mutability")
}

const addressPattern = /^[^\s@]+@[^\s@]+$/

export async function writeNewUser(tx: Tx, writing: Writing, body: Members): Promise<string> {
  const { caller, token } = writing
  const email = text(body, "userName")
  if (!email) throw scimRefusal(400, "userName is required", "invalidValue")
  if (!addressPattern.test(email) || email.length > 254)
    throw scimRefusal(
      400,
      "userName must be an e-mail address: map it to one in the directory",
      "invalidValue",
    )
  const roleId = readRole(writing, body) ?? token.roleId
  refuseOwner(writing, roleId)
  const name = readName(body) || undefined
  const { user } = await createUser(
    tx,
    caller,
    {
      email,
      name,
      phoneNumber: readPhone(body) ?? null,
      roleId,
      hubId: readHubs(body) ?? [token.hubId],
      isProvisioned: true,
    },
    writing,
  )
  await writeSent(tx, caller, user.id, {
    externalId: text(body, "externalId"),
    names: sentNames(body, user.name),
  })
  if (readActive(body) === false) await deactivate(tx, writing, user.id)
  return user.id
}

/** Writes what differs between a resource as it was and as it is wanted. */
export async function writeUser(
  tx: Tx,
  writing: Writing,
  before: Members & { id: string },
  wanted: Members,
): Promise<void> {
  const { caller } = writing
  const active = readActive(wanted)
  const roleId = readRole(writing, wanted)
  if (roleId !== readRole(writing, before)) refuseOwner(writing, roleId)
  const email = text(wanted, "userName")
  const hubIds = readHubs(wanted)
  const hadHubs = readHubs(before) ?? []
  const name = readName(wanted, before)
  const phone = readPhone(wanted)
  const change = {
    ...(name !== undefined && { name }),
    ...(email !== undefined && email.toLowerCase() !== text(before, "userName") && { email }),
    ...(phone !== primary(before, "phoneNumbers") && { phoneNumber: phone ?? null }),
    ...(roleId !== undefined && roleId !== readRole(writing, before) && { roleId }),
    ...(hubIds && new Set(hubIds).symmetricDifference(new Set(hadHubs)).size > 0 && { hubId: hubIds }),
    ...(active === true && before.active === false && { status: "active" }),
  }
  if (Object.keys(change).length > 0) await updateUser(tx, caller, before.id, change, writing)
  const user = await findUser(tx, caller, before.id)
  await writeSent(tx, caller, before.id, {
    externalId: text(wanted, "externalId"),
    names: sentNames(wanted, user?.name ?? "", before),
  })
  if (active === false && before.active === true) await deactivate(tx, writing, before.id)
}

/** The person can no longer sign in, and every session and token of theirs in this organization has ended. */
async function deactivate(tx: Tx, writing: Writing, userId: string): Promise<void> {
  const { caller } = writing
  const user = await findUser(tx, caller, userId)
  if (!user) throw notFound(userId)
  // An invitation that nobody has accepted is withdrawn.
  if (user.status === "pending" || user.status === "inactive") return removeUser(tx, writing, userId)
  await updateUser(tx, caller, userId, { status: "disabled" }, writing)
}

export async function removeUser(tx: Tx, writing: Writing, userId: string): Promise<void> {
  const { caller, address, live, hooks } = writing
  if (!(await findUser(tx, caller, userId))) throw notFound(userId)
  await deleteUser(tx, caller, userId, { address, live, onLeave: hooks.onLeave })
  await deleteSent(tx, caller, userId)
}
