import { Type } from "typebox"
import { type BoundingBox, boxHolds, type LngLat } from "#packages/geodesy/geodesy.ts"
import { IdListSchema, idsOf, maxListedIds } from "../ids.ts"

/** Whom an event of a position is about, and where they are. */
export interface SeenPerson {
  userId: string
  place: LngLat
}

/** Whose positions a stream carries. */
export interface WatchedPeople {
  hasAreas: boolean
  userIds: ReadonlySet<string>
  carries(person: SeenPerson): boolean
}

/** The pattern below has one less. */
const maxAreas = 8

export const watchedPeopleQuery = {
  positions: Type.Optional(
    Type.Literal("none", {
      description: "No `position.moved` events, except those that `bbox` and `userId` ask for",
    }),
  ),
  bbox: Type.Optional(
    Type.String({
      pattern:
        "^-?\\d{1,3}(\\.\\d{1,25})?(,-?\\d{1,3}(\\.\\d{1,25})?){3}(;-?\\d{1,3}(\\.\\d{1,25})?(,-?\\d{1,3}(\\.\\d{1,25})?){3}){0,7}$",
      description: `west,south,east,north in degrees, or up to ${maxAreas} such areas separated by \`;\`: \`position.moved\` only of people in them, and once when they leave`,
      examples: ["10.7,59.8,10.9,60"],
    }),
  ),
  userId: Type.Optional(
    IdListSchema(
      `Up to ${maxListedIds} users, separated by commas: \`position.moved\` only of them, and of those in \`bbox\``,
    ),
  ),
}

/** Undefined: everybody. */
export function watchedPeople(query: {
  positions?: "none"
  bbox?: string
  userId?: string
}): WatchedPeople | undefined {
  if (query.positions === undefined && query.bbox === undefined && query.userId === undefined)
    return undefined
  const boxes = (query.bbox?.split(";") ?? []).map((text): BoundingBox => {
    const [west = 0, south = 0, east = 0, north = 0] = text.split(",").map(Number)
    return { west, south, east, north }
  })
  const userIds = new Set(idsOf(query.userId))
  /** Who was in the areas when last seen: the event with which they leave is carried too. */
  const inside = new Set<string>()
  return {
    hasAreas: boxes.length > 0,
    userIds,
    carries({ userId, place }) {
      if (userIds.has(userId)) return true
      if (!boxes.some((box) => boxHolds(box, place))) return inside.delete(userId)
      inside.add(userId)
      return true
    },
  }
}

/** Of whom readers want positions: of everybody in some organizations, of single people in others. */
export interface WantedPeople {
  organizationIds: readonly string[]
  people: readonly { organizationId: string; organizationNumber: number; userIds: readonly string[] }[]
}

interface Watcher {
  caller: { organizationNumber: number }
  people?: WatchedPeople | undefined
}

/** Beyond so many, of all readers of an organization, reading everybody who moved is cheaper. */
const maxListed = 5_000

/** By the id of each organization, its readers. */
export function wantedPeople(groups: ReadonlyMap<string, Iterable<Watcher>>): WantedPeople {
  const wanted = [...groups].map(([organizationId, group]) => {
    const watched = [...group].map((reader) => reader.people)
    const listed = watched.reduce((sum, people) => sum + (people?.userIds.size ?? 0), 0)
    const wantsAll = listed > maxListed || watched.some((people) => people === undefined || people.hasAreas)
    const userIds = wantsAll ? [] : [...new Set(watched.flatMap((people) => [...(people?.userIds ?? [])]))]
    const organizationNumber = [...group][0]?.caller.organizationNumber ?? 0
    return { organizationId, organizationNumber, wantsAll, userIds }
  })
  return {
    organizationIds: wanted.flatMap(({ organizationId, wantsAll }) => (wantsAll ? [organizationId] : [])),
    people: wanted.filter(({ userIds }) => userIds.length > 0),
  }
}
