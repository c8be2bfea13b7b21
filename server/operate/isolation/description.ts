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
  if (!reply.ok) throw new Error(`${address}/api/v3/openapi.json answered ${reply.status}`)
  const { paths } = (await reply.json()) as { paths: Record<string, Record<string, Operation>> }
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
