import { type Static, Type } from "typebox"

/** How a hub plans: a stored profile, or what one run was asked for on top of it. */

export const clusterings = ["none", "normal", "balanced", "non-overlap"] as const
export const splitModes = ["none", "equal", "maximize"] as const
export const dockingTypes = ["none", "all", "drop"] as const
export const fairnesses = ["none", "visits", "hours"] as const
export const dayStarts = ["last visit", "from hub"] as const

function word<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number]>(Type.String({ enum: [...words] }))
}

export const SpanSchema = Type.Object({ startTime: Type.String(), endTime: Type.String() })

/** How large a proposal may be to be accepted without a person. */
export const ProposalLimits = Type.Object(
  {
    movedVisits: Type.Optional(Type.Integer({ minimum: 0, maximum: 2000 })),
    minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: "More driving" })),
    lateVisits: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2000, description: "Visits that become late" }),
    ),
    droppedVisits: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2000, description: "Visits that no vehicle takes any more" }),
    ),
    brokenPromises: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2000,
        description: "Visits of a dispatched plan that are no longer reached when promised",
      }),
    ),
  },
  {
    description:
      "Proposals of planning again within these limits are accepted at once (absent ones are 0); null: a person decides",
  },
)

const Flag = Type.Optional(Type.Boolean())

/** What a request may say; whatever is missing comes from the hub's profile, then from the defaults. */
export const SettingsInput = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    capacityConstraint: Type.Optional(
      Type.Array(
        Type.Union([Type.String({ minLength: 1 }), Type.Object({ name: Type.String({ minLength: 1 }) })]),
        {
          maxItems: 10,
          description: "Names of the capacity constraints in use",
        },
      ),
    ),
    defaultVisitTime: Type.Optional(Type.Integer({ minimum: 0, maximum: 1440, description: "Minutes" })),
    dynamicVisitTime: Type.Optional(
      Type.Array(
        Type.Object({ name: Type.String(), visitTime: Type.Number({ minimum: 0, maximum: 1440 }) }),
        {
          description: "Minutes per unit of a constraint in addition to defaultVisitTime",
        },
      ),
    ),
    defaultSpeed: Type.Optional(Type.Number({ minimum: 5, maximum: 200, description: "km/h" })),
    autoSpeed: Flag,
    multitrip: Flag,
    numberOfMultitrip: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    returnToHub: Flag,
    returnToBase: Flag,
    clustering: Type.Optional(Type.Union([word(clusterings), Type.Boolean()])),
    fairness: Type.Optional(
      Type.Unsafe<(typeof fairnesses)[number]>(
        Type.String({
          enum: [...fairnesses],
          description:
            "Shares the visits, or the time on site and on the road, evenly over the vehicles at work",
        }),
      ),
    ),
    reserveMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 480,
        description:
          "Minutes at the end of each shift that a plan leaves free for orders and delays of the day, unless visits would be dropped",
      }),
    ),
    promiseMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 480,
        description:
          "Planning again keeps dispatched visits within this many minutes of the arrival with which they were first dispatched, where possible. 0: their times may change freely. Default 60",
      }),
    ),
    useAllVehicle: Flag,
    autoSplit: Type.Optional(word(splitModes)),
    autoMerge: Flag,
    crossDockingType: Type.Optional(word([...dockingTypes, "dropped"] as const)),
    subHubs: Type.Optional(
      Type.Array(
        Type.Union([
          Type.String(),
          Type.Object({
            id: Type.String(),
            name: Type.Optional(Type.String()),
            address: Type.Optional(Type.String()),
            coordinate: Type.Optional(Type.String()),
          }),
        ]),
        { maxItems: 10 },
      ),
    ),
    vehicleSubHubDistanceLimit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1000 }), Type.Null()], { description: "Metres" }),
    ),
    multidayOption: Type.Optional(word(dayStarts)),
    useOddEven: Flag,
    oddEvenTime: Type.Optional(Type.Array(SpanSchema, { maxItems: 10 })),
    avoidToll: Flag,
    roadProfile: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,50}$",
        description: "Profile of the road service, for example driving or cycling",
      }),
    ),
    returnAfterWorkingTime: Flag,
    useVisitGroup: Flag,
    maxLateMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 480,
        description: "Minutes by which visits may begin after their window",
      }),
    ),
    costPerLateMinute: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        description:
          "In the currency of the vehicles' costs; without those a minute weighs as much as a kilometre",
      }),
    ),
    acceptProposals: Type.Optional(Type.Union([ProposalLimits, Type.Null()])),
    geoTagging: Type.Optional(
      Type.Array(Type.String(), { description: "Ids of areas; default the active ones" }),
    ),
  },
  { title: "RouteSettingsInput" },
)
export type SettingsInput = Static<typeof SettingsInput>

export const SettingsSchema = Type.Object(
  {
    name: Type.String(),
    capacityConstraint: Type.Array(Type.String()),
    defaultVisitTime: Type.Integer(),
    dynamicVisitTime: Type.Array(Type.Object({ name: Type.String(), visitTime: Type.Number() })),
    defaultSpeed: Type.Number(),
    autoSpeed: Type.Boolean(),
    multitrip: Type.Boolean(),
    numberOfMultitrip: Type.Integer(),
    tripsPerVehicle: Type.Integer(),
    returnToHub: Type.Boolean(),
    clustering: word(clusterings),
    fairness: word(fairnesses),
    reserveMinutes: Type.Integer(),
    promiseMinutes: Type.Integer(),
    useAllVehicle: Type.Boolean(),
    autoSplit: word(splitModes),
    autoMerge: Type.Boolean(),
    crossDockingType: word(dockingTypes),
    subHubs: Type.Array(Type.String()),
    vehicleSubHubDistanceLimit: Type.Union([Type.Integer(), Type.Null()]),
    multidayOption: word(dayStarts),
    useOddEven: Type.Boolean(),
    oddEvenTime: Type.Array(SpanSchema),
    avoidToll: Type.Boolean(),
    roadProfile: Type.String(),
    returnAfterWorkingTime: Type.Boolean(),
    useVisitGroup: Type.Boolean(),
    maxLateMinutes: Type.Integer(),
    costPerLateMinute: Type.Number(),
    acceptProposals: Type.Union([ProposalLimits, Type.Null()]),
    geoTagging: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "Null: all active areas of the hub",
    }),
  },
  { title: "RouteSettings" },
)
export type Settings = Static<typeof SettingsSchema>

export const defaultSettings: Settings = {
  name: "Configuration Default",
  capacityConstraint: [],
  defaultVisitTime: 10,
  dynamicVisitTime: [],
  defaultSpeed: 25,
  autoSpeed: false,
  multitrip: false,
  numberOfMultitrip: 5,
  tripsPerVehicle: -1,
  returnToHub: false,
  clustering: "none",
  fairness: "none",
  reserveMinutes: 0,
  promiseMinutes: 60,
  useAllVehicle: false,
  autoSplit: "none",
  autoMerge: false,
  crossDockingType: "none",
  subHubs: [],
  vehicleSubHubDistanceLimit: null,
  multidayOption: "last visit",
  useOddEven: false,
  oddEvenTime: [],
  avoidToll: false,
  roadProfile: "driving",
  returnAfterWorkingTime: false,
  useVisitGroup: false,
  maxLateMinutes: 0,
  costPerLateMinute: 0,
  acceptProposals: null,
  geoTagging: null,
}

/** What is sent over what is there. Older spellings come out as the present ones; several trips return to the hub. */
export function mergeSettings(base: Settings, sent: SettingsInput): Settings {
  const { returnToBase, clustering, crossDockingType, capacityConstraint, subHubs, ...plain } = sent
  const merged: Settings = {
    ...base,
    ...plain,
    ...(clustering === undefined
      ? {}
      : { clustering: clustering === true ? "normal" : clustering === false ? "none" : clustering }),
    ...(crossDockingType === undefined
      ? {}
      : { crossDockingType: crossDockingType === "dropped" ? "drop" : crossDockingType }),
    ...(capacityConstraint
      ? {
          capacityConstraint: [
            ...new Set(capacityConstraint.map((entry) => (typeof entry === "string" ? entry : entry.name))),
          ],
        }
      : {}),
    ...(subHubs ? { subHubs: subHubs.map((entry) => (typeof entry === "string" ? entry : entry.id)) } : {}),
    ...(plain.returnToHub === undefined && returnToBase !== undefined ? { returnToHub: returnToBase } : {}),
  }
  return merged.multitrip ? { ...merged, returnToHub: true } : merged
}
