import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

/** Most tasks and people of one day. */
export const maxDayTasks = 5_000
export const maxDayPeople = 200
/** Most places of one table of travel times. */
export const maxTravelPlaces = 100
/** Most tasks for which people are suggested together. */
export const maxSuggestedTasks = 100

const Seconds = Type.Number({ description: "Epoch seconds" })
const NullableNumber = Type.Union([Type.Number(), Type.Null()])

export const DayTaskSchema = Type.Object(
  {
    _id: IdSchema("task"),
    title: Type.String(),
    content: Type.Optional(Type.String()),
    hubId: Type.String(),
    flow: Type.String(),
    status: Type.Unsafe<"UNASSIGNED" | "ONGOING" | "DONE">(
      Type.String({ enum: ["UNASSIGNED", "ONGOING", "DONE"] }),
    ),
    assignee: Type.Array(Type.String()),
    startTime: Seconds,
    endTime: Seconds,
    doneTime: Type.Optional(Seconds),
    orderIndex: Type.Number(),
    lat: NullableNumber,
    lng: NullableNumber,
    refId: Type.Optional(Type.String()),
    outcome: Type.Optional(Type.String()),
    priority: Type.Optional(Type.String()),
    labels: Type.Optional(Type.Array(Type.String(), { description: "Tags of the task" })),
    expectedArrival: Type.Optional(Seconds),
    visitMinutes: Type.Optional(Type.Number({ description: "At the stop, as the flow maps them" })),
    tags: Type.Optional(Type.Array(Type.String(), { description: "What the vehicle must have" })),
    demand: Type.Optional(
      Type.Record(Type.String(), Type.Number(), { description: "By name of the capacity constraint" }),
    ),
  },
  { title: "DayTask" },
)
export type WireDayTask = Static<typeof DayTaskSchema>

const Span = Type.Object({ start: Seconds, end: Seconds })

export const DayPersonSchema = Type.Object(
  {
    _id: IdSchema("user"),
    email: Type.String(),
    name: Type.String(),
    hubIds: Type.Array(Type.String(), { description: "Empty with hasAllHubs" }),
    hasAllHubs: Type.Boolean(),
    start: Type.Optional(
      Type.Object(
        { lat: Type.Number(), lng: Type.Number() },
        { description: "Their hub, where a day without a position and a vehicle starts" },
      ),
    ),
    vehicle: Type.Union([
      Type.Object({
        _id: IdSchema("vehicle"),
        name: Type.String(),
        speed: Type.Number({ description: "km/h" }),
        tags: Type.Array(Type.String()),
        capacity: Type.Record(Type.String(), Type.Object({ min: Type.Number(), max: Type.Number() })),
        shift: Type.Union([Span, Type.Null()]),
        pause: Type.Union([Span, Type.Null()]),
        lat: Type.Number({ description: "Of its hub" }),
        lng: Type.Number(),
      }),
      Type.Null(),
    ]),
  },
  { title: "DayPerson" },
)
export type WireDayPerson = Static<typeof DayPersonSchema>

export const DayQuery = Type.Object({
  hubId: Type.Optional(IdSchema("hub")),
  date: Type.Optional(
    Type.String({ format: "wire-date", description: "Y-m-d in the time zone of the hub; default today" }),
  ),
})

export const DayResponse = Type.Object({
  status: Type.Literal(true),
  data: Type.Object(
    {
      date: Type.String(),
      timeZone: Type.String(),
      from: Seconds,
      until: Seconds,
      defaultVisitMinutes: Type.Number({ description: "Where neither flow nor time window says how long" }),
      defaultSpeed: Type.Number({ description: "km/h, of people without a vehicle" }),
      hasRoads: Type.Boolean({ description: "Travel times may come from roads" }),
      taskTotal: Type.Integer({ description: `At most ${maxDayTasks} are listed` }),
      personTotal: Type.Integer({
        description: `At most ${maxDayPeople} are listed, those with tasks first`,
      }),
      tasks: Type.Array(DayTaskSchema),
      people: Type.Array(DayPersonSchema),
    },
    { title: "DispatchDay" },
  ),
})
export type WireDay = Static<typeof DayResponse>["data"]

export const TravelBody = Type.Object(
  {
    places: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      minItems: 1,
      maxItems: maxTravelPlaces,
      description: "Longitude, latitude",
    }),
  },
  { title: "TravelTimesInput" },
)

const OutOfReach = Type.Array(Type.Array(Type.Number()), {
  description:
    "Longitude and latitude of places that no road leads to: times from and to them are along great circles",
})

export const TravelResponse = Type.Object({
  status: Type.Literal(true),
  data: Type.Object({
    seconds: Type.Array(Type.Array(Type.Number()), { description: "Row by row, from each place to each" }),
    isByRoad: Type.Boolean({ description: "False: great-circle distances at the usual speed" }),
    outOfReach: OutOfReach,
    note: Type.String({ description: "Where the times come from" }),
  }),
})

export const SuggestionBody = Type.Object(
  {
    taskIds: Type.Array(IdSchema("task"), { minItems: 1, maxItems: maxSuggestedTasks }),
    hubId: Type.Optional(IdSchema("hub")),
    date: Type.Optional(
      Type.String({ format: "wire-date", description: "Default: when the first task starts" }),
    ),
  },
  { title: "AssigneeSuggestionInput" },
)

export const SuggestionSchema = Type.Object(
  {
    _id: IdSchema("user"),
    email: Type.String(),
    name: Type.String(),
    vehicle: Type.Union([Type.String(), Type.Null()]),
    extraMinutes: Type.Number({ description: "More driving than without the tasks" }),
    position: Type.Integer({ description: "After how many of the person's open stops the tasks fit best" }),
    arrivalTime: Type.Union([Seconds, Type.Null()], { description: "At the first of the tasks" }),
    stops: Type.Integer({ description: "Open stops that the person has" }),
    load: Type.Array(Type.Object({ name: Type.String(), load: Type.Number(), max: Type.Number() }), {
      description: "With the tasks, by capacity constraint",
    }),
    matchingTags: Type.Array(Type.String(), { description: "Of those that the tasks ask for" }),
    missingTags: Type.Array(Type.String()),
    minutesLeft: Type.Union([Type.Number(), Type.Null()], {
      description: "Of the working time after the last stop; null where it is not known",
    }),
    lateStops: Type.Integer({ description: "Stops that would be late" }),
    problems: Type.Array(Type.String(), {
      description: "Of late, overlap, shiftStart, shiftEnd, capacity, tags and hub",
    }),
  },
  { title: "AssigneeSuggestion" },
)

export const SuggestionResponse = Type.Object({
  status: Type.Literal(true),
  data: Type.Object({
    isByRoad: Type.Boolean({ description: "False: great-circle distances at the usual speed" }),
    outOfReach: OutOfReach,
    note: Type.String({ description: "Where the times come from" }),
    people: Type.Array(SuggestionSchema, { description: "The five best, best first" }),
  }),
})
export type Suggestion = Static<typeof SuggestionSchema>
