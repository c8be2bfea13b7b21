import type { Feature, Point } from "geojson"
import type { GeoJSONSourceDiff } from "./map-library.ts"

export interface PersonOnMap {
  id: string
  name: string
  lat: number
  lng: number
  movement: "moving" | "still" | "silent" | "never-seen"
  bearing: number | null
  isChosen: boolean
}

export const movementColors: Readonly<Record<PersonOnMap["movement"], string>> = {
  moving: "#1f7a63",
  still: "#3b7fc4",
  silent: "#8b9893",
  "never-seen": "#8b9893",
}

export function featureOf({ lat, lng, ...properties }: PersonOnMap): Feature<Point> {
  return { type: "Feature", properties, geometry: { type: "Point", coordinates: [lng, lat] } }
}

/**
 * What turns the people that a map shows into others. Of ten thousand people a few hundred move between two updates;
 * handing over all of them takes longer than a frame.
 */
export function changesOf(
  before: ReadonlyMap<string, PersonOnMap>,
  after: ReadonlyMap<string, PersonOnMap>,
): { diff: GeoJSONSourceDiff; moved: PersonOnMap[] } {
  const [add, update, moved]: [Feature<Point>[], NonNullable<GeoJSONSourceDiff["update"]>, PersonOnMap[]] = [
    [],
    [],
    [],
  ]
  for (const [id, person] of after) {
    const known = before.get(id)
    const isMoved = known?.lat !== person.lat || known.lng !== person.lng
    if (isMoved) moved.push(person)
    if (!known) add.push(featureOf(person))
    else if (isMoved || !hasSameLook(known, person))
      update.push({
        id,
        ...(isMoved && { newGeometry: featureOf(person).geometry }),
        addOrUpdateProperties: (["name", "movement", "bearing"] as const).map((key) => ({
          key,
          value: person[key],
        })),
      })
  }
  const remove = [...before.keys()].filter((id) => !after.has(id))
  return { diff: { add, update, remove }, moved }
}

function hasSameLook(one: PersonOnMap, other: PersonOnMap): boolean {
  return one.name === other.name && one.movement === other.movement && one.bearing === other.bearing
}

export function isEmpty({ add = [], update = [], remove = [] }: GeoJSONSourceDiff): boolean {
  return add.length + update.length + remove.length === 0
}
