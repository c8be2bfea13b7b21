import swagger from "@fastify/swagger"
import type { RouteOptions } from "fastify"
import { Type } from "typebox"
import type { App } from "./types.ts"

export const ErrorSchema = Type.Object(
  {
    status: Type.Literal(false),
    message: Type.String(),
    failedCode: Type.String({ description: "<module>-<three digits>" }),
    code: Type.Integer(),
    statusCode: Type.Integer(),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  },
  { additionalProperties: true, description: "A refusal" },
)

/** Says on every route of the API which refusals it can answer with and whether it takes a token. */
export function describeErrors(route: RouteOptions): void {
  if (route.method === "OPTIONS" || route.method === "HEAD") return
  const schema = (route.schema ?? {}) as Record<string, unknown>
  const isPublic = route.config?.public === true
  const response = (schema.response ?? {}) as Record<string, unknown>
  schema.response = { ...response, "4xx": ErrorSchema, "5xx": ErrorSchema }
  if (!isPublic) schema.security = [{ bearer: [] }, { apiKey: [] }, { session: [] }]
  route.schema = schema
}

export async function registerOpenApi(app: App, version: string, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Fieldway",
        version,
        description: "Field operations, delivery and logistics: tasks, people, places and positions.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description: "A session token or a personal access token",
          },
          apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "A personal access token" },
          session: {
            type: "apiKey",
            in: "cookie",
            name: "fieldway_session",
            description: "The console's session",
          },
        },
      },
    },
    hideUntagged: true,
  })
}
