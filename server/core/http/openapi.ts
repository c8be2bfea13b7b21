import swagger from "@fastify/swagger"
import fastify, { type FastifyInstance, type RouteOptions } from "fastify"
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

/** A file in the `form` of a route's schema. */
export const FilePart = (description: string) => Type.String({ format: "binary", description })

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

const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

/**
 * The description itself, and a readable page made from it. That page's own script needs a wider policy
 * than the console's; no session cookie reaches /docs, as it is bound to /api.
 */
export async function registerDescriptionRoutes(app: App): Promise<void> {
  app.get("/api/v3/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    reply.header("access-control-allow-origin", "*")
    return app.swagger()
  })
  let page: Promise<FastifyInstance> | undefined
  app.get("/docs*", { schema: { hide: true } }, async (request, reply) => {
    page ??= createReferencePage()
    const answer = await (await page).inject({
      url: request.url,
      headers: { accept: request.headers.accept ?? "*/*" },
    })
    reply.code(answer.statusCode).headers(answer.headers).header("content-security-policy", referencePolicy)
    return reply.send(answer.rawPayload)
  })
}

/** The page's bundle is megabytes that most processes never serve, so it is loaded when somebody asks. */
async function createReferencePage(): Promise<FastifyInstance> {
  const { default: reference } = await import("@scalar/fastify-api-reference")
  const configuration = {
    url: "/api/v3/openapi.json",
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
  }
  const site = fastify({ logger: false })
  await site.register(reference, { routePrefix: "/docs", configuration } as never)
  await site.ready()
  return site
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
    // What a form holds is told to readers, and not compiled: it is taken apart while it arrives.
    transform: ({ schema, url }) => ({
      schema: schema.form ? { ...schema, body: schema.form } : schema,
      url,
    }),
  })
}
