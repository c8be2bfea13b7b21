import buildSerializer, { type Schema } from "fast-json-stringify"
import type { FastifySerializerCompiler } from "fastify"

/** Fastify's serializers, each made when the first answer of its kind leaves: a start needs none of them. */
export const compileSerializer: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let write: ReturnType<typeof buildSerializer> | undefined
  const serialize = (response: unknown) => {
    write ??= buildSerializer(schema)
    return write(response)
  }
  return Object.assign(serialize, { schema })
}
