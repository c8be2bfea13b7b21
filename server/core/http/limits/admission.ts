import { availableParallelism } from "node:os"
import { Readable } from "node:stream"
import type { FastifyReply, FastifyRequest } from "fastify"
import { createFairSlots, type FairSlots } from "../../fairness/fair-slots.ts"
import type { App } from "../types.ts"
import { takesBody } from "./body-kinds.ts"
import { canForward, clientLeft, forward, type HeavyRequests, isForm, readUntil } from "./heavy-requests.ts"

/**
 * How much of the process a request may take.
 * - `light`: most calls; a few milliseconds of the database each.
 * - `medium`: pages of more than 50 rows. On the request thread a list of 100 delays every other request by 5 to 10 ms,
 *   so while other organizations are active such pages are read on the background thread; else they are light.
 * - `heavy`: large pages, searches within text, exports, large bodies: seconds of a processor each.
 * - `waiting`: mostly waits for something else than the database: an upload, a plan, another service.
 * - `free`: bounded by other means (positions, event streams), or next to nothing (`quick`).
 */
export type Admission = "light" | "medium" | "heavy" | "waiting" | "free"

const mediumRows = 50
const heavyRows = 1_000
export const heavyBodyBytes = 256 * 1024
/** Longer than any response takes on an idle server; clients have given up by then. */
const waitMilliseconds = 10_000

/**
 * At most so many requests of a class at a time, in all and of one organization. Light ones and heavy ones together
 * use no more connections than the pool has (`start.ts`), so that a free slot is a free connection.
 */
function createClasses(): Record<Exclude<Admission, "free">, FairSlots> {
  const cores = availableParallelism()
  const common = { waitingPerKey: 1_000, waitMilliseconds }
  return {
    // Enough to keep every processor busy: more would only make each statement of another organization wait longer.
    light: createFairSlots({
      ...common,
      slots: 16,
      perKey: Math.min(8, Math.max(3, 2 * cores - 1)),
      perKeyShared: Math.min(8, Math.max(2, cores)),
    }),
    medium: createFairSlots({ ...common, slots: 4, perKey: 2, perKeyShared: 1 }),
    heavy: createFairSlots({
      ...common,
      slots: Math.min(4, Math.max(2, cores)),
      perKey: Math.min(2, Math.max(1, Math.floor(cores / 2))),
      waitingPerKey: 50,
      waitMilliseconds: 30_000,
    }),
    // What they wait for has a time limit of its own.
    waiting: createFairSlots({ ...common, slots: 128, perKey: 16, waitMilliseconds: 45_000 }),
  }
}

/**
 * Lets requests of signed-in callers begin in a fair order, and gives the slot back as soon as the response is complete:
 * slow readers hold no slot. Heavy requests are recognized before their body is read, and handled by `heavy`; the
 * others wait behind the checks of permission and shape.
 */
export function installAdmission(api: App, heavy?: HeavyRequests): void {
  const classes = createClasses()
  const admit = async (admission: keyof typeof classes, request: FastifyRequest, reply: FastifyReply) => {
    const left = new AbortController()
    const leave = () => left.abort(clientLeft())
    reply.raw.once("close", leave)
    try {
      await classes[admission].take(request.caller.organizationId, left.signal)
      request.admitted = admission
    } finally {
      reply.raw.off("close", leave)
    }
  }
  api.decorateRequest("admitted", undefined)
  if (heavy)
    api.addHook("onRequest", async (request, reply) => {
      if (!request.identified || request.isInternal || !canForward(request)) return
      const admission = admissionOf(request)
      const isForwarded =
        admission === "heavy" ||
        (admission === "medium" && !classes.light.isAlone(request.caller.organizationId))
      if (!isForwarded) return
      await admit(admission, request, reply)
      return forward(heavy, request, reply)
    })
  if (heavy)
    api.addHook("preParsing", async (request, reply, payload) => {
      if (request.admitted || !isOfUnknownLength(request)) return
      const { chunks, isWhole } = await readUntil(request.raw, heavyBodyBytes)
      if (isWhole) return Readable.from(chunks, { objectMode: false })
      await admit("heavy", request, reply)
      await forward(heavy, request, reply, chunks)
      return payload
    })
  api.addHook("preHandler", (request, reply, done) => {
    const isWaiting = request.identified && !request.isInternal && !request.admitted
    const wanted = isWaiting ? admissionOf(request) : "free"
    if (wanted === "free") return done()
    // A medium request that was not forwarded.
    const admission = wanted === "medium" ? "light" : wanted
    if (classes[admission].tryTake(request.caller.organizationId)) {
      request.admitted = admission
      return done()
    }
    admit(admission, request, reply).then(() => done(), done)
  })
  api.addHook("onSend", (request, _reply, _payload, done) => {
    if (request.admitted !== undefined) {
      classes[request.admitted].release(request.caller.organizationId)
      request.admitted = undefined
    }
    done()
  })
}

/** Whether only the body, whose length is not announced, shows if the request is heavy. */
function isOfUnknownLength(request: FastifyRequest): boolean {
  const { method, headers, routeOptions, identified, isInternal } = request
  const isChunked = takesBody(method) && headers["transfer-encoding"] !== undefined
  const mayBeLong = (routeOptions.bodyLimit ?? 0) > heavyBodyBytes
  return (
    identified !== undefined && !isInternal && isChunked && mayBeLong && fixedAdmission(request) === undefined
  )
}

/** The class of requests whose size and query do not matter. */
function fixedAdmission(request: FastifyRequest): Admission | undefined {
  const { admission, quick, rateBucket } = request.routeOptions.config
  if (admission !== undefined) return admission
  if (quick || rateBucket !== undefined) return "free"
  return isForm(request) ? "waiting" : undefined
}

export function admissionOf(request: FastifyRequest): Admission {
  const fixed = fixedAdmission(request)
  if (fixed) return fixed
  const bytes = Number(request.headers["content-length"] ?? 0)
  return bytes > heavyBodyBytes ? "heavy" : admissionOfQuery(request)
}

function admissionOfQuery({ query, url }: FastifyRequest): "light" | "medium" | "heavy" {
  if (!url.includes("?")) return "light"
  // Text until the query is validated.
  const limit = Number((query as { limit?: unknown }).limit)
  if (limit > heavyRows || limit === -1) return "heavy"
  if (Object.keys(query as object).some((name) => name.endsWith("[contains]"))) return "heavy"
  return limit > mediumRows ? "medium" : "light"
}
