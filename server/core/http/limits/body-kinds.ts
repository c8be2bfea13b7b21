import type { FastifyContextConfig, RouteOptions } from "fastify"
import type { Config } from "../../config.ts"
import { AppError } from "../../errors.ts"

const [kB, MB] = [1024, 1024 ** 2]

/**
 * How large the body of a request may be, by what the route is for. A route declares its kind as `config.body`;
 * without one it is `form` where it takes a multipart form, `account` where strangers may call it, else `object`.
 */
const kinds = {
  /** Sign-in, accounts and other settings of one person. */
  account: () => 64 * kB,
  /** The signed response of a company directory. */
  saml: () => 256 * kB,
  /** One object. */
  object: ({ bodyMaxBytes }: Config) => Math.min(2 * MB, bodyMaxBytes),
  /** One object that can be long: a flow, a template, a task with lists. */
  document: ({ bodyMaxBytes }: Config) => Math.min(8 * MB, bodyMaxBytes),
  /** What a tracker collected while it had no connection. */
  device: ({ bodyMaxBytes }: Config) => Math.min(4 * MB, bodyMaxBytes),
  /** A recorded track as a file. */
  track: () => 64 * MB,
  /** Many objects at once, and routing. */
  bulk: ({ bodyMaxBytes }: Config) => bodyMaxBytes,
  /** A multipart form with small files: pictures, scripts, certificates. */
  form: () => 24 * MB,
  /** A multipart form with a file to import, and what fits beside it. */
  upload: ({ importMaxBytes }: Config) => importMaxBytes + 2 * MB,
  /** A multipart form with an extract of OpenStreetMap. */
  map: () => 8 * 1024 * MB,
} as const satisfies Record<string, (config: Config) => number>

export type BodyKind = keyof typeof kinds

export const multipartKinds: ReadonlySet<BodyKind> = new Set(["form", "upload", "map"])
const bodyless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

export function takesBody(method: string): boolean {
  return !bodyless.has(method)
}

interface KindOfRoute {
  config?: FastifyContextConfig | undefined
  schema?: { form?: unknown } | undefined
}

export function bodyKindOf({ config, schema }: KindOfRoute): BodyKind {
  if (config?.body) return config.body
  if (schema?.form !== undefined) return "form"
  return config?.public ? "account" : "object"
}

/** Most bytes of a body of the kind. */
export function bodyBytes(kind: BodyKind, config: Config): number {
  return kinds[kind](config)
}

/** Gives a route the limit of its kind; runs once the route's configuration is complete. */
export function limitBody(route: RouteOptions, config: Config): void {
  if (![route.method].flat().some(takesBody)) return
  const kind = bodyKindOf(route)
  if (route.schema?.form !== undefined && !multipartKinds.has(kind))
    throw new Error(
      `${String(route.method)} ${route.url} describes a form, but its body is of the kind ${kind}`,
    )
  route.config = { ...route.config, body: kind }
  // Fields of a form may come as JSON too.
  route.bodyLimit = bodyBytes(multipartKinds.has(kind) ? "object" : kind, config)
}

export function bodyTooLarge(module: string, limit: number): AppError {
  const code = module === "import" ? "import-002" : `${module}-040`
  return new AppError(413, code, `The request is larger than the limit of ${bytesText(limit)}`)
}

function bytesText(bytes: number): string {
  return bytes < MB ? `${Math.floor(bytes / kB)} kB` : `${Math.floor(bytes / MB)} MB`
}
