import buildSerializer, { type Schema } from "fast-json-stringify"
import type { FastifySerializerCompiler } from "fastify"

type Serializer = ReturnType<typeof buildSerializer>

/** By the text of the schema: most routes share their errors, and servers of one process all their schemas. */
const compiled = new Map<string, Serializer>()

/** Fastify's serializers, each compiled for the first response of its kind, which keeps the start fast. */
export const compileSerializer: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let write: Serializer | undefined
  const serialize = (response: unknown) => {
    write ??= serializerOf(schema)
    return write(response)
  }
  return Object.assign(serialize, { schema })
}

function serializerOf(schema: Schema): Serializer {
  const key = JSON.stringify(schema)
  const write = compiled.get(key) ?? buildSerializer(schema)
  compiled.set(key, write)
  return write
}
