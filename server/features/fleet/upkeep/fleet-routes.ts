import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { listFleet, usageOf } from "./fleet.ts"
import { dayIn } from "./maintenance/today.ts"
import { toHours, toKilometers } from "./meters/wire.ts"

const FleetSchema = Type.Object(
  {
    _id: IdSchema("vehicle"),
    name: Type.String(),
    hubId: Type.String(),
    driver: Type.Union([Type.String(), Type.Null()]),
    odometerKilometers: Type.Number(),
    engineHours: Type.Number(),
    state: Type.Union([Type.String({ enum: ["ok", "soon", "overdue"] }), Type.Null()], {
      description: "Of the most urgent maintenance plan; null without one",
    }),
    planName: Type.Union([Type.String(), Type.Null()]),
    usage: Type.Object(
      { days: Type.Integer(), kilometers: Type.Number(), engineHours: Type.Number() },
      {
        description:
          "Of the last 30 days: days on which it moved at least a kilometre, distance, engine hours",
      },
    ),
    openDefects: Type.Integer({ description: "Found by inspections and not resolved" }),
  },
  { title: "FleetVehicle" },
)

const usageDays = 30

/** Vehicles by what they need. */
export function fleetRoutes(app: App): void {
  app.get("/fleet", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listFleet",
      summary: "List vehicles with their meters and due maintenance, the most urgent first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name" })),
        hubId: Type.Optional(IdSchema("hub")),
        state: Type.Optional(
          Type.Unsafe<"due">(
            Type.String({
              enum: ["due"],
              description: "Only with due or overdue maintenance, or with defects",
            }),
          ),
        ),
      }),
      response: { 200: PaginatorSchema(FleetSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "maint")
      const today = await dayIn(sql, caller.organizationId, app.clock.now())
      const { rows, total } = await listFleet(sql, caller, query, { page, today })
      const used = await usageOf(
        sql,
        caller.organizationId,
        rows.map(({ id }) => id),
        {
          since: app.clock.now().subtract({ hours: usageDays * 24 }),
          timeZone: caller.timeZone,
        },
      )
      const usage = new Map(used.map((row) => [row.vehicleId, row]))
      const data = rows.map(({ id, odometerMeters, engineSeconds, ...row }) => ({
        _id: id,
        ...row,
        odometerKilometers: toKilometers(odometerMeters),
        engineHours: toHours(engineSeconds),
        usage: {
          days: usage.get(id)?.days ?? 0,
          kilometers: toKilometers(usage.get(id)?.meters ?? 0),
          engineHours: toHours(usage.get(id)?.engineSeconds ?? 0),
        },
      }))
      return paginate(data, total, page, address)
    },
  })
}
