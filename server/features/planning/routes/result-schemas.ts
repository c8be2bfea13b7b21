import { type Static, Type } from "typebox"

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])
const SpanSchema = Type.Object({
  startTime: Type.Optional(NullableText),
  endTime: Type.Optional(NullableText),
})
const Speed = Type.Union([Type.Number(), Type.String()], { description: 'km/h, or "auto"' })

/** A stay at a place. One more key per capacity constraint in use, with the load that is handed over. */
export const NodeSchema = Type.Object(
  {
    visitId: Type.String({
      description:
        "hub-<id>, reload-hub-<id>, start-<vehicle> and end-<vehicle> at a vehicle's own places, taskId-<id> or the caller's id",
    }),
    visitName: Type.Optional(NullableText),
    address: Type.Optional(NullableText),
    coordinate: Type.Optional(NullableText),
    isHub: Type.Optional(Type.Boolean()),
    cluster: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: "Number of the area, from 1, if visits were planned by areas",
      }),
    ),
    isShown: Type.Optional(Type.Boolean({ description: "Always true" })),
    order: Type.Optional(NullableNumber),
    tripOrder: Type.Optional(NullableNumber),
    eta: Type.Optional(NullableText),
    etd: Type.Optional(NullableText),
    etaStr: Type.Optional(NullableText),
    etdStr: Type.Optional(NullableText),
    travelTime: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], { description: "Minutes from the previous stop" }),
    ),
    distance: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], { description: "Metres from the previous stop" }),
    ),
    visitTime: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: "Minutes" })),
    waitingTime: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: "Minutes" })),
    lateTime: Type.Optional(
      Type.Number({ description: "Minutes after the window in which the visit begins" }),
    ),
    timeWindow: Type.Optional(Type.Union([SpanSchema, Type.Null()])),
    promisedTime: Type.Optional(
      Type.String({
        description:
          "The arrival with which it was first dispatched; present once the plan was planned again",
      }),
    ),
    tags: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  },
  { title: "RouteStop", additionalProperties: true },
)
export type RouteNode = Static<typeof NodeSchema> & Record<string, unknown>

/** One vehicle. More keys per capacity constraint: total, maximum, minimum and share. */
export const VehicleRouteSchema = Type.Object(
  {
    vehicleId: Type.String(),
    vehicleName: Type.Optional(NullableText),
    assignee: Type.Optional(NullableText),
    vehicleTags: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    workingTime: Type.Optional(Type.Union([SpanSchema, Type.Null()])),
    breakTime: Type.Optional(Type.Union([SpanSchema, Type.Null()])),
    breakWithin: Type.Optional(
      Type.Object(SpanSchema.properties, { description: "In which the break was placed, with breakMinutes" }),
    ),
    speed: Type.Optional(
      Type.Union([Type.Number(), Type.String(), Type.Null()], { description: 'km/h, or "auto"' }),
    ),
    fixedCost: Type.Optional(NullableNumber),
    isOddEven: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    oddEven: Type.Optional(NullableText),
    finishTime: Type.Optional(NullableText),
    trips: Type.Array(NodeSchema),
    totalTravelTime: Type.Optional(NullableNumber),
    totalDistance: Type.Optional(NullableNumber),
    totalVisitTime: Type.Optional(NullableNumber),
    totalWaitingTime: Type.Optional(NullableNumber),
    totalSpentTime: Type.Optional(NullableNumber),
    totalNodes: Type.Optional(NullableNumber),
    totalVisits: Type.Optional(NullableNumber),
    totalTrips: Type.Optional(NullableNumber),
    totalLateTime: Type.Optional(
      Type.Number({ description: "Minutes by which visits begin after their windows" }),
    ),
    totalOvertime: Type.Optional(Type.Number({ description: "Minutes after the working time" })),
    totalCost: Type.Optional(
      Type.Number({ description: "Of the vehicle, its hours, overtime, kilometres and lateness" }),
    ),
    totalCo2: Type.Optional(Type.Number({ description: "Kilograms" })),
    idleReason: Type.Optional(
      Type.String({
        description:
          "Why it has no work. dayOff: it does not work on that day. tags: it suits no visit. limits: its hours, loads or limits allow none. late: it could serve late visits in time, but costs more than the lateness. notNeeded: other vehicles serve them at less cost",
      }),
    ),
  },
  { title: "VehicleRoute", additionalProperties: true },
)
export type VehicleRoute = Omit<Static<typeof VehicleRouteSchema>, "trips"> & { trips: RouteNode[] } & Record<
    string,
    unknown
  >

export const HelpSchema = Type.Object(
  {
    kind: Type.String({
      description:
        "window, shift, duration, gap (between a visit and those before it), capacity, tag, distance, dayOff or vehicle",
    }),
    text: Type.String(),
    vehicleId: Type.Optional(Type.String()),
    visitId: Type.Optional(
      Type.String({ description: "The visit that opens longer, or waits, if another one is left out" }),
    ),
    visitName: Type.Optional(Type.String()),
    minutes: Type.Optional(Type.Integer()),
    constraint: Type.Optional(Type.String()),
    amount: Type.Optional(Type.Number()),
    tag: Type.Optional(Type.String()),
    isCertificate: Type.Optional(
      Type.Boolean({ description: "The vehicle has it, but not valid on the day" }),
    ),
    meters: Type.Optional(Type.Integer()),
  },
  { title: "DroppedVisitHelp" },
)
export type WireHelp = Static<typeof HelpSchema>

export const DroppedSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(NullableText),
    visitId: Type.Optional(Type.String()),
    visitName: Type.Optional(NullableText),
    address: Type.Optional(NullableText),
    coordinate: Type.Optional(NullableText),
    visitTime: Type.Optional(Type.Unknown({ description: "Minutes, in the form in which they were sent" })),
    reason: Type.Optional(Type.String()),
    reasonCode: Type.Optional(
      Type.String({
        description:
          "coordinate, invalid, capacity (more than any vehicle carries, or has room left for), timeWindow, tags, skill (no certificate is valid on the day), dayOff (who could serve it has a day off), noRoad (no road on the map leads to it), duration and distance (no vehicle may drive for so long, or so far), group, pair, link (times between visits, or several workers) or other",
      }),
    ),
    help: Type.Optional(
      Type.Array(HelpSchema, { description: "Single changes that would make room, smallest first" }),
    ),
  },
  { title: "DroppedVisit", additionalProperties: true },
)
export type Dropped = Static<typeof DroppedSchema> & Record<string, unknown>

export interface Routing {
  routing: VehicleRoute[]
  dropped: Dropped[]
}

const SpreadSchema = Type.Object({ least: Type.Number(), most: Type.Number() })

export const SummarySchema = Type.Object(
  {
    totalVehicles: Type.Integer(),
    usedVehicles: Type.Integer(),
    unusedVehicles: Type.Integer(),
    totalVisits: Type.Integer(),
    routedVisits: Type.Integer(),
    droppedVisits: Type.Integer(),
    totalDistance: Type.Number(),
    totalTravelTime: Type.Number(),
    totalVisitTime: Type.Number(),
    totalWaitingTime: Type.Number(),
    totalSpentTime: Type.Number(),
    workload: Type.Optional(
      Type.Object(
        { visits: SpreadSchema, minutes: SpreadSchema },
        {
          description:
            "How evenly work is shared over the vehicles at work; minutes include driving and waiting",
        },
      ),
    ),
    totalCost: Type.Optional(Type.Number()),
    totalCo2: Type.Optional(Type.Number({ description: "Kilograms" })),
    totalOvertime: Type.Optional(Type.Number({ description: "Minutes" })),
    totalLateTime: Type.Optional(Type.Number({ description: "Minutes" })),
    avgSpeed: Speed,
    minFinishTime: NullableText,
    maxFinishTime: NullableText,
    avgFinishTime: NullableText,
    capacityConstraint: Type.Array(
      Type.Object({
        name: Type.String(),
        available: NullableNumber,
        optimized: Type.Number(),
        percentage: Type.Number(),
      }),
    ),
  },
  { title: "RoutingSummary", additionalProperties: true },
)
export type Summary = Static<typeof SummarySchema>

const RoutingSchema = Type.Object(
  {
    routing: Type.Array(VehicleRouteSchema),
    dropped: Type.Array(DroppedSchema),
    summary: Type.Optional(Type.Unsafe<unknown>(Type.Unknown())),
    countryCode: Type.Optional(NullableText),
    resultCode: Type.Optional(Type.String()),
  },
  { title: "RoutingPlan", additionalProperties: true },
)

/** `fields` of a list may leave out everything but the id. */
export const ResultSchema = Type.Object(
  {
    _id: Type.String(),
    organizationId: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    resultCode: Type.Optional(Type.String()),
    routingDate: Type.Optional(Type.String()),
    hubId: Type.Optional(Type.String()),
    hubCoordinate: Type.Optional(Type.String()),
    status: Type.Optional(Type.String({ description: "ongoing, done or failed" })),
    message: Type.Optional(Type.String()),
    configurationId: Type.Optional(NullableText),
    configuration: Type.Optional(Type.Object({}, { additionalProperties: true })),
    result: Type.Optional(RoutingSchema),
    summary: Type.Optional(Type.Unsafe<unknown>(Type.Unknown())),
    resultTotal: Type.Optional(
      Type.Object({ routing: Type.Integer(), dropped: Type.Integer(), total: Type.Integer() }),
    ),
    countryCode: Type.Optional(NullableText),
    user: Type.Optional(Type.Object({ name: Type.String() })),
    createdBy: Type.Optional(Type.String()),
    createdFrom: Type.Optional(Type.String()),
    finishTime: Type.Optional(NullableText),
    createdTime: Type.Optional(Type.String()),
    updatedTime: Type.Optional(Type.String()),
    isDeleted: Type.Optional(Type.Boolean()),
    totalResultHistories: Type.Optional(Type.Integer()),
    currentVersion: Type.Optional(Type.Integer()),
    dispatchStatus: Type.Optional(Type.String()),
    dispatchMessage: Type.Optional(Type.String()),
    warnings: Type.Optional(Type.Array(Type.String())),
    basedOn: Type.Optional(
      Type.String({
        description: "Of a what-if: id of the result that it is the same as, without some vehicles",
      }),
    ),
    progress: Type.Optional(
      Type.Object({
        share: Type.Number(),
        dropped: Type.Integer(),
        vehicles: Type.Integer(),
        distance: Type.Number(),
      }),
    ),
  },
  { title: "RoutingResult", additionalProperties: true },
)
export type WireResult = Static<typeof ResultSchema>

export const ViolationSchema = Type.Object(
  {
    kind: Type.String(),
    message: Type.String(),
    vehicleId: Type.Optional(Type.String()),
    visitId: Type.Optional(Type.String()),
    excess: Type.Optional(Type.Number({ description: "Seconds, load units or metres beyond the limit" })),
  },
  { title: "RouteViolation" },
)
export type WireViolation = Static<typeof ViolationSchema>
