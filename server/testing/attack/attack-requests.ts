import { sampleOf } from "#samples/sample-body.ts"
import { hostileHeaders, hostileJson, hostileTexts, pick, type Random } from "./attack-values.ts"

/** Hostile requests, made from the API description alone: a new route is attacked the day it is added. */
export interface AttackRequest {
  /** What is wrong with it, for the message of a failure. */
  what: string
  operation: Operation
  url: string
  headers: Record<string, string>
  payload: string | undefined
}

export interface Operation {
  method: string
  path: string
  isPublic: boolean
  parameters: readonly Parameter[]
  json: unknown
  form: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: unknown
}

interface Described {
  parameters?: Parameter[]
  security?: unknown[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
}

export function operationsOf(description: unknown): Operation[] {
  const { paths } = resolved(description, description, 0) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      isPublic: described.security === undefined,
      parameters: described.parameters ?? [],
      json: described.requestBody?.content?.["application/json"]?.schema,
      form: described.requestBody?.content?.["multipart/form-data"]?.schema,
    })),
  )
}

const maxDepth = 30

/** The description with what it refers to in place. */
function resolved(value: unknown, root: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, root, depth + 1))
  const { $ref, ...members } = value as Record<string, unknown>
  if (typeof $ref === "string") {
    const held = $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((holder, key) => (holder as Record<string, unknown>)[key], root)
    return resolved(held, root, depth + 1)
  }
  return Object.fromEntries(
    Object.entries(members).map(([key, held]) => [key, resolved(held, root, depth + 1)]),
  )
}

export interface Target {
  operation: Operation
  /** Where the hostile value goes. */
  part: "path" | "query" | "header" | "property" | "body" | "form"
  name: string
  place: readonly (string | number)[]
}

/** Every parameter of every route, and every property of its body at any depth. */
export function targetsOf(operations: readonly Operation[]): Target[] {
  return operations.flatMap((operation) => {
    const at = (part: Target["part"], name = "", place: Target["place"] = []) => ({
      ...{ operation, part, name, place },
    })
    const parameters = operation.parameters
      .filter((parameter) => parameter.in === "path" || parameter.in === "query")
      .map((parameter) => at(parameter.in as "path" | "query", parameter.name))
    const properties = placesIn(operation.json, 6).map((place) => at("property", place.join("."), place))
    const bodies = operation.method === "GET" || operation.method === "HEAD" ? [] : [at("body")]
    const forms = operation.form === undefined ? [] : [at("form"), at("form")]
    return [...parameters, ...properties, ...bodies, ...forms, at("header"), at("query", "unknown[a]")]
  })
}

interface Shape {
  properties?: Record<string, unknown>
  items?: unknown
  anyOf?: unknown[]
  oneOf?: unknown[]
}

function placesIn(schema: unknown, depth: number): (string | number)[][] {
  const { properties, items, anyOf, oneOf } = (schema ?? {}) as Shape
  if (depth === 0) return []
  const members = [...(anyOf ?? []), ...(oneOf ?? [])].flatMap((member) => placesIn(member, depth))
  const within = Object.entries(properties ?? {}).flatMap(([name, property]) => [
    [name],
    ...placesIn(property, depth - 1).map((place) => [name, ...place]),
  ])
  const entries =
    items === undefined ? [] : [[0], ...placesIn(items, depth - 1).map((place) => [0, ...place])]
  return [...members, ...within, ...entries]
}

const marker = "attack-goes-here"

export function attackOn(target: Target, values: Record<string, string>, random: Random): AttackRequest {
  const { operation, part } = target
  const text = pick(random, hostileTexts)
  const isForm = part === "form" || (operation.json === undefined && operation.form !== undefined)
  const request: AttackRequest = {
    what: `${operation.method} ${operation.path} ${part} ${target.name}`,
    operation,
    url: urlOf(target, values, text, random),
    headers: operation.method === "GET" ? {} : { "content-type": "application/json" },
    payload: operation.method === "GET" ? undefined : JSON.stringify(sampleOf(operation.json)),
  }
  if (part === "header") request.headers[pick(random, hostileHeaders)] = headerText(text)
  if (part === "property") {
    const value = random(2) === 0 ? pick(random, hostileJson) : JSON.stringify(text)
    request.payload = bodyWith(operation.json, target.place).replace(`"${marker}"`, () => value)
    if (random(20) === 0) request.payload = request.payload.slice(0, random(request.payload.length))
  }
  if (part === "body") request.payload = wholeBody(operation, random)
  if (isForm) Object.assign(request, hostileForm(operation.form, text, random))
  return request
}

/** A header may hold what HTTP allows; the rest never arrives. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 8000)
}

function urlOf(
  { operation, part, name }: Target,
  values: Record<string, string>,
  text: string,
  random: Random,
) {
  const encoded = text.isWellFormed() ? encodeURIComponent(text.slice(0, 5000)) : "%ED%A0%80"
  const written =
    random(10) === 0 ? text.slice(0, 5000).replace(/[^\x21-\x22\x24-\x3e\x40-\x7e]/g, "x") : encoded
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, parameter: string) =>
    part === "path" && parameter === name ? written || "%20" : encodeURIComponent(values[parameter] ?? "1"),
  )
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.required && parameter.name !== name)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(sampleOf(parameter.schema)))}`)
  if (part === "query") {
    const forms = [
      `${name}=${written}`,
      `${name}=${written}&${name}=1`,
      `${name}[]=${written}`,
      `${name}[__proto__]=${written}`,
    ]
    query.push(random(4) > 0 ? (forms[0] ?? "") : pick(random, forms))
  }
  return query.length > 0 ? `${path}?${query.join("&")}` : path
}

/** A sample of the body with the marker at a place, whatever must be there on the way. */
function bodyWith(schema: unknown, place: readonly (string | number)[]): string {
  const root = { body: sampleOf(schema) }
  let holder: Record<string | number, unknown> = root
  let key: string | number = "body"
  for (const next of place) {
    const held = holder[key]
    const isFit =
      typeof held === "object" && held !== null && Array.isArray(held) === (typeof next === "number")
    if (!isFit) holder[key] = typeof next === "number" ? [] : {}
    holder = holder[key] as Record<string | number, unknown>
    key = next
  }
  holder[key] = marker
  return JSON.stringify(root.body)
}

function wholeBody({ json }: Operation, random: Random): string {
  const sample = JSON.stringify(sampleOf(json))
  const padded = (bytes: number) => `{"padding":"${"x".repeat(bytes)}"}`
  const first = placesIn(json, 1)[0]?.[0] ?? "data"
  const filled = (unit: string, count: number) => `{"${first}":[${`${unit},`.repeat(count)}${unit}]}`
  return pick(random, [
    () => pick(random, hostileJson),
    () => sample.slice(0, Math.max(1, random(sample.length))),
    () => sample.replace("{", `{"__proto__":{"a":1},`),
    () => sample.replace("{", '{"\\u005f\\u005fproto__":{"a":1},'),
    () => sample + sample,
    () => `\uFEFF${sample}`,
    () => padded(64 * 1024 - 14),
    () => padded(64 * 1024),
    () => padded(2 * 1024 ** 2),
    () => padded(random(9 * 1024 ** 2)),
    () => filled("{}", 30_000),
    () => filled(sample, Math.ceil(300_000 / (sample.length + 1))),
    () => filled("1", 100_000),
    () => "",
  ])()
}

function hostileForm(
  schema: unknown,
  text: string,
  random: Random,
): Pick<AttackRequest, "headers" | "payload"> {
  const boundary = pick(random, ["b", "b", "b", "b", "", "x".repeat(70), "x".repeat(300), '"b'])
  const names = [...placesIn(schema, 1).map(([name]) => String(name)), "file", "__proto__", "constructor", ""]
  const part = () => {
    const file =
      random(2) === 0
        ? `; filename="${pick(random, ["a.csv", "a.xlsx", "a.xls", "a.png", "", "\u0000", "../a.js"])}"`
        : ""
    const type = random(3) === 0 ? "\r\nContent-Type: application/json" : ""
    const content =
      random(2) === 0
        ? text
        : pick(random, ["PK\u0003\u0004", "\u0089PNG\r\n\u001a\n", "a,b\r\n1,2\r\n", "{", "\xd0\xcf\x11\xe0"])
    return `--${boundary}\r\nContent-Disposition: form-data; name="${pick(random, names)}"${file}${type}\r\n\r\n${content}\r\n`
  }
  const whole = `${Array.from({ length: 1 + random(12) }, part).join("")}--${boundary}--\r\n`
  const payload = random(3) === 0 ? whole.slice(0, random(whole.length)) : whole
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, payload }
}
