import { sampleOf } from "./sample-body.ts"

/** Ids, names and e-mails of somebody else's things, by the names that parameters and properties have. */
export type References = Readonly<Record<string, string>>

/** Names under which bodies and queries have what paths call otherwise. */
const synonyms: Record<string, string> = {
  assignee: "email",
  limitUser: "email",
  emails: "email",
  recipients: "email",
  hub: "hubId",
  hubIds: "hubId",
  hubs: "hubId",
  teamIds: "teamId",
  flowIds: "flowId",
  flow: "flowName",
  passwordPolicyId: "policyId",
  resultIds: "resultId",
  taskIds: "taskId",
  parentId: "taskId",
  refId: "taskId",
  dataVersion: "hubId",
}

/** The path determines what `_id`, `id` and `ids` mean in a body. */
const owners: readonly [RegExp, string][] = [
  [/^\/(task|activity|reorder)/, "taskId"],
  [/^\/data/, "recordId"],
  [/^\/vehicle/, "vehicleId"],
  [/^\/user|^\/member/, "userId"],
  [/^\/flow/, "flowId"],
  [/^\/automation-retr/, "logId"],
  [/^\/(routing|dispatch|result|route)/, "resultId"],
]

export function referenceFor(values: References, path: string, name: string): string | undefined {
  if (name === "_id" || name === "id" || name === "ids") {
    const owner = owners.find(([pattern]) => pattern.test(path))?.[1] ?? "taskId"
    return values[owner]
  }
  return values[`${path}#${name}`] ?? values[name] ?? values[synonyms[name] ?? ""]
}

interface Shape {
  type?: string
  anyOf?: unknown[]
  properties?: Record<string, unknown>
  items?: unknown
}

const deepest = 4

/**
 * The least body that a schema takes, and in it every property that may refer to something, at any depth, with a
 * reference to what belongs to somebody else.
 */
export function withReferences(
  schema: unknown,
  referenceOf: (name: string) => string | undefined,
  sample: unknown = sampleOf(schema),
): unknown {
  return fill(schema, sample, referenceOf, 0)
}

function fill(
  schema: unknown,
  sample: unknown,
  referenceOf: (name: string) => string | undefined,
  depth: number,
): unknown {
  const shape = (schema ?? {}) as Shape
  if (depth > deepest) return sample
  if (shape.anyOf) return fill(shape.anyOf[0], sample, referenceOf, depth)
  if (shape.type === "array") {
    const [first = sampleOf(shape.items)] = Array.isArray(sample) ? sample : []
    return [fill(shape.items, first, referenceOf, depth + 1)]
  }
  if (shape.type !== "object" || !shape.properties) return sample
  const body: Record<string, unknown> = { ...(sample as Record<string, unknown>) }
  for (const [name, part] of Object.entries(shape.properties)) {
    const given = (name in body ? body[name] : undefined) ?? sampleOf(part)
    const filled = filledProperty(name, part, given, referenceOf, depth)
    if (filled !== undefined) body[name] = filled
  }
  return body
}

function filledProperty(
  name: string,
  schema: unknown,
  sample: unknown,
  referenceOf: (name: string) => string | undefined,
  depth: number,
): unknown {
  const { type, items, anyOf } = schema as Shape
  if (anyOf) return filledProperty(name, anyOf[0], sample, referenceOf, depth)
  const value = referenceOf(name)
  const isText = type === "string"
  if (value !== undefined && isText) return value
  const element = (items ?? {}) as Shape
  if (value !== undefined && type === "array" && element.type === "string") return [value]
  if (type !== "object" && !(type === "array" && element.type === "object")) return undefined
  const filled = fill(schema, sample, referenceOf, depth + 1)
  return JSON.stringify(filled) === JSON.stringify(sample) ? undefined : filled
}
