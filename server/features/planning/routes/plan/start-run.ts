import type { FastifyBaseLogger } from "fastify"
import pLimit from "p-limit"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { type Id, newId } from "#core/ids.ts"
import { ownedState } from "#core/owned-state.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { roadMapsOf, roadSupplyOf } from "../../../location/roads/index.ts"
import { routeErrors } from "../errors.ts"
import { laterThan, sendPlan } from "../jobs.ts"
import { findResult, insertResult, type ResultRow } from "../queries.ts"
import type { RoutingBody } from "../request-schemas.ts"
import { readRun } from "./read-run.ts"
import { runPlan } from "./run-plan.ts"

export interface RunRequest {
  app: App
  /** The request's handle: inside the transaction of an Idempotency-Key everything belongs to it. */
  sql: Sql
  isInTransaction: boolean
  caller: Caller
  createdFrom: "WEB" | "API"
  log: FastifyBaseLogger
}

/** Stores the run and has it planned in the background. */
export async function startRun(request: RunRequest, body: RoutingBody): Promise<ResultRow> {
  const id = await storeRun(request, body, "now")
  return readBack(request, id)
}

/** Stores the run and plans it here; a job stands by in case this process dies meanwhile. */
export async function planAndWait(request: RunRequest, body: RoutingBody): Promise<ResultRow> {
  const { app, sql, caller, isInTransaction } = request
  const id = await storeRun(request, body, isInTransaction ? "never" : "later")
  await waitForPlan(request, id)
  const row = await readBack({ sql, caller }, id)
  if (row.status === "ongoing") throw routeErrors.timedOut({ extra: { _id: id } })
  if (row.status === "failed") throw routeErrors.unplannable({ message: row.message, extra: { _id: id } })
  app.log.debug({ resultId: id }, "planning finished")
  return row
}

async function storeRun(
  { app, sql, caller, createdFrom }: RunRequest,
  body: RoutingBody,
  job: "now" | "later" | "never",
): Promise<Id<"result">> {
  const now = app.clock.now()
  const run = await readRun(sql, caller, body, { now, hasRoadService: await hasRoads(app, body) })
  const id = newId<"result">(now.epochMilliseconds)
  await inTransaction(sql, async (tx) => {
    await insertResult(
      tx,
      caller,
      {
        id,
        hubId: run.hub.id,
        name: body.name ?? defaultName(now, caller.timeZone),
        resultCode: body.resultCode ?? String(now.epochMilliseconds),
        routingDate: run.input.routingDate,
        hubCoordinate: run.hubCoordinate,
        countryCode: run.hub.countryCode,
        configurationId: run.configurationId,
        configuration: run.configuration,
        input: run.input,
        warnings: run.warnings,
        createdFrom,
      },
      now,
    )
    const { organizationId } = caller
    if (job !== "never") await sendPlan(tx, organizationId, id, job === "later" ? laterThan(now) : undefined)
    await publish(tx, app.live, "routing.changed", {
      organizationId,
      hubId: run.hub.id,
      content: { resultIds: [id] },
    })
  })
  return id
}

/** `Routing 03-09 14:05`, in the organization's time. */
function defaultName(now: Temporal.Instant, timeZone: string): string {
  const { month, day, hour, minute } = now.toZonedDateTimeISO(timeZone)
  const two = (value: number) => String(value).padStart(2, "0")
  return `Routing ${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`
}

const longestWaitMilliseconds = 320_000
const pollMilliseconds = 500

async function waitForPlan(
  { app, sql, caller, isInTransaction, log }: RunRequest,
  id: Id<"result">,
): Promise<void> {
  const giveUp = performance.now() + longestWaitMilliseconds
  const outcome = await slotsOf(app)(() => {
    const context = {
      sql,
      live: app.live,
      log,
      roads: roadSupplyOf(
        { config: app.settings, sql: app.sql, objects: app.objects },
        caller.organizationId,
      ),
      signal: AbortSignal.timeout(longestWaitMilliseconds),
      showsProgress: !isInTransaction,
    }
    return runPlan(context, caller.organizationId, id)
  })
  if (outcome === "ended") return
  // The job was faster, because this call had to wait for its turn.
  for (;;) {
    const row = await findResult(sql, caller, id)
    if (row?.status !== "ongoing" || performance.now() > giveUp) return
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
}

/** Threads that plan at once for callers who wait: more would only slow each other and everything else down. */
const slotCount = 2
const slotsOf = ownedState((_app: App) => pLimit(slotCount))

async function readBack({ sql, caller }: Pick<RunRequest, "sql" | "caller">, id: string): Promise<ResultRow> {
  const row = await findResult(sql, caller, id)
  // Deleted, or its hub was, while it was planned.
  if (!row) throw routeErrors.notFound()
  return row
}

/** A road service, or a map where the plan is. */
async function hasRoads(app: App, { hubCoordinate, visits }: RoutingBody): Promise<boolean> {
  if (app.settings.routingUrl !== undefined) return true
  const visit = visits[0] as { coordinate?: unknown } | undefined
  const place = parseLatLng(String(hubCoordinate ?? visit?.coordinate ?? ""))
  const maps = roadMapsOf({ config: app.settings, sql: app.sql, objects: app.objects })
  return place !== undefined && (await maps.covering([place])) !== undefined
}
