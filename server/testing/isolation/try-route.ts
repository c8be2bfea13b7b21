import type { DeclaredRoute } from "#core/http/route-table.ts"
import { type References, referenceFor, withReferences } from "#samples/foreign-references.ts"
import { bodies } from "#samples/path-values.ts"
import { sampleOf } from "#samples/sample-body.ts"
import { type Calls, multipartBody, type Reply } from "../test-app.ts"

export const keyOf = (route: DeclaredRoute) => `${route.method} ${pathOf(route)}`
export const pathOf = (route: DeclaredRoute) => route.url.replace("/api/v3", "")
export const parametersOf = (route: DeclaredRoute) =>
  [...route.url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "")

interface Shape {
  properties?: Record<string, { type?: string }>
  required?: string[]
}

export interface Attempt {
  reply: Reply
  /** Everything that was sent, in which references are no secrets. */
  sent: string
}

/** Calls a route with references to somebody else's things in path, query and, unless plain, body. */
export async function tryRoute(
  calls: Calls,
  route: DeclaredRoute,
  values: References,
  more: { query?: Record<string, string>; headers?: Record<string, string>; isPlain?: boolean } = {},
): Promise<Attempt> {
  const path = pathOf(route)
  const referenceOf = (name: string) => referenceFor(values, path, name)
  const url = path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(referenceOf(name) ?? "ffffffffffffffffffffffff"),
  )
  const query = new URLSearchParams({ ...queryFor(route, referenceOf), ...more.query })
  const address = query.size > 0 ? `${url}?${query}` : url
  const { headers = {} } = more
  if (route.method === "GET") return { reply: await calls.get(address, headers), sent: decode(address) }
  const form = (route.schema as { form?: Shape }).form
  const payload = form
    ? formFor(form, referenceOf)
    : withReferences(
        route.schema.body,
        more.isPlain ? () => undefined : referenceOf,
        bodies[keyOf(route)] ?? sampleOf(route.schema.body),
      )
  const sentHeaders = form
    ? { ...headers, "content-type": (payload as { contentType: string }).contentType }
    : headers
  const sentBody = form ? (payload as { body: Buffer }).body : route.schema.body ? payload : undefined
  const method = route.method.toLowerCase() as "post" | "put" | "patch" | "delete"
  const reply = await calls[method](address, sentBody, sentHeaders)
  return { reply, sent: `${decode(address)} ${form ? String(sentBody) : JSON.stringify(sentBody ?? null)}` }
}

const decode = (address: string) => `${address} ${decodeURIComponent(address.replaceAll("+", " "))}`

function queryFor(
  route: DeclaredRoute,
  referenceOf: (name: string) => string | undefined,
): Record<string, string> {
  const { properties = {}, required = [] } = (route.schema.querystring ?? {}) as Shape
  const query: Record<string, string> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = /^(page|limit|fields|q)$/.test(name) ? undefined : referenceOf(name)
    if (value !== undefined && schema.type === "string") query[name] = value
    else if (required.includes(name)) query[name] = String(sampleOf(schema))
  }
  return query
}

const csv = { filename: "rows.csv", content: "name\nSomething\n", contentType: "text/csv" }

function formFor(form: Shape, referenceOf: (name: string) => string | undefined) {
  const parts: Record<string, string | typeof csv> = {}
  for (const [name, schema] of Object.entries(form.properties ?? {})) {
    const isFile = (schema as { format?: string }).format === "binary" || schema.type === undefined
    if (isFile) parts[name] = csv
    else parts[name] = referenceOf(name) ?? String(sampleOf(schema))
  }
  return multipartBody(parts)
}
