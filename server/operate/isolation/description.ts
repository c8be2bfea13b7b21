/** What the check reads of the OpenAPI document of the server. */
export interface DescribedCall {
  method: string
  /** With parameters in braces, such as `/api/v3/hub/{hubId}`. */
  path: string
  /** The same as the tests of this project write it: `GET /hub/:hubId`. */
  key: string
  pathParameters: string[]
  queryParameters: { name: string; required: boolean; schema: unknown }[]
  body: unknown
  isPublic: boolean
}

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema?: unknown }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
  security?: unknown[]
}

export async function readDescription(address: string): Promise<DescribedCall[]> {
  const reply = await fetch(`${address}/api/v3/openapi.json`)
  if (!reply.ok) throw new Error(`${address}/api/v3/openapi.json returned ${reply.status}`)
  const document = (await reply.json()) as { paths: unknown; components?: unknown }
  const paths = resolved(document.paths, document) as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  )
}

function describe(method: string, path: string, operation: Operation): DescribedCall {
  const parameters = operation.parameters ?? []
  return {
    method,
    path,
    key: `${method} ${path.replace("/api/v3", "").replace(/\{(\w+)\}/g, ":$1")}`,
    pathParameters: parameters.filter((each) => each.in === "path").map((each) => each.name),
    queryParameters: parameters
      .filter((each) => each.in === "query")
      .map(({ name, required, schema }) => ({ name, required: required ?? false, schema })),
    body: operation.requestBody?.content?.["application/json"]?.schema,
    isPublic: (operation.security ?? []).length === 0,
  }
}

/** Deep enough for every body; schemas that contain themselves end there. */
const deepest = 24

/** With what `$ref` names in its place. */
function resolved(part: unknown, document: unknown, depth = 0): unknown {
  if (typeof part !== "object" || part === null || depth > deepest) return part
  if (Array.isArray(part)) return part.map((element) => resolved(element, document, depth + 1))
  const { $ref } = part as { $ref?: unknown }
  if (typeof $ref === "string") {
    const place = $ref.slice(2).split("/")
    const target = place.reduce<unknown>(
      (found, name) => (found as Record<string, unknown> | undefined)?.[name],
      document,
    )
    return resolved(target, document, depth + 1)
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolved(value, document, depth + 1)]),
  )
}
