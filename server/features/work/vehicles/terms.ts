import { type Static, type TSchema, Type } from "typebox"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"

/** What a vehicle may do and costs beside its hours and loads. Stored as one value; each is a key of the vehicle on the wire. */

const Coordinate = Type.String({ maxLength: 60, description: '"lat,lng"; default the hub' })
const Money = Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 }))
const Day = Type.Optional(
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "YYYY-MM-DD, included" }),
)

export const Costs = Type.Object(
  { day: Money, hour: Money, overtimeHour: Money, kilometer: Money },
  {
    description:
      "In one currency. A plan whose vehicles have costs minimises their sum once as many visits as possible are served; overtimeHour is added to hour",
  },
)

export const Skill = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  validFrom: Day,
  validUntil: Day,
})

export const termFields = {
  startCoordinate: Coordinate,
  endCoordinate: Coordinate,
  maxDuration: Type.Integer({ minimum: 1, maximum: 43_200, description: "Minutes from leaving to the end" }),
  maxDistance: Type.Integer({ minimum: 1, maximum: 20_000_000, description: "Metres" }),
  maxOvertime: Type.Integer({
    minimum: 0,
    maximum: 720,
    description: "Minutes after the working time that may be worked, at a price",
  }),
  breakMinutes: Type.Integer({
    minimum: 1,
    maximum: 480,
    description:
      "Minutes of its break, which the plan puts anywhere within breakTime; without it the break is all of breakTime",
  }),
  workDays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    description: "Weekdays on which it works, 1 is Monday; default all",
  }),
  daysOff: Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), {
    maxItems: 366,
    description: "Days on which it does not work, YYYY-MM-DD",
  }),
  costs: Costs,
  co2PerKilometer: Type.Number({ minimum: 0, maximum: 10_000, description: "Grams" }),
  skills: Type.Array(Skill, {
    maxItems: 50,
    description: "Skills and certificates. One that is valid on the day of the plan counts like a tag",
  }),
}
export type TermName = keyof typeof termFields
export const termNames = Object.keys(termFields) as TermName[]

function mapped<const Mapped extends Record<TermName, TSchema>>(map: (field: TSchema) => TSchema): Mapped {
  return Object.fromEntries(Object.entries(termFields).map(([name, field]) => [name, map(field)])) as Mapped
}

/** As they are sent with a plan: left out where there is none. */
export const plannedTermFields = mapped<{
  [Name in TermName]: ReturnType<typeof Type.Optional<(typeof termFields)[Name]>>
}>((field) => Type.Optional(field))

const Terms = Type.Object(plannedTermFields)
export type Terms = Static<typeof Terms>

/** As they are sent and returned with a vehicle: null where there is none. */
export const storedTermFields = mapped<{
  [Name in TermName]: ReturnType<typeof Type.Union<[(typeof termFields)[Name], ReturnType<typeof Type.Null>]>>
}>((field) => Type.Union([field, Type.Null()]))

/** What is sent over what is there; null removes. */
export function mergeTerms(base: Terms, sent: Readonly<Record<string, unknown>>): Terms {
  const merged: Record<string, unknown> = { ...base }
  for (const name of termNames) {
    if (sent[name] === undefined) continue
    if (sent[name] === null) delete merged[name]
    else merged[name] = sent[name]
  }
  return merged
}

/** The first problem of the terms, as field and text. */
export function termProblem(
  terms: Readonly<Partial<Record<TermName, unknown>>>,
): { field: string; text: string } | undefined {
  for (const field of ["startCoordinate", "endCoordinate"] as const) {
    const text = terms[field]
    if (typeof text === "string" && !parseLatLng(text)) return { field, text: 'must be "latitude,longitude"' }
  }
  for (const [index, day] of ((terms.daysOff ?? []) as string[]).entries())
    if (!isDay(day)) return { field: `daysOff.${index}`, text: "must be a day such as 2031-05-04" }
  for (const [index, skill] of ((terms.skills ?? []) as Static<typeof Skill>[]).entries()) {
    for (const key of ["validFrom", "validUntil"] as const)
      if (skill[key] !== undefined && !isDay(skill[key]))
        return { field: `skills.${index}.${key}`, text: "must be a day such as 2031-05-04" }
    if (skill.validFrom !== undefined && skill.validUntil !== undefined && skill.validUntil < skill.validFrom)
      return { field: `skills.${index}.validUntil`, text: "must not be before validFrom" }
  }
  return undefined
}

export function isDay(text: string): boolean {
  return (
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
  )
}
