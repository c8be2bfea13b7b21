import { escapeHtml, inlineHtml, markdownHtml } from "./markdown.ts"

/**
 * The API description as a page for readers: plain HTML without a script, so that it works under a content security
 * policy that allows none. Sections open and close by themselves (`details`).
 */
export interface Description {
  info: { title: string; version: string; description?: string }
  tags?: readonly { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Response>
  }
}

interface Operation {
  tags?: readonly string[]
  operationId?: string
  summary?: string
  description?: string
  security?: readonly unknown[]
  parameters?: readonly (Parameter & Reference)[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, Response>
}

interface Response extends Reference {
  description?: string
  content?: Record<string, { schema?: Schema }>
}

interface Reference {
  $ref?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface Schema extends Reference {
  type?: string | readonly string[]
  description?: string
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

const maxDepth = 8

export function referencePage(description: Description): string {
  const { info, paths, tags = [], components } = description
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? "Other")
  const sections = [...byTag].map(([tag, members]) => {
    const text = tags.find(({ name }) => name === tag)?.description
    const shown = members.map((member) => operationHtml(member, components ?? {}))
    return `<section id="${idOf(tag)}"><h2>${escapeHtml(tag)}</h2>${paragraph(text)}${shown.join("")}</section>`
  })
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${schemaHtml(schema, 0)}</details>`,
  )
  const links = [...byTag.keys()].map((tag) => `<li><a href="#${idOf(tag)}">${escapeHtml(tag)}</a></li>`)
  return pageHtml(
    `${info.title} API`,
    `${links.join("")}<li><a href="#schemas">Schemas</a></li><li><a href="/docs/errors">Error codes</a></li>`,
    `<h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1>${paragraph(info.description)}
<p>For programs: <a href="/api/v3/openapi.json">openapi.json</a></p>
${sections.join("\n")}<section id="schemas"><h2>Schemas</h2>${schemas.join("\n")}</section>`,
  )
}

/** The catalogue of errors, which is written in Markdown, as a page. */
export function errorPage(catalogue: string): string {
  return pageHtml("Error codes", '<li><a href="/docs">API</a></li>', markdownHtml(catalogue))
}

function pageHtml(title: string, links: string, main: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs/reference.css"><link rel="icon" href="data:,"></head>
<body><nav aria-label="Sections"><ul>${links}</ul></nav>
<main>${main}</main></body></html>
`
}

function operationHtml(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  shared: NonNullable<Description["components"]>,
): string {
  const parameters = (operation.parameters ?? []).flatMap(
    (one) => shared.parameters?.[nameOf(one)] ?? (one.$ref ? [] : one),
  )
  const rows = parameters.map(
    ({ name, in: place, required, schema = {}, description = schema.description }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? " *" : ""}</td><td>${escapeHtml(place)}</td><td>${kindHtml(schema)}</td><td>${inlineHtml(description ?? "")}</td></tr>`,
  )
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) => `<h4>Body, ${escapeHtml(type)}</h4>${schemaHtml(schema, 0)}`,
  )
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const { description = "", content = {} } = shared.responses?.[nameOf(response)] ?? response
    const schema = Object.values(content)[0]?.schema
    return `<h4>${escapeHtml(status)} ${inlineHtml(description)}</h4>${schema ? schemaHtml(schema, 0) : ""}`
  })
  const title = `<span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code>`
  const table =
    rows.length > 0
      ? `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table>`
      : ""
  const access = operation.security === undefined ? "<p>Public: no token is needed.</p>" : ""
  return `<details id="${escapeHtml(operation.operationId ?? `${method} ${path}`)}"><summary>${title} ${inlineHtml(operation.summary ?? "")}</summary>${paragraph(operation.description)}${access}${table}${bodies.join("")}${responses.join("")}</details>`
}

/** The properties of an object, and those within. */
function schemaHtml(schema: Schema, depth: number): string {
  if (schema.allOf) return schema.allOf.map((part) => schemaHtml(part, depth)).join("")
  if (schema.items && !schema.$ref) return `<p>${kindHtml(schema)}</p>${partsHtml(schema.items, depth + 1)}`
  if (!schema.properties) return `<p>${kindHtml(schema)}</p>`
  return partsHtml(schema, depth)
}

function partsHtml({ properties, required = [] }: Schema, depth: number): string {
  if (!properties || depth > maxDepth) return ""
  const entries = Object.entries(properties).map(([name, property]) => {
    const star = required.includes(name) ? " *" : ""
    const text = property.description ? `: ${inlineHtml(property.description)}` : ""
    const within = property.items ?? property
    return `<li><code>${escapeHtml(name)}</code>${star} ${kindHtml(property)}${text}${partsHtml(within, depth + 1)}</li>`
  })
  return `<ul>${entries.join("")}</ul>`
}

function kindHtml(schema: Schema): string {
  const name = nameOf(schema)
  if (name) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`
  const members = schema.anyOf ?? schema.oneOf
  if (members) return members.map(kindHtml).join(" or ")
  if (schema.allOf) return schema.allOf.map(kindHtml).join(" and ")
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (schema.enum)
    return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(" or ")
  if (schema.items) return `list of ${kindHtml(schema.items)}`
  const type = [schema.type ?? "any"].flat().join(" or ")
  return escapeHtml(schema.format ? `${type} (${schema.format})` : type)
}

function nameOf({ $ref }: Reference): string {
  return $ref?.split("/").at(-1) ?? ""
}

function idOf(tag: string): string {
  return `tag-${encodeURIComponent(tag.toLowerCase().replaceAll(" ", "-"))}`
}

function paragraph(text: string | undefined): string {
  return text ? markdownHtml(text) : ""
}
