import type { FastifyContextConfig, RouteOptions } from "fastify"

export interface DeclaredRoute {
  method: string
  /** The pattern, with /api/v3, such as `/api/v3/hub/:hubId`. */
  url: string
  config: FastifyContextConfig
  bodyLimit: number | undefined
  schema: {
    body?: unknown
    params?: unknown
    querystring?: unknown
    response?: Record<string, unknown>
    form?: unknown
    operationId?: string
  }
}

/** All routes of the API: to distinguish a wrong method from a wrong address, and for tests that walk them all. */
export interface RouteTable {
  add(route: RouteOptions): void
  routes(): readonly DeclaredRoute[]
  /** The methods of whatever routes match a path. */
  allowedMethods(path: string): string[]
}

export function createRouteTable(): RouteTable {
  const routes: (DeclaredRoute & { pattern: RegExp })[] = []
  return {
    add(route) {
      for (const method of [route.method].flat()) {
        if (method === "OPTIONS" || route.url.endsWith("*")) continue
        routes.push({
          method,
          url: route.url,
          // Read when asked: hooks of the feature complete the route after this one.
          get config() {
            return route.config ?? {}
          },
          get bodyLimit() {
            return route.bodyLimit
          },
          schema: (route.schema ?? {}) as DeclaredRoute["schema"],
          pattern: patternOf(route.url),
        })
      }
    },
    routes: () => routes,
    allowedMethods: (path) => {
      const matching = routes.filter((route) => route.pattern.test(path))
      return [...new Set(matching.map((route) => route.method))].sort()
    },
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/")
  return new RegExp(`^${source}/*$`)
}
