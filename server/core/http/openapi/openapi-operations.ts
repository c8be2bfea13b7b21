import type { RouteOptions } from "fastify"
import { Type } from "typebox"
import { takesIdempotencyKey } from "../../idempotency.ts"

export const ErrorSchema = Type.Object(
  {
    status: Type.Literal(false),
    message: Type.String({ description: "What is wrong and what to do about it" }),
    failedCode: Type.String({
      description: "Module and reason, such as task-032; see the list of error codes",
    }),
    code: Type.Integer({ description: "The HTTP status" }),
    statusCode: Type.Integer({ description: "The HTTP status" }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: "Messages by field" }),
    ),
  },
  {
    title: "Error",
    additionalProperties: true,
    description: "The body of every response with status 4xx or 5xx",
    examples: [
      {
        status: false,
        message: "This task does not exist",
        failedCode: "task-033",
        code: 404,
        statusCode: 404,
      },
    ],
  },
)

/** What the finished document needs to know of a route, carried as extensions of its operation. */
const extension = {
  idempotent: "x-idempotent",
  versioned: "x-versioned",
  permission: "x-permission",
} as const

/** Adds to the schema of a route what its declaration says: who may call it, its errors, its headers. */
export function describeRoute(route: RouteOptions): void {
  if (route.method === "OPTIONS" || route.method === "HEAD") return
  const schema = (route.schema ?? {}) as Record<string, unknown>
  const config = route.config ?? {}
  const response = (schema.response ?? {}) as Record<string, unknown>
  schema.response = { ...response, "4xx": ErrorSchema, "5xx": ErrorSchema }
  schema.security = config.public ? [] : [{ bearer: [] }, { apiKey: [] }, { session: [] }]
  const permissions = config.permission ? [config.permission] : (config.anyOf ?? [])
  schema.description = [schema.description, accessText(config.public === true, permissions)]
    .filter((text) => text !== undefined)
    .join("\n\n")
  if (permissions.length > 0) schema[extension.permission] = permissions
  if (config.versioned) schema[extension.versioned] = true
  if (takesIdempotencyKey(route)) schema[extension.idempotent] = true
  route.schema = schema
}

function accessText(isPublic: boolean, permissions: readonly string[]): string {
  if (isPublic) return "Public. No token required."
  if (permissions.length === 0) return "Available to every signed-in user."
  return `Requires the permission ${permissions.map((name) => `\`${name}\``).join(" or ")}.`
}

interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, unknown>
}
interface Operation {
  operationId?: string
  requestBody?: { content: Record<string, { example?: unknown }> }
  parameters?: { name?: string; $ref?: string }[]
  responses: Record<string, Response>
  [key: string]: unknown
}
export type Operations = Record<string, Operation>

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

const methods = new Set(["get", "post", "put", "patch", "delete"])

/** Fastify calls the rest of a path `*`, which OpenAPI cannot: here it is always a token that holds slashes. */
const wildcard = { name: "*", documented: "token" }

/** Puts shared headers, parameters and error responses into every operation, by reference. */
export function completeOperations(
  paths: Record<string, Operations>,
  examples: Record<string, unknown>,
): Record<string, Operations> {
  const named = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path.replace(`{${wildcard.name}}`, `{${wildcard.documented}}`),
      operations,
    ]),
  )
  for (const operations of Object.values(named))
    for (const [method, operation] of Object.entries(operations))
      if (methods.has(method)) completeOperation(method, operation, examples[operation.operationId ?? ""])
  return named
}

/** Parameters that are in so many operations are shared; of two that differ, the more frequent gets the name. */
const sharedFrom = 3

/** Replaces parameters that several operations have by references, and returns what they refer to. */
export function shareParameters(paths: Record<string, Operations>): Record<string, unknown> {
  const operations = Object.values(paths).flatMap((each) => Object.values(each))
  const counts = new Map<string, number>()
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const key = JSON.stringify(parameter)
    if (parameter.name !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const names = new Map<string, string>()
  const shared: Record<string, unknown> = {}
  for (const [key, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    const { name } = JSON.parse(key) as { name: string }
    const title = name[0]?.toUpperCase() + name.slice(1)
    if (count < sharedFrom || !/^\w+$/.test(title) || title in shared) continue
    shared[title] = JSON.parse(key)
    names.set(key, title)
  }
  for (const operation of operations)
    operation.parameters &&= operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name === undefined ? parameter : reference("parameters", name)
    })
  return shared
}

function completeOperation(method: string, operation: Operation, example: unknown): void {
  const body = operation.requestBody?.content["application/json"]
  if (body && example !== undefined) body.example = example
  const isVersioned = operation[extension.versioned] === true
  const parameters: object[] = (operation.parameters ?? []).map((parameter) =>
    parameter.name === wildcard.name ? { ...parameter, name: wildcard.documented } : parameter,
  )
  if (operation[extension.idempotent] === true) parameters.push(reference("parameters", "IdempotencyKey"))
  if (isVersioned && !["get", "post"].includes(method)) parameters.push(reference("parameters", "IfMatch"))
  if (parameters.length > 0) operation.parameters = parameters
  delete operation[extension.idempotent]
  delete operation[extension.versioned]
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === "Default Response") response.description = "Success"
    if (!status.startsWith("2")) continue
    const headers = {
      ...response.headers,
      "x-request-id": reference("headers", "RequestId"),
      ...(isVersioned && method !== "delete" && { etag: reference("headers", "ETag") }),
    }
    operation.responses[status] = { ...response, headers }
  }
  operation.responses["4XX"] = reference("responses", "ClientError")
  operation.responses["5XX"] = reference("responses", "ServerError")
}

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example })
const errorContent = { "application/json": { schema: ErrorSchema } }

/** The components that every operation refers to. */
export const sharedComponents = {
  parameters: {
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "Makes retries safe: for 24 hours, a request by the same user with the same key and body returns the stored response. 1 to 255 visible ASCII characters.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
      example: "order-4711-create",
    },
    IfMatch: {
      name: "If-Match",
      in: "header",
      required: false,
      description:
        "The ETag of the version that you read. If the object has changed since, the request returns 412 and changes nothing.",
      schema: { type: "string" },
      example: '"1924942421000"',
    },
  },
  headers: {
    RequestId: text("Identifies the request in the server's log", "66f0c0ffee0000000000cafe"),
    ETag: text("The version of the object, for If-Match", '"1924942421000"'),
    RetryAfter: text("Seconds to wait before the next attempt, with 429 and 503", "1"),
    RateLimit: text("The remaining requests in the current window", '"organization";r=99;t=1'),
    RateLimitPolicy: text("The rate limit", '"organization";q=100;w=1'),
  },
  responses: {
    ClientError: {
      description: "The request was refused. The body says why and what to do.",
      headers: {
        "x-request-id": reference("headers", "RequestId"),
        "retry-after": reference("headers", "RetryAfter"),
        ratelimit: reference("headers", "RateLimit"),
        "ratelimit-policy": reference("headers", "RateLimitPolicy"),
      },
      content: errorContent,
    },
    ServerError: {
      description:
        "The server could not process the request. Retry later, with an Idempotency-Key to avoid duplicates.",
      headers: {
        "x-request-id": reference("headers", "RequestId"),
        "retry-after": reference("headers", "RetryAfter"),
      },
      content: errorContent,
    },
  },
}
