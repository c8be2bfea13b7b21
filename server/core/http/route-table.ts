import type { RouteOptions } from "fastify"
import type { AccessDeclaration } from "../access/access.ts"

export interface DeclaredRoute {
  method: string
  /** The pattern, with /api/v3, such as `/api/v3/hub/:hubId`. */
  url: string
  config: AccessDeclaration & { module?: string; notFoundCode?: string; produces?: "other" }
  schema: {
    body?: unknown
    params?: unknown
    querystring?: unknown
    response?: Record<string, unknown>
    operationId?: string
  }
}

/** All routes of the API: to tell a wrong method from a wrong address, and for tests that walk them all. */
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
        const { config = {}, schema = {} } = route as unknown as DeclaredRoute
        routes.push({ method, url: route.url, config, schema, pattern: patternOf(route.url) })
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
