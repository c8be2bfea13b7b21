import swagger from "@fastify/swagger"
import fastify, { type FastifyInstance } from "fastify"
import { Type } from "typebox"
import { renderErrorCatalogue } from "./error-catalogue.ts"
import { extractComponents } from "./openapi-components.ts"
import { completeOperations, sharedComponents, shareParameters } from "./openapi-operations.ts"
import type { App } from "./types.ts"

/** A file in the `form` of a route's schema. */
export const FilePart = (description: string) => Type.String({ format: "binary", description })

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
  app.get("/docs/errors.md", { schema: { hide: true } }, async (_request, reply) => {
    reply.type("text/markdown; charset=utf-8")
    return renderErrorCatalogue()
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

/** What the document says beside the routes: a text per tag, what webhooks send, and examples. */
export interface OpenApiTexts {
  tags: readonly { name: string; description: string }[]
  webhooks: Record<string, unknown>
  /** Request bodies by operation. */
  examples: Record<string, unknown>
}

export async function registerOpenApi(
  app: App,
  version: string,
  publicUrl: string,
  { tags, webhooks, examples }: OpenApiTexts,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Fieldway",
        version,
        description:
          "Field operations, delivery and logistics: tasks, people, places and positions. Errors carry a `failedCode`: see the [list of error codes](/docs/errors.md).",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
        contact: { name: "The operator of this server", url: publicUrl },
      },
      servers: [{ url: publicUrl }],
      tags: [...tags],
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
    // Forms are documented but not compiled: the handler reads them while they arrive.
    transform: ({ schema, url }) => ({
      schema: schema.form ? { ...schema, body: schema.form } : schema,
      url,
    }),
    transformObject: (document) => {
      const { openapiObject } = document as unknown as { openapiObject: Record<string, unknown> }
      const paths = completeOperations(openapiObject.paths as never, examples)
      const { components } = openapiObject as { components: Record<string, unknown> }
      return extractComponents({
        ...openapiObject,
        paths,
        webhooks,
        components: {
          ...components,
          ...sharedComponents,
          parameters: { ...sharedComponents.parameters, ...shareParameters(paths) },
        },
      }) as never
    },
  })
}
