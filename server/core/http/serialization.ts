import buildSerializer, { type Schema } from "fast-json-stringify"
import type { FastifySerializerCompiler } from "fastify"

/** Fastify's serializers, each compiled for the first response of its kind, which keeps the start fast. */
export const compileSerializer: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let write: ReturnType<typeof buildSerializer> | undefined
  const serialize = (response: unknown) => {
    write ??= buildSerializer(schema)
    return write(response)
  }
  return Object.assign(serialize, { schema })
}
