import { type Polygon, pointInRing } from "#packages/osm-extract/index.ts"
import { fold } from "../text/fold.ts"
import { type Box, boxOf, Grid, metersBetween } from "./grid.ts"
import { type AreaLevel, areaLevels, type Place } from "./kinds.ts"
import type { Found } from "./read-extract.ts"

/** A place by its number in the index. */
export interface NumberedPlace extends Found<Place> {
  readonly id: number
}

interface Area {
  readonly id: number
  readonly level: AreaLevel
  readonly polygon: Polygon
  readonly size: number
}

interface Center {
  readonly id: number
  readonly level: AreaLevel
  readonly lon: number
  readonly lat: number
  readonly reachMeters: number
  readonly name: string
}

/** About 5 km. */
const cellDegrees = 0.05
const metersPerDegree = 111_195

/** Which country, state, city and part of it a place lies in, by boundaries where there are some, else by distance. */
export class AreaIndex {
  readonly #areas = new Grid<Area>(cellDegrees)
  readonly #large: Area[] = []
  readonly #centers = new Grid<Center>(cellDegrees)

  constructor(places: readonly NumberedPlace[]) {
    for (const place of places) {
      const { level, reachMeters } = place.kind
      if (!level) continue
      for (const polygon of place.polygons ?? []) this.#addArea(place.id, level, polygon)
      if (!place.polygons?.length && reachMeters)
        this.#addCenter({ ...place, level, reachMeters, name: fold(place.names.name) })
    }
  }

  #addArea(id: number, level: AreaLevel, polygon: Polygon): void {
    const box = boxOf(polygon[0])
    const area = { id, level, polygon, size: (box[2] - box[0]) * (box[3] - box[1]) }
    if (!this.#areas.add(area, box, 10_000)) this.#large.push(area)
  }

  #addCenter({ id, level, lon, lat, reachMeters, name }: Center): void {
    const degrees = (reachMeters / metersPerDegree) * 1e7
    const wide = degrees / Math.max(0.05, Math.cos((lat / 1e7) * (Math.PI / 180)))
    const box: Box = [lon - wide, lat - degrees, lon + wide, lat + degrees]
    this.#centers.add({ id, level, lon, lat, reachMeters, name }, box)
  }

  /** Ids of the areas around a place, from the largest level to the smallest; `city` is what its houses name. */
  around(lon: number, lat: number, city = ""): number[] {
    const best = new Map<AreaLevel, { id: number; measure: number }>()
    const offer = (level: AreaLevel, id: number, measure: number) => {
      const known = best.get(level)
      if (!known || measure < known.measure) best.set(level, { id, measure })
    }
    for (const { id, level, polygon, size } of [...this.#large, ...this.#areas.at(lon, lat)])
      if (isInside(polygon, lon, lat)) offer(level, id, -1 / (size + 1))
    // What a boundary decides is not decided by distance.
    const decided = new Set(best.keys())
    for (const center of this.#centers.at(lon, lat)) {
      if (decided.has(center.level)) continue
      const share = metersBetween(lon, lat, center.lon, center.lat) / center.reachMeters
      const isNamed = city !== "" && center.level === "city" && center.name === fold(city)
      if (share <= 1) offer(center.level, center.id, isNamed ? -1 : share)
    }
    return areaLevels.flatMap((level) => best.get(level)?.id ?? [])
  }
}

function isInside([outer, ...holes]: Polygon, lon: number, lat: number): boolean {
  return pointInRing(lon, lat, outer) >= 0 && holes.every((hole) => pointInRing(lon, lat, hole) <= 0)
}

/** A boundary and the point of the same name inside it are one place. The point knows its kind, the boundary its area. */
export function linkPlaces(places: readonly Found<Place>[]): Found<Place>[] {
  const points = new Map<string, Found<Place>[]>()
  const key = ({ names }: Found<Place>) => fold(names.name)
  for (const place of places)
    if (!place.polygons) points.set(key(place), [...(points.get(key(place)) ?? []), place])
  const linked = new Map<Found<Place>, Found<Place>>()
  const rest: Found<Place>[] = []
  for (const area of places) {
    if (!area.polygons) continue
    const point = points
      .get(key(area))
      ?.find(
        (found) =>
          isSameKind(area, found) &&
          area.polygons?.some((polygon) => isInside(polygon, found.lon, found.lat)),
      )
    const known = point && linked.get(point)
    if (!point || known) rest.push(area)
    else linked.set(point, unite(area, point))
  }
  return [...rest, ...places.filter(({ polygons }) => !polygons).map((point) => linked.get(point) ?? point)]
}

const isSameKind = (area: Found<Place>, { kind }: Found<Place>) =>
  area.kind.level === kind.level || (area.kind.level === "county" && kind.level === "city")

function unite(area: Found<Place>, point: Found<Place>): Found<Place> {
  const { osmType, osmId, bounds, polygons } = area
  const names = { name: point.names.name, others: { ...area.names.others, ...point.names.others } }
  return { ...point, osmType, osmId, bounds, ...(polygons ? { polygons } : {}), names }
}
