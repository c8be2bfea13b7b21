/** A JSON value of the OpenAPI document. */
type Json = unknown
type Members = Record<string, Json>

const nameForm = /^[A-Z][A-Za-z0-9]*$/

/**
 * Moves every schema with a `title` into `components.schemas` and refers to it from where it stood, so that generated
 * clients get named types and the document says each thing once. Throws when two different schemas share a title.
 */
export function extractComponents(document: Members): Members {
  const schemas: Record<string, Json> = {}
  const texts = new Map<string, string>()
  const isSchemaPlace = (key: string) => key !== "info" && key !== "tags"

  const define = (name: string, schema: Members): Json => {
    const text = JSON.stringify(schema)
    const known = texts.get(name)
    if (known !== undefined && known !== text)
      throw new Error(`two different schemas have the title ${name}: give one of them another title`)
    texts.set(name, text)
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== "object" || value === null) return value
    const members = value as Members
    const visited = Object.fromEntries(
      Object.entries(members).map(([key, held]) => [key, key === "example" ? held : visit(held)]),
    )
    const { title, ...schema } = visited
    if (typeof title !== "string" || !nameForm.test(title) || schema.type !== "object") return visited
    return title === "Paginator" ? pageOf(schema, define) : define(title, schema)
  }

  const visited = Object.fromEntries(
    Object.entries(document).map(([key, held]) => [key, isSchemaPlace(key) ? visit(held) : held]),
  )
  const components = (visited.components ?? {}) as Members
  return {
    ...visited,
    components: { ...components, schemas: { ...(components.schemas as Members), ...sorted(schemas) } },
  }
}

/** A page: the keys that every page has by reference, and the kind of its rows. */
function pageOf(schema: Members, define: (name: string, schema: Members) => Json): Json {
  const { data, ...common } = schema.properties as Members
  const required = (schema.required as string[]).filter((name) => name !== "data")
  return {
    allOf: [
      define("Paginator", { ...schema, properties: common, required }),
      { type: "object", properties: { data }, required: ["data"] },
    ],
  }
}

function sorted(schemas: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
