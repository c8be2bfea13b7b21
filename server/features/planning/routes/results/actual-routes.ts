import { PassThrough } from "node:stream"
import { buffer } from "node:stream/consumers"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import type { SheetColumn, SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { resultErrors } from "../errors.ts"
import { findResult } from "../queries.ts"
import { type Actual, type ReadArrivals, readActual } from "./actual.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])

const ActualSchema = Type.Object(
  {
    resultId: Type.String(),
    name: Type.String(),
    routingDate: Type.String(),
    timeZone: Type.String(),
    vehicles: Type.Array(
      Type.Object({
        vehicleId: Type.String(),
        vehicleName: Type.String(),
        assignee: Type.String(),
        hasPositions: Type.Boolean(),
        plannedDistance: Type.Number({ description: "Metres" }),
        drivenDistance: Type.Union([Type.Number(), Type.Null()], { description: "Metres" }),
        plannedFinish: NullableText,
        actualFinish: NullableText,
        stops: Type.Array(
          Type.Object({
            visitId: Type.String(),
            visitName: NullableText,
            isHub: Type.Boolean(),
            order: Type.Integer(),
            plannedArrival: NullableText,
            plannedDeparture: NullableText,
            actualArrival: NullableText,
            actualDeparture: NullableText,
            arrivalDeviation: Type.Union([Type.Number(), Type.Null()], {
              description: "Minutes; positive values are late",
            }),
            plannedMinutes: Type.Number(),
            actualMinutes: NullableNumber,
            state: Type.String({ description: "visited, done, missed or open" }),
            doneTime: NullableText,
            estimatedArrival: Type.Union([Type.String(), Type.Null()], {
              description: "When the assignee is expected at an open stop",
            }),
            promisedArrival: Type.Union([Type.String(), Type.Null()], {
              description: "The arrival with which it was first dispatched",
            }),
            isPromiseKept: Type.Union([Type.Boolean(), Type.Null()], {
              description: "Reached within promiseMinutes of that; null before it is reached",
            }),
          }),
        ),
      }),
    ),
    summary: Type.Object({
      plannedStops: Type.Integer(),
      servedStops: Type.Integer(),
      onTimeStops: Type.Integer(),
      missedStops: Type.Integer(),
      plannedDistance: Type.Number(),
      drivenDistance: Type.Number(),
      averageDeviation: NullableNumber,
      promisedStops: Type.Integer({ description: "Stops that were reached and had a promised arrival" }),
      keptPromises: Type.Integer(),
      changedStops: Type.Integer({ description: "Stops that planning again gave to another vehicle" }),
      maxChangedStops: Type.Integer({ description: "Of the vehicle that most of them came to or left" }),
    }),
  },
  { title: "ActualRoute" },
)

const Params = Type.Object({ resultId: IdSchema("result") })

/** What became of a plan. Positions of people take view/tracking besides. */
export function actualRoutes(app: App, readArrivals: ReadArrivals): void {
  const read = async (sql: Sql, caller: Caller, resultId: string, address: string): Promise<Actual> => {
    const row = await findResult(sql, caller, resultId)
    if (!row) throw resultErrors.notFound()
    if (!may(caller, "view/tracking")) throw resultErrors.forbidden()
    if (row.status !== "done") throw resultErrors.notDone()
    return readActual(sql, caller, row, { now: app.clock.now(), address, readArrivals })
  }

  app.get("/result/:resultId/actual", {
    config: { permission: "view/result" },
    schema: {
      operationId: "getActualRoutes",
      summary: "Compare a plan with actual arrivals, departures and distances from positions",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ActualSchema }) },
    },
    handler: async ({ sql, caller, params, ip }) => ({
      status: true as const,
      data: await read(sql, caller, params.resultId, ip),
    }),
  })

  app.get("/result/:resultId/actual/file", {
    config: { permission: "view/result", produces: "other" },
    schema: {
      operationId: "downloadActualRoutes",
      summary:
        "Download the comparison as a spreadsheet with one row per stop and times in the hub's time zone",
      params: Params,
      querystring: Type.Object({
        download: Type.Optional(Type.Unsafe<"xlsx" | "csv">(Type.String({ enum: ["xlsx", "csv"] }))),
      }),
      response: { 200: Type.Unsafe<unknown>(Type.String({ description: "The file" })) },
    },
    async handler({ sql, caller, params, query, ip }, reply) {
      const actual = await read(sql, caller, params.resultId, ip)
      const format = query.download ?? "xlsx"
      const out = new PassThrough()
      const rows = rowsOf(actual)
      const written =
        format === "csv"
          ? writeCsv(out, { columns, rows })
          : writeXlsx(out, [{ name: actual.name, columns, rows }])
      const [file] = await Promise.all([buffer(out), written.then(() => out.end())])
      const type =
        format === "csv"
          ? "text/csv; charset=utf-8"
          : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      reply.header(
        "content-disposition",
        `attachment; filename="plan-and-actual-${actual.routingDate}.${format}"`,
      )
      return reply.type(type).send(file)
    },
  })
}

const columns: readonly SheetColumn[] = [
  { title: "Vehicle" },
  { title: "Assignee" },
  { title: "Order" },
  { title: "Visit" },
  { title: "Planned arrival", kind: "dateTime" },
  { title: "Actual arrival", kind: "dateTime" },
  { title: "Deviation (min)" },
  { title: "Planned departure", kind: "dateTime" },
  { title: "Actual departure", kind: "dateTime" },
  { title: "Planned time (min)" },
  { title: "Actual time (min)" },
  { title: "State" },
]

function* rowsOf({ vehicles, timeZone }: Actual): Generator<SheetValue[]> {
  const local = (time: string | null): SheetValue =>
    time === null ? null : Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDateTime()
  for (const { vehicleName, assignee, stops } of vehicles) {
    for (const stop of stops) {
      yield [
        vehicleName,
        assignee,
        stop.order,
        stop.visitName ?? (stop.isHub ? "Hub" : stop.visitId),
        local(stop.plannedArrival),
        local(stop.actualArrival),
        stop.arrivalDeviation,
        local(stop.plannedDeparture),
        local(stop.actualDeparture),
        stop.plannedMinutes,
        stop.actualMinutes,
        stop.state,
      ]
    }
  }
}
