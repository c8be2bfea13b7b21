/** A change of one value, however deep it is in a field. */
export interface LeafChange {
  /** The names that lead to it. */
  path: string[]
  before: unknown
  after: unknown
}

type Branch = Record<string, unknown>

/** What differs between two values, down to texts and numbers: a rule or a page of a flow is an object with many of them. */
export function leafChanges(before: unknown, after: unknown, path: string[] = []): LeafChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [was, is] = [branchOf(before), branchOf(after)]
  if (!was && !is) return [{ path, before, after }]
  // What is new or gone as a whole is called by its name.
  const isWhole = before === undefined || before === null || after === undefined || after === null
  if (path.length > 0 && isWhole && (nameIn(was) ?? nameIn(is)) !== undefined)
    return [{ path: path.slice(0, -1), before: nameIn(was), after: nameIn(is) }]
  const isList = Array.isArray(before) || Array.isArray(after)
  const keys = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
  const found = keys.flatMap((key) => {
    const [own, next] = [was?.[key], is?.[key]]
    const name = isList ? (nameIn(branchOf(next)) ?? nameIn(branchOf(own)) ?? String(Number(key) + 1)) : key
    return leafChanges(own, next, [...path, name])
  })
  if (found.length > 0 || !isList) return found
  return [{ path, before: namesIn(was), after: namesIn(is) }]
}

/** Of a list in which nothing but the order differs. */
function namesIn(list: Branch | undefined): string {
  return Object.values(list ?? {})
    .map((part, index) => nameIn(branchOf(part)) ?? String(index + 1))
    .join(", ")
}

/** The parts of an object, or of a list of objects; parts of a list are found again by their ids. */
function branchOf(value: unknown): Branch | undefined {
  if (typeof value !== "object" || value === null) return undefined
  if (!Array.isArray(value)) return value as Branch
  if (value.length === 0 || value.some((part) => typeof part !== "object" || part === null)) return undefined
  return Object.fromEntries(value.map((part, index) => [keyOf(part) ?? index, part]))
}

function keyOf(part: Branch): string | undefined {
  const id = part.id ?? part._id
  return typeof id === "string" ? ` ${id}` : undefined
}

function nameIn(part: Branch | undefined): string | undefined {
  const name = part?.title || part?.name || part?.id
  return typeof name === "string" && name !== "" ? name : undefined
}
