import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify"
import { AppError } from "../errors.ts"
import type { App } from "./types.ts"

const maxNames = 20
const maxBytes = 1000

interface Shape {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  patternProperties?: unknown
  additionalProperties?: unknown
}

interface Schema {
  operationId?: string
  querystring?: Shape
  body?: Shape
}

const noParameters: Shape = { type: "object", properties: {} }

/**
 * Unknown query parameters and body keys are ignored. The response lists them in `X-Ignored-Parameters`; a caller that
 * sends `Prefer: handling=strict` (RFC 7240) gets a 400 instead. What is known comes from the route's schema; keys of open
 * objects, and those of the entries of a list, are not looked at. A handler that knows more adds names by `reportIgnored`.
 */
export function installIgnoredParameters(api: App): void {
  api.addHook("onRoute", (route: RouteOptions) => {
    const { operationId, body, ...schema } = (route.schema ?? {}) as Schema
    if (!operationId) return
    const querystring = schema.querystring ?? noParameters
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      async (request: FastifyRequest, reply: FastifyReply) => {
        const names: string[] = []
        collect(querystring, request.query, "", names)
        const { knownQuery } = request.routeOptions.config
        const unknown = knownQuery ? names.filter((name) => !knownQuery.test(name)) : names
        if (body) collect(body, request.body, "", unknown)
        reportIgnored(request, reply, unknown)
      },
    ]
  })
}

function collect(shape: Shape, value: unknown, path: string, names: string[]): void {
  if (names.length > maxNames || typeof value !== "object" || value === null || Array.isArray(value)) return
  const properties = propertiesOf(shape)
  if (!properties) return
  for (const [name, held] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) collect(known, held, `${path}${name}.`, names)
    else names.push(path + name)
  }
}

const knownProperties = new WeakMap<Shape, Record<string, Shape> | null>()

/** The properties of a closed object, or of all members of a union; undefined where any key may stand. */
function propertiesOf(shape: Shape): Record<string, Shape> | undefined {
  const known = knownProperties.get(shape)
  if (known !== undefined) return known ?? undefined
  const found = readProperties(shape)
  knownProperties.set(shape, found ?? null)
  return found
}

function readProperties(shape: Shape): Record<string, Shape> | undefined {
  if (shape.anyOf) {
    const objects = shape.anyOf.filter((member) => member.anyOf || member.type === "object" || !member.type)
    const members = objects.map(propertiesOf)
    if (members.length === 0 || members.some((member) => member === undefined)) return undefined
    return Object.assign({}, ...members) as Record<string, Shape>
  }
  const isOpen = shape.patternProperties !== undefined || (shape.additionalProperties ?? false) !== false
  return shape.type === "object" && shape.properties && !isOpen ? shape.properties : undefined
}

/** What is used of a reply, whatever its route's types are. */
export interface ReplyHeaders {
  getHeader(name: string): number | string | string[] | undefined
  header(name: string, value: string): unknown
}

/** Lists names as ignored, after those that the schema does not know; throws where the caller wants to be strict. */
export function reportIgnored(
  request: Pick<FastifyRequest, "headers" | "routeOptions">,
  reply: ReplyHeaders,
  names: readonly string[],
): void {
  if (names.length === 0) return
  if (isStrict(request)) {
    const { module = "sys" } = request.routeOptions.config
    throw new AppError(400, `${module}-003`, `${names[0]} is not a known parameter`, {
      fields: Object.fromEntries(names.map((name) => [name, ["is unknown"]])),
      headers: { "preference-applied": "handling=strict" },
    })
  }
  const before = reply.getHeader(headerName)?.toString().split(", ") ?? []
  const listed: string[] = []
  let bytes = 0
  for (const name of [...before, ...names.map((one) => encodeURIComponent(one.toWellFormed()))]) {
    bytes += name.length + 2
    if (listed.length === maxNames || bytes > maxBytes) break
    listed.push(name)
  }
  if (listed.length > 0) reply.header(headerName, listed.join(", "))
}

const headerName = "x-ignored-parameters"

function isStrict({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const prefer = [headers.prefer ?? []].flat().join(",")
  return /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(prefer)
}
