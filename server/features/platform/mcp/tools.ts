import type { FastifyContextConfig } from "fastify"
import type { DeclaredRoute } from "#core/http/route-table.ts"

type Json = Record<string, unknown>

/** One operation of the API description as a tool. */
export interface ApiTool {
  name: string
  title: string
  description: string
  inputSchema: {
    type: "object"
    properties: Record<string, Json>
    required?: string[]
    [key: string]: unknown
  }
  section: string
  method: string
  /** With parameters in braces, such as `/api/v3/hub/{hubId}`. */
  path: string
  pathNames: readonly string[]
  queryNames: ReadonlySet<string>
  hasBody: boolean
  /** The names of a multipart form's files. */
  files: ReadonlySet<string> | undefined
  isIdempotent: boolean
  config: FastifyContextConfig
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Json
}

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> }
}

export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; parameters: Record<string, Parameter> }
}

/** Arguments that the server adds to those of the operation. */
export const added = {
  dryRun: "dryRun",
  limit: "limit",
  cursor: "cursor",
  full: "full",
  key: "idempotencyKey",
}
const maxDescription = 600

/** All tools, from the API description alone: what people may call, except streams that never end. */
export function toolsOf(description: ApiDescription, routes: readonly DeclaredRoute[]): ApiTool[] {
  const configs = new Map(
    routes.flatMap(({ schema, config }) =>
      schema.operationId === undefined ? [] : [[schema.operationId, config] as const],
    ),
  )
  const tools = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const config = configs.get(operation.operationId ?? "")
      if (!config || config.public || (config.produces === "other" && config.admission === "free")) return []
      return [toTool(description, { path, method: method.toUpperCase(), operation, config })]
    }),
  )
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

interface Described {
  path: string
  method: string
  operation: Operation
  config: FastifyContextConfig
}

function toTool(description: ApiDescription, { path, method, operation, config }: Described): ApiTool {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(description, parameter))
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const content = operation.requestBody?.content ?? {}
  const form = content["multipart/form-data"]?.schema
  const body = form ?? content["application/json"]?.schema
  const files = form && filesOf(form)
  const properties: Record<string, Json> = {}
  for (const { name, schema, description: text } of [...inPlace("path"), ...inPlace("query")])
    properties[name] = { ...schema, ...(text !== undefined && { description: text }) }
  if (body) properties.body = files ? withFiles(body, files) : body
  const isReading = method === "GET"
  Object.assign(properties, isReading ? readingArguments(properties) : writingArguments(form === undefined))
  const required = [
    ...inPlace("path").map(({ name }) => name),
    ...inPlace("query").flatMap(({ name, required: isRequired }) => (isRequired ? [name] : [])),
    ...(body && operation.requestBody?.required ? ["body"] : []),
  ]
  const name = operation.operationId ?? `${method} ${path}`
  const text = [operation.summary, operation.description].filter(Boolean).join("\n\n")
  return {
    name,
    title: operation.summary ?? name,
    description: text.length > maxDescription ? `${text.slice(0, maxDescription)}…` : text,
    inputSchema: withDefinitions(description, {
      type: "object",
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }),
    section: operation.tags?.[0] ?? "",
    method,
    path,
    pathNames: inPlace("path").map((parameter) => parameter.name),
    queryNames: new Set(inPlace("query").map((parameter) => parameter.name)),
    hasBody: body !== undefined,
    files,
    isIdempotent: method === "POST" && config.idempotent !== false && form === undefined,
    config,
  }
}

function readingArguments(properties: Record<string, Json>): Record<string, Json> {
  return {
    [added.limit]: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Rows of a page" },
    [added.cursor]: {
      ...(properties.cursor ?? {}),
      type: "string",
      description: "nextCursor of the previous result, for the next page",
    },
    [added.full]: { type: "boolean", description: "Do not cut long texts and inner lists" },
  }
}

function writingArguments(canTry: boolean): Record<string, Json> {
  if (!canTry) return {}
  return {
    [added.dryRun]: {
      type: "boolean",
      description: "Try it: the result is that of the call, but everything it wrote is rolled back",
    },
    [added.key]: { type: "string", description: "Repeating a call with the same key has no further effect" },
  }
}

function resolve({ components }: ApiDescription, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1)
  return name === undefined ? parameter : (components.parameters[name] ?? parameter)
}

function filesOf(form: Json): ReadonlySet<string> {
  const properties = (form.properties ?? {}) as Record<string, Json>
  return new Set(Object.keys(properties).filter((name) => properties[name]?.format === "binary"))
}

/** A file comes as text or as base64. */
function withFiles(form: Json, files: ReadonlySet<string>): Json {
  const properties = Object.fromEntries(
    Object.entries((form.properties ?? {}) as Record<string, Json>).map(([name, schema]) => [
      name,
      files.has(name)
        ? {
            type: "object",
            description: schema.description,
            properties: {
              filename: { type: "string" },
              text: { type: "string", description: "The content, if it is text" },
              base64: { type: "string", description: "The content otherwise" },
            },
            required: ["filename"],
          }
        : schema,
    ]),
  )
  return { ...form, properties }
}

/** The shared schemas that a tool refers to, as `$defs` of its own. */
function withDefinitions(
  { components }: ApiDescription,
  schema: ApiTool["inputSchema"],
): ApiTool["inputSchema"] {
  const definitions: Record<string, unknown> = {}
  const prefix = "#/components/schemas/"
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => {
        if (key !== "$ref" || typeof held !== "string" || !held.startsWith(prefix)) return [key, visit(held)]
        const name = held.slice(prefix.length)
        if (!(name in definitions)) {
          definitions[name] = {}
          definitions[name] = visit(components.schemas[name])
        }
        return [key, `#/$defs/${name}`]
      }),
    )
  }
  const visited = visit(schema) as ApiTool["inputSchema"]
  return Object.keys(definitions).length > 0 ? { ...visited, $defs: definitions } : visited
}
