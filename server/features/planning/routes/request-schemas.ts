import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { plannedTermFields } from "../../work/vehicles/index.ts"
import { SettingsInput } from "./settings/settings.ts"

/** Null counts as not given wherever something is optional. */
const SpanInput = Type.Object({
  startTime: Type.Optional(Type.String()),
  endTime: Type.Optional(Type.String()),
})
export type SpanInput = Static<typeof SpanInput>
const OptionalSpan = Type.Optional(SpanInput)

export const VisitInput = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 255, description: "Unique; `taskId-<task id>` for a task" }),
    name: Type.Optional(Type.String({ maxLength: 1000, description: "Required; visitName is accepted too" })),
    visitName: Type.Optional(Type.String({ maxLength: 1000 })),
    address: Type.String({ maxLength: 2000 }),
    coordinate: Type.String({ description: '"lat,lng"; visits with invalid coordinates are dropped' }),
    capacity: Type.Optional(
      Type.Unsafe<unknown>(
        Type.Unknown({ description: "Demand by constraint: 0 to 9999999999, six decimals at most" }),
      ),
    ),
    timeWindow: OptionalSpan,
    timeWindows: Type.Optional(Type.Array(SpanInput, { maxItems: 100 })),
    visitTime: Type.Optional(Type.Integer({ minimum: 0, maximum: 14_400, description: "Minutes on site" })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
    assignedVehicleId: Type.Optional(Type.String()),
    preferredVehicle: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "Id, name or assignee of the vehicle that should serve it. Another vehicle serves it if that saves a large detour or a vehicle, or keeps the visit in the plan",
      }),
    ),
    visitGroup: Type.Optional(Type.String()),
    visitGroupPriority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    useVisitGroup: Type.Optional(Type.Boolean()),
    priority: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "Weight, in visits of priority 1, when not all visits fit; default 1",
      }),
    ),
    pickupVisitId: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "Id of the visit where its goods are loaded, earlier on the same trip. The capacity of this visit is on board in between; both are served, or none",
      }),
    ),
    after: Type.Optional(
      Type.Array(
        Type.Object({
          visitId: Type.String({ maxLength: 255 }),
          minMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_080 })),
          maxMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_080 })),
        }),
        {
          maxItems: 10,
          description:
            "Visits of any vehicle that end before this one begins, with the least and the most minutes in between. All are served, or none",
        },
      ),
    ),
    workers: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description:
          "Vehicles that begin this visit at the same time. The parts have a splitNumber; the first brings the goods",
      }),
    ),
    days: Type.Optional(
      Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), {
        maxItems: 31,
        description:
          "YYYY-MM-DD: the days of a plan over several days on which it may be served; default any",
      }),
    ),
    preferredDays: Type.Optional(
      Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), {
        maxItems: 31,
        description:
          "YYYY-MM-DD: the days of a plan over several days on which it should be served, even if a vehicle has to wait. Another day serves it if that saves a large detour or keeps the visit in the plan",
      }),
    ),
    releaseTime: Type.Optional(
      Type.String({ description: "HH:mm; the vehicle leaves the hub with the goods no earlier" }),
    ),
  },
  { title: "VisitInput" },
)
export type VisitInput = Static<typeof VisitInput>

export const VehicleInput = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.String({ minLength: 1, maxLength: 255 }),
    assignee: Type.Optional(Type.String()),
    speed: Type.Optional(Type.Number({ minimum: 5, maximum: 1000 })),
    fixedCost: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    oddEven: Type.Optional(Type.String()),
    capacity: Type.Optional(
      Type.Unsafe<unknown>(
        Type.Unknown({ description: "`{min, max}` by constraint; without max there is no limit" }),
      ),
    ),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
    workingTime: Type.Optional(
      Type.Object(
        {
          startTime: Type.Optional(Type.String()),
          endTime: Type.Optional(Type.String()),
          multiday: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 })),
        },
        { description: "Hours may exceed 24 for work over several days" },
      ),
    ),
    breakTime: OptionalSpan,
    hubId: Type.Optional(Type.String()),
    allowSubHub: Type.Optional(Type.Boolean()),
    ...plannedTermFields,
  },
  { title: "RoutingVehicleInput" },
)
export type VehicleInput = Static<typeof VehicleInput>

/** Most of one request, see solver/problem-check.ts. Each visit is read by itself: an invalid one is dropped. */
const visits = Type.Array(Type.Unsafe<unknown>(Type.Unknown()), {
  minItems: 1,
  maxItems: 2000,
  description:
    "`id`, `name`, `address` and `coordinate` are required. `capacity` has demands by constraint, 0 to 9999999999 with six decimals at most; `visitTime` is in whole minutes; at most 10 `tags`. An invalid visit is dropped with its reason and never fails the run",
})
const vehicles = Type.Array(VehicleInput, { minItems: 1, maxItems: 300 })

const configuration = Type.Optional(
  Type.Union([SettingsInput, Type.Array(Type.Unknown(), { maxItems: 0 })], {
    description: "Settings that differ from the hub's profile",
  }),
)

export const RoutingBody = Type.Object(
  {
    hubId: IdSchema("hub"),
    hubCoordinate: Type.Optional(
      Type.String({ description: '"lat,lng"; default the coordinates of the hub' }),
    ),
    visits,
    vehicles,
    configuration,
    configurationId: Type.Optional(
      Type.String({ description: "Profile of the hub; default the one changed last" }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    resultCode: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    routingDate: Type.Optional(Type.String({ format: "wire-date" })),
    background: Type.Optional(Type.Boolean({ description: "Return at once and plan in the background" })),
    seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 300,
        description: "Maximum seconds of search; default by problem size",
      }),
    ),
  },
  { title: "RoutingInput" },
)
export type RoutingBody = Static<typeof RoutingBody>

export const OlderRoutingBody = Type.Object({
  hub: IdSchema("hub"),
  resultCode: Type.String({ minLength: 1, maxLength: 255 }),
  routing: Type.Object({ visits, vehicles, configuration }),
})
