import { type Static, Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { isInBox, matchingPeople, type PositionFilter, peopleWithNewest } from "./positions.ts"
import type { Sight } from "./sharing/visible-people.ts"

const Degrees = Type.Number({ description: "Degrees" })

export const PositionClustersSchema = Type.Object(
  {
    total: Type.Integer({ description: "People who match, wherever they are" }),
    seen: Type.Integer({ description: "Those of them who have a position" }),
    bounds: Type.Union(
      [Type.Object({ west: Degrees, south: Degrees, east: Degrees, north: Degrees }), Type.Null()],
      { description: "The smallest box around all of these positions; it does not cross the antimeridian" },
    ),
    clusters: Type.Array(
      Type.Object({
        lat: Degrees,
        lon: Degrees,
        count: Type.Integer({ description: "People in this cell" }),
      }),
      { description: "One for each cell with people in the area: their mean position and their number" },
    ),
  },
  { title: "PositionClusters" },
)
type PositionClusters = Static<typeof PositionClustersSchema>

interface Cell {
  lat: number | null
  lon: number | null
  people: number
  seen: number
  isShown: boolean
  west: number | null
  south: number | null
  east: number | null
  north: number | null
}

/** The side of a cell at zoom 0: an eighth of a tile of 512 pixels. */
const widestCell = 360 / 8

/**
 * How many people are where, for maps of more people than can be drawn one by one. Everybody in sight is read once;
 * those outside the area are one group.
 */
export async function countInCells(
  sql: Sql,
  caller: Sight,
  { box, zoom, ...filter }: Pick<PositionFilter, "hubId" | "teamId" | "box"> & { zoom: number },
): Promise<PositionClusters> {
  const side = widestCell / 2 ** zoom
  const cells = await sql<Cell[]>`
    select avg(lat) as lat, avg(lng) as lon, count(*)::int as people, count(lat)::int as seen, is_shown,
      min(lng) as west, min(lat) as south, max(lng) as east, max(lat) as north
    from (
      select newest.lat, newest.lng,
        newest.lat is not null and ${box === undefined ? sql`true` : sql`coalesce(${isInBox(sql, box)}, false)`} as is_shown
      from ${peopleWithNewest(sql, caller)}
      where ${matchingPeople(sql, caller, filter)}
    ) people
    group by is_shown, case when is_shown then floor(lat / ${side}::float8) end,
      case when is_shown then floor(lng / ${side}::float8) end`
  const seen = cells.filter((cell) => cell.seen > 0)
  const limit = (pick: (cell: Cell) => number | null, choose: (...values: number[]) => number) =>
    seen.map((cell) => pick(cell) ?? 0).reduce((one, other) => choose(one, other))
  return {
    total: cells.reduce((sum, { people }) => sum + people, 0),
    seen: seen.reduce((sum, cell) => sum + cell.seen, 0),
    bounds:
      seen.length === 0
        ? null
        : {
            west: limit(({ west }) => west, Math.min),
            south: limit(({ south }) => south, Math.min),
            east: limit(({ east }) => east, Math.max),
            north: limit(({ north }) => north, Math.max),
          },
    clusters: cells.flatMap(({ isShown, lat, lon, people }) =>
      isShown && lat !== null && lon !== null ? [{ lat, lon, count: people }] : [],
    ),
  }
}
