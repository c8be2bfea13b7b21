import { type Filter, keyOf, meets, memberOf, parseFilter, splitPath } from "./filter.ts"
import { scimRefusal } from "./refusals.ts"

type Members = Record<string, unknown>

const maxOperations = 1_000

/** Applies the operations of a PATCH (RFC 7644, section 3.5.2) to a copy of a resource. */
export function applyPatch(resource: Members, body: unknown): Members {
  const operations = memberOf(body, "Operations")
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > maxOperations)
    throw scimRefusal(400, `Operations must be a list of 1 to ${maxOperations}`, "invalidSyntax")
  const patched = structuredClone(resource)
  for (const operation of operations as Members[]) applyOne(patched, operation)
  return patched
}

function applyOne(resource: Members, operation: Members | null): void {
  // Entra ID writes Add, Replace and Remove.
  const op = String(memberOf(operation, "op") ?? "").toLowerCase()
  const path = memberOf(operation, "path")
  const value = memberOf(operation, "value")
  if (!["add", "replace", "remove"].includes(op))
    throw scimRefusal(400, `${op} is no operation`, "invalidSyntax")
  if (typeof path === "string" && path !== "") {
    if (/^(id|meta|schemas|groups)\b/i.test(path))
      throw scimRefusal(400, `${path} is read-only`, "mutability")
    applyAt(resource, op, path, value)
    return
  }
  if (op === "remove") throw scimRefusal(400, "remove needs a path", "noTarget")
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw scimRefusal(400, "Without a path, value must be an object", "invalidValue")
  // Keys can be paths themselves, as Entra ID sends them.
  for (const [key, held] of Object.entries(value)) {
    const isExtension =
      /^urn:/i.test(key) && typeof held === "object" && held !== null && !Array.isArray(held)
    if (isExtension)
      for (const [name, inner] of Object.entries(held)) applyAt(resource, op, `${key}:${name}`, inner)
    else applyAt(resource, op, key, held)
  }
}

interface Step {
  name: string
  filter?: Filter
}

/** `emails[type eq "work"].value` and `name.givenName`, also behind the URN of a schema. */
function readPath(path: string): Step[] {
  if (path.length > 2_000) throw scimRefusal(400, "The path is too long", "invalidPath")
  const bracket = path.indexOf("[")
  if (bracket < 0) return splitPath(path).map((name) => ({ name }))
  const end = path.lastIndexOf("]")
  const rest = path.slice(end + 1)
  if (end < bracket || !/^(\.[\w$-]+)?$/.test(rest))
    throw scimRefusal(400, `${path} is no path`, "invalidPath")
  const names = splitPath(path.slice(0, bracket))
  const last = names.pop() ?? ""
  return [
    ...names.map((name) => ({ name })),
    { name: last, filter: parseFilter(path.slice(bracket + 1, end)) },
    ...(rest === "" ? [] : [{ name: rest.slice(1) }]),
  ]
}

function applyAt(resource: Members, op: string, path: string, value: unknown): void {
  const steps = readPath(path)
  if (steps.length === 0 || steps.some(({ name }) => !/^(urn:[\w:.-]+|[$\w-]+)$/i.test(name)))
    throw scimRefusal(400, `${path} is no path`, "invalidPath")
  // Assigning it would change the prototype.
  if (steps.some(({ name }) => name.toLowerCase() === "__proto__"))
    throw scimRefusal(400, `${path} is no path`, "invalidPath")
  write(resource, steps, op, value)
}

function write(holder: Members, [step, ...rest]: Step[], op: string, value: unknown): void {
  if (!step) return
  const key = keyOf(holder, step.name) ?? step.name
  if (step.filter) {
    writeElements(holder, key, step.filter, rest, op, value)
    return
  }
  if (rest.length > 0) {
    const held = holder[key]
    if (Array.isArray(held)) {
      for (const element of held) if (isMembers(element)) write(element, rest, op, value)
      return
    }
    if (!isMembers(held)) {
      if (op === "remove") return
      holder[key] = {}
    }
    write(holder[key] as Members, rest, op, value)
    return
  }
  const held = holder[key]
  if (Array.isArray(held)) holder[key] = changeList(held, { key, op, value })
  else if (op === "remove") holder[key] = undefined
  // Both add to a complex attribute what it lacks, and replace what it has (RFC 7644, section 3.5.2.3).
  else if (isMembers(held) && isMembers(value))
    for (const name of Object.keys(value)) write(held, [{ name }], op, value[name])
  else holder[key] = held === undefined || isMembers(held) ? value : singleOf(value)
}

/** Entra ID wraps some values of attributes that have one: `[{ "$ref": null, "value": "False" }]`. */
function singleOf(value: unknown): unknown {
  const [only, ...others] = [value].flat()
  return isMembers(only) && others.length === 0 ? memberOf(only, "value") : value
}

/** Entra ID removes members by a value: an object or a list of them. */
function changeList(
  held: unknown[],
  { key, op, value }: { key: string; op: string; value: unknown },
): unknown[] | undefined {
  const values = value === undefined || value === null ? [] : [value].flat()
  if (op === "replace") return values
  if (op === "remove") return values.length === 0 ? undefined : without(held, values)
  const added = union(held, values).slice(held.length)
  // A person has one role: the one that was added last.
  const isReplaced =
    key === "roles" ? added.length > 0 : added.some((each) => isMembers(each) && each.primary === true)
  const others = isReplaced
    ? held.map((each) => (isMembers(each) ? { ...each, primary: false } : each))
    : held
  return key === "roles" ? [...added, ...others] : [...others, ...added]
}

function writeElements(
  holder: Members,
  key: string,
  filter: Filter,
  rest: Step[],
  op: string,
  value: unknown,
): void {
  const held = Array.isArray(holder[key]) ? (holder[key] as unknown[]) : []
  const matching = held.filter((element) => meets(element, filter))
  if (op === "remove") {
    if (rest.length === 0) holder[key] = held.filter((element) => !matching.includes(element))
    else for (const element of matching) if (isMembers(element)) write(element, rest, op, value)
    return
  }
  // Entra ID adds the value of an element that does not exist yet.
  if (matching.length === 0) {
    const made: Members = {}
    for (const each of filter.op === "and" ? filter.filters : [filter])
      if (each.op === "eq" && /^[a-z]\w*$/i.test(each.path)) made[each.path] = each.value
    matching.push(made)
    holder[key] = [...held, made]
  }
  for (const element of matching) {
    if (!isMembers(element)) continue
    if (rest.length > 0) write(element, rest, op, value)
    else if (isMembers(value)) Object.assign(element, value)
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const idOf = (element: unknown) =>
  String(isMembers(element) ? memberOf(element, "value") : element).toLowerCase()

function union(held: unknown[], more: unknown[]): unknown[] {
  const known = new Set(held.map(idOf))
  return [...held, ...more.filter((element) => !known.has(idOf(element)))]
}

function without(held: readonly unknown[], gone: readonly unknown[]): unknown[] {
  const ids = new Set(gone.map(idOf))
  return held.filter((element) => !ids.has(idOf(element)))
}
