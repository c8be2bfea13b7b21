import type { RouteOptions } from "fastify"
import type { App } from "../types.ts"

/** When a route became deprecated and when it ends, as calendar dates in UTC, and what to use instead. */
export interface Deprecated {
  since: string
  sunset: string
  /** Path of the replacement, or a page about it. */
  replacement: string
}

/**
 * Routes with `config.deprecated` say so in each response: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to
 * what replaces them. The OpenAPI document marks them.
 */
export function installDeprecation(api: App): void {
  api.addHook("onRoute", (route: RouteOptions) => {
    const { deprecated } = route.config ?? {}
    if (!deprecated) return
    const { since, sunset, replacement } = deprecated
    const [from, until] = [Date.parse(`${since}T00:00:00Z`), Date.parse(`${sunset}T00:00:00Z`)]
    if (!(from < until))
      throw new Error(`${route.url}: deprecated.since must be a date before deprecated.sunset`)
    const headers = {
      deprecation: `@${from / 1000}`,
      sunset: new Date(until).toUTCString(),
      link: `<${replacement}>; rel="successor-version"`,
    }
    const schema = (route.schema ?? {}) as { description?: string }
    const note = `Deprecated since ${since}, removed on ${sunset}: use ${replacement}.`
    route.schema = {
      ...schema,
      deprecated: true,
      description: schema.description ? `${note} ${schema.description}` : note,
    }
    route.onRequest = [
      async (_request, reply) => {
        reply.headers(headers)
      },
      ...[route.onRequest ?? []].flat(),
    ]
  })
}
