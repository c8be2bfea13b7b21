/** The least that a schema takes: every required property, each as simple as its schema allows. */
export function sampleOf(schema: unknown): unknown {
  const shape = (schema ?? {}) as Shape
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.examples) return shape.examples[0]
  if (shape.anyOf) return sampleOf(shape.anyOf[0])
  switch (shape.type) {
    case "object": {
      const required = shape.required ?? []
      return Object.fromEntries(required.map((name) => [name, sampleOf(shape.properties?.[name])]))
    }
    case "array":
      return Array.from({ length: shape.minItems ?? 0 }, () => sampleOf(shape.items))
    case "integer":
    case "number":
      return shape.minimum ?? 1
    case "boolean":
      return true
    case "null":
      return null
    case undefined:
      return {}
    default:
      return sampleText(shape)
  }
}

interface Shape {
  type?: string
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: unknown[]
  properties?: Record<string, unknown>
  required?: string[]
  items?: unknown
  minItems?: number
  minimum?: number
  minLength?: number
  format?: string
  pattern?: string
}

const formats: Record<string, string> = {
  email: "somebody@fieldway.test",
  "wire-date-time": "2031-05-04 03:02:01",
  "wire-date": "2031-05-04",
  "wire-time-bound": "2031-05-04",
  "wire-time": "03:02",
  uri: "https://fieldway.test/",
}

function sampleText(shape: Shape): string {
  if (shape.format) return formats[shape.format] ?? "text"
  if (shape.pattern?.includes("a-f")) return "6a01c0ffee5de0b4a7710c11"
  if (shape.pattern?.includes("\\d") || shape.pattern?.includes("0-9")) return "1"
  return "x".repeat(Math.max(1, shape.minLength ?? 1))
}
