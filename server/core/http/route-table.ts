import type { RouteOptions } from "fastify"

/** Which methods each address takes, so that a wrong method can be told from a wrong address. */
const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()

export function rememberRoute(route: RouteOptions): void {
  if (route.method === "OPTIONS" || route.url.endsWith("*")) return
  const known = routes.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set<string>() }
  for (const method of [route.method].flat()) known.methods.add(method)
  routes.set(route.url, known)
}

function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/")
  return new RegExp(`^${source}/*$`)
}

/** The methods of whatever routes match a path, literal addresses before those with parameters. */
export function allowedMethods(path: string): string[] {
  const matching = [...routes.values()].filter((route) => route.pattern.test(path))
  return [...new Set(matching.flatMap((route) => [...route.methods]))].sort()
}
