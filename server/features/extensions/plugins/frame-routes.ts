import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { text as textOf } from "node:stream/consumers"
import type { FastifyReply, FastifyRequest } from "fastify"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { isModule } from "./inspect-files.ts"
import { listRunningPlugins, type RunningPlugin } from "./installations.ts"

const bridge = readFileSync(new URL("frame/bridge.js", import.meta.url), "utf8")

interface FrameId {
  organizationId: string
  pluginId: string
}

interface FrameRequest {
  Params: FrameId
  Querystring: { expires?: string; signature?: string }
}

const keyOf = ({ organizationId, pluginId }: FrameId) => `${organizationId}/plugin-frames/${pluginId}`
const pathOf = ({ organizationId, pluginId }: FrameId) => `/plugin-frames/${organizationId}/${pluginId}`

/** A path beside the console: it is outside of /api, so that not even its first request carries the session. */
export function frameUrl(links: SignedLinks, id: FrameId, now: Temporal.Instant): string {
  return `${pathOf(id)}${new URL(links.sign(keyOf(id), now)).search}`
}

/**
 * The page that runs a plugin: our bridge and its script, in an origin of its own that has no cookie, no
 * storage and no network. Addresses are signed; a plugin that is switched off returns 404.
 */
export function pluginFrameRoutes(app: App): void {
  const find = async (request: FastifyRequest<FrameRequest>): Promise<RunningPlugin> => {
    const { params, query } = request
    const isSigned = app.links.verify(keyOf(params), query, app.clock.now())
    const [plugin] = isSigned ? await listRunningPlugins(app.sql, params.organizationId, params.pluginId) : []
    if (!plugin) throw new AppError(404, "plugn-033", "This plugin is not active")
    return plugin
  }
  const read = async (plugin: RunningPlugin): Promise<string> => {
    const found = await app.objects.open(plugin.scriptKey)
    if (!found) throw new AppError(404, "plugn-033", "The script of this plugin no longer exists")
    return textOf(found.stream)
  }

  app.get<FrameRequest>("/plugin-frames/:organizationId/:pluginId", {
    schema: { hide: true },
    async handler(request, reply) {
      const plugin = await find(request)
      const script = await read(plugin)
      const nonce = randomBytes(16).toString("base64")
      const source = `${pathOf(request.params)}/script.js${new URL(request.url, "http://frame").search}`
      return secured(reply, nonce)
        .type("text/html; charset=utf-8")
        .send(
          framePage({
            nonce,
            source,
            isModule: await isModule(
              app.objects,
              { organizationId: request.params.organizationId, scriptKey: plugin.scriptKey },
              script,
            ),
          }),
        )
    },
  })

  app.get<FrameRequest>("/plugin-frames/:organizationId/:pluginId/script.js", {
    schema: { hide: true },
    async handler(request, reply) {
      const script = await read(await find(request))
      // The frame's origin is nobody's: without this header its own script would come from a stranger.
      return secured(reply, "none")
        .header("access-control-allow-origin", "*")
        .type("text/javascript; charset=utf-8")
        .send(script)
    },
  })
}

/** No network at all, nothing but these two scripts, and an opaque origin even when opened by itself. */
function secured(reply: FastifyReply, nonce: string): FastifyReply {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ")
  return reply.headers({
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "permissions-policy": "geolocation=(), camera=(), microphone=(), display-capture=(), clipboard-read=()",
    "cache-control": "no-store",
  })
}

function framePage({ nonce, source, isModule }: { nonce: string; source: string; isModule: boolean }) {
  const attributes = `nonce="${nonce}" crossorigin="anonymous"${isModule ? ' type="module"' : ""}`
  const escaped = source.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Plugin</title>
<script nonce="${nonce}">${bridge}</script>
<script ${attributes} src="${escaped}"></script>
</html>
`
}
