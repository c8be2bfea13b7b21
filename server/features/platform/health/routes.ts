import type { FastifyRequest } from "fastify"
import { ping } from "#core/database/database.ts"
import type { Dependencies } from "#core/http/server.ts"
import type { App } from "#core/http/types.ts"

/** For load balancers, orchestrators and Prometheus. They live beside the API, without its envelopes. */
export function healthRoutes(
  app: App,
  { metrics, readiness }: Pick<Dependencies, "metrics" | "readiness">,
): void {
  app.get("/health/live", { schema: { hide: true }, handler: async () => ({ status: "live" }) })

  app.get("/health/ready", {
    schema: { hide: true },
    async handler(_request, reply) {
      if (readiness?.isDraining) {
        reply.code(503).header("retry-after", "2")
        return { status: "not ready", reason: "stopping" }
      }
      try {
        await withinSeconds(2, ping(app.sql))
        return { status: "ready" }
      } catch (error) {
        reply.code(503).header("retry-after", "2")
        return { status: "not ready", reason: `database: ${(error as Error).message}` }
      }
    },
  })

  app.get("/metrics", {
    schema: { hide: true },
    async handler(request, reply) {
      if (!(isLocal(request) || (await mayObserve(app, request)))) {
        reply.code(401)
        return {
          status: false,
          message: "Metrics are available on this machine, or with a token that has edit/organization",
        }
      }
      reply.type(metrics.registry.contentType)
      return metrics.registry.metrics()
    },
  })
}

/** What a proxy adds to a request. Behind one that runs on this machine, everybody comes from this machine. */
const forwardingHeaders = ["forwarded", "via", "x-real-ip"]

function isLocal(request: FastifyRequest): boolean {
  const isForwarded = Object.keys(request.headers).some(
    (name) => name.startsWith("x-forwarded-") || forwardingHeaders.includes(name),
  )
  return !isForwarded && isLoopback(request.ip)
}

function isLoopback(ip: string): boolean {
  return ip === "127.0.0.1" || ip === "::1" || ip === "::ffff:127.0.0.1"
}

async function mayObserve(app: App, request: FastifyRequest): Promise<boolean> {
  const caller = await app.identify(request)
  return caller?.permissions.has("edit/organization") ?? false
}

function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      setTimeout(reject, seconds * 1000, new Error(`no response within ${seconds} s`)).unref()
    }),
  ])
}
