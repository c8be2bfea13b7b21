import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"

interface FrameId {
  organizationId: string
  moduleId: string
}

interface FrameRequest {
  Params: FrameId
  Querystring: { expires?: string; signature?: string }
}

const keyOf = ({ organizationId, moduleId }: FrameId) => `${organizationId}/module-frames/${moduleId}`

/** Path of the page that shows an internal module; good for a day. */
export function moduleFrameUrl(links: SignedLinks, id: FrameId, now: Temporal.Instant): string {
  const { search } = new URL(links.sign(keyOf(id), now))
  return `/module-frames/${id.organizationId}/${id.moduleId}${search}`
}

/**
 * A page that holds one frame: the module's address. The console itself may only frame pages of this server, so
 * that neither it nor a plugin can ever be led elsewhere; this page may frame exactly one other origin.
 */
export function moduleFrameRoutes(app: App): void {
  app.get<FrameRequest>("/module-frames/:organizationId/:moduleId", {
    schema: { hide: true },
    async handler({ params, query }, reply) {
      const isSigned = app.links.verify(keyOf(params), query, app.clock.now())
      const [module] = isSigned
        ? await app.sql<{ url: string; name: string }[]>`
            select url, name from custom_modules
            where organization_id = ${params.organizationId} and id = ${params.moduleId} and type = 'internal'`
        : []
      if (!module) throw new AppError(404, "cmod-033", "This module does not exist")
      const url = new URL(module.url)
      const policy = [
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        `frame-src ${url.origin}`,
        "base-uri 'none'",
        "frame-ancestors 'self'",
      ].join("; ")
      return reply
        .headers({
          "content-security-policy": policy,
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": "no-store",
        })
        .type("text/html; charset=utf-8")
        .send(modulePage(url.href, module.name))
    },
  })
}

/** It may do what a tool needs, but not lead the whole window away. */
const allowed =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals"

function modulePage(url: string, name: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(name)}</title>
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style>
<iframe src="${escapeHtml(url)}" title="${escapeHtml(name)}" sandbox="${allowed}" referrerpolicy="no-referrer"></iframe>
</html>
`
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
}
