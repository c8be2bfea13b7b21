import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import fastifyStatic from "@fastify/static"
import type { FastifyReply } from "fastify"
import type { Config } from "#core/config.ts"
import { AppError, errorEnvelope } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { styleOrigins } from "../../location/maps/index.ts"

const folder = fileURLToPath(new URL("../../../../console/dist/", import.meta.url))

/**
 * The web console: built files, with the start page for every address that is no file, as its router
 * knows the pages. Names of built files carry a hash of their content, hence cached forever.
 */
export async function consoleRoutes(app: App): Promise<void> {
  const policy = contentSecurityPolicy(mapOrigins(app.settings))
  // The barcode reader of the phone page is WebAssembly.
  const fieldPolicy = policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
  const policyOf = (url: string) => (/^\/field(?:[/?]|$)/.test(url) ? fieldPolicy : policy)
  const isBuilt = existsSync(`${folder}index.html`)
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: ["index.html"],
      schemaHide: true,
      preCompressed: true,
      setHeaders: (reply: Pick<FastifyReply, "header" | "hasHeader">, path: string) => {
        const isHashed = path.includes("/assets/")
        reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache")
        // The start page has those of the address that it is sent for.
        if (reply.hasHeader("content-security-policy")) return
        for (const [name, value] of Object.entries(securityHeaders(policy))) reply.header(name, value)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === "GET" || request.method === "HEAD"
    // Built since this process started, which knows the files of its start.
    const file = /^\/(assets\/[\w.-]+)$/.exec(request.url)?.[1]
    if (isRead && isBuilt && file !== undefined && existsSync(folder + file)) return reply.sendFile(file)
    const isPage = isRead && (request.headers.accept ?? "").includes("text/html")
    if (isPage && isBuilt) {
      reply.headers({ ...securityHeaders(policyOf(request.url)), "cache-control": "no-cache" })
      return reply.sendFile("index.html")
    }
    const message = isPage
      ? "The console is not built. Run npm run build"
      : "There is nothing at this address. The API is under /api/v3"
    return reply.code(404).send(errorEnvelope(new AppError(404, "sys-033", message)))
  })
}

function securityHeaders(policy: string): Record<string, string> {
  return {
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "geolocation=(self), camera=(self), microphone=(self)",
  }
}

/** Origins of the operator's own style and of further map layers. */
function mapOrigins(config: Config): string[] {
  const ofLayers = config.mapLayers.map(({ tiles }) => new URL(tiles).origin)
  return [...new Set([...styleOrigins(config), ...ofLayers])]
}

/** Scripts only from here; styles may be inline, as the component library sets them; tiles from the maps' origins. */
function contentSecurityPolicy(origins: readonly string[]): string {
  const map = origins.map((origin) => ` ${origin}`).join("")
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${map}`,
    "media-src 'self' blob:",
    `connect-src 'self'${map}`,
    "worker-src 'self' blob:",
    "font-src 'self' data:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")
}
