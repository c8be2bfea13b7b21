import type { Readable } from "node:stream"
import swagger from "@fastify/swagger"
import { Type } from "typebox"
import type { ErrorTable } from "../../errors.ts"
import type { App } from "../types.ts"
import { renderErrorCatalogue } from "./error-catalogue.ts"
import { extractComponents } from "./openapi-components.ts"
import {
  completeOperations,
  type Operations,
  sharedComponents,
  shareParameters,
} from "./openapi-operations.ts"
import { type Description, errorPage, referencePage } from "./reference-page.ts"
import { referenceStyle } from "./reference-style.ts"

/** A file as a response. */
export const BinaryFile = Type.Unsafe<Buffer | Readable>(Type.String({ format: "binary" }))

/** A file in the `form` of a route's schema. */
export const FilePart = (description: string) => Type.String({ format: "binary", description })

const referencePolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The description itself, and a readable page made from it, without a script. */
export async function registerDescriptionRoutes(app: App, errorTables: readonly ErrorTable[]): Promise<void> {
  app.get("/api/v3/openapi.json", {
    schema: { hide: true },
    async handler(_request, reply) {
      reply.header("access-control-allow-origin", "*")
      return app.swagger()
    },
  })
  app.get("/docs/errors.md", {
    schema: { hide: true },
    async handler(_request, reply) {
      reply.type("text/markdown; charset=utf-8")
      return renderErrorCatalogue(errorTables)
    },
  })
  const htmlPage = (address: string, render: () => string) => {
    let page: string | undefined
    app.get(address, {
      schema: { hide: true },
      async handler(_request, reply) {
        page ??= render()
        reply.headers({ "content-security-policy": referencePolicy, "referrer-policy": "same-origin" })
        return reply.type("text/html; charset=utf-8").send(page)
      },
    })
  }
  htmlPage("/docs", () => referencePage(app.swagger() as Description))
  htmlPage("/docs/errors", () => errorPage(renderErrorCatalogue(errorTables)))
  app.get("/docs/reference.css", {
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.type("text/css; charset=utf-8").header("cache-control", "no-cache").send(referenceStyle),
  })
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
          "Field operations, delivery and logistics: tasks, people, places and positions. Errors have a `failedCode`; see the [list of error codes](/docs/errors).",
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
      if (!("openapiObject" in document)) return document.swaggerObject
      const { openapiObject } = document
      const paths = completeOperations(openapiObject.paths as Record<string, Operations>, examples)
      const { components } = openapiObject
      return extractComponents({
        ...openapiObject,
        paths,
        webhooks,
        components: {
          ...components,
          ...sharedComponents,
          parameters: { ...sharedComponents.parameters, ...shareParameters(paths) },
        },
      })
    },
  })
}
