import {
  assembleArea,
  type Block,
  type Extract,
  isArea,
  locateWay,
  NodeLocations,
  type Polygon,
  type Relation,
  signedArea,
  type Way,
} from "#packages/osm-extract/index.ts"
import { AddressColumns, addressOf, type OsmType } from "./address-columns.ts"
import type { Box } from "./grid.ts"
import { boxOf } from "./grid.ts"
import { interpolate, type NumberedLine } from "./interpolate.ts"
import { areaOf, interestOf, type Place, type PlaceKind, placeOf, streetOf } from "./kinds.ts"
import { extraTagsOf, type Names, namesOf, type Tags } from "./names.ts"

export interface Found<Kind extends PlaceKind> {
  readonly osmType: OsmType
  readonly osmId: number
  readonly kind: Kind
  readonly names: Names
  readonly lon: number
  readonly lat: number
  readonly bounds: Box
  /** Of a place that is mapped as an area. */
  readonly polygons?: readonly Polygon[]
  readonly postcode?: string
  readonly extraTags?: Readonly<Record<string, string>>
  /** Of a point of interest. */
  readonly house?: { readonly number: string; readonly street: string }
}

export interface StreetWay {
  readonly id: number
  readonly kind: PlaceKind
  readonly names: Names
  readonly postcode: string
  readonly line: Int32Array
}

export interface ReadAddresses {
  readonly addresses: AddressColumns
  readonly places: readonly Found<Place>[]
  readonly interests: readonly Found<PlaceKind>[]
  readonly streetWays: readonly StreetWay[]
  /** Node times `waysFactor` plus position in `streetWays`, ascending: which streets share a node. */
  readonly joints: Float64Array
  readonly locations: NodeLocations
  readonly interpolated: number
}

export const waysFactor = 2 ** 24

/** Reads everything that has a name or a number. The file may be in any order, so relations are read first. */
export async function readAddresses(extract: Extract): Promise<ReadAddresses> {
  const reader = new Reader()
  for await (const block of extract.blocks({ relations: true })) reader.addRelations(block)
  for await (const block of extract.blocks({ nodes: true })) reader.addNodes(block)
  for await (const { ways } of extract.blocks({ ways: true })) for (const way of ways) reader.addWay(way)
  return reader.finish()
}

class Reader {
  readonly #addresses = new AddressColumns()
  readonly #places: Found<Place>[] = []
  readonly #interests: Found<PlaceKind>[] = []
  readonly #streetWays: StreetWay[] = []
  readonly #joints: number[] = []
  readonly #locations = new NodeLocations()
  readonly #relations: Relation[] = []
  readonly #memberWays = new Map<number, Float64Array | undefined>()
  /** Streets of houses by `associatedStreet` relations. */
  readonly #streetOfMember = new Map<string, string>()
  readonly #numberedLines: NumberedLine[] = []

  addRelations({ relations }: Block): void {
    for (const relation of relations) {
      const { tags, members } = relation
      if (tags.get("type") === "associatedStreet" || tags.get("type") === "street") {
        const name = tags.get("name") ?? tags.get("addr:street")
        if (name)
          for (const { type, ref, role } of members)
            if (role === "house" || role === "address") this.#streetOfMember.set(`${type}${ref}`, name)
      }
      if (!isArea(relation) || !(areaOf(tags) || addressOf(tags) || (namesOf(tags) && interestOf(tags))))
        continue
      this.#relations.push(relation)
      for (const { type, ref } of members) if (type === "way") this.#memberWays.set(ref, undefined)
    }
  }

  addNodes({ nodes }: Block): void {
    if (!nodes) return
    this.#locations.addBlock(nodes)
    for (let index = 0; index < nodes.count; index += 1) {
      const tags = nodes.tags(index)
      if (!tags) continue
      const [lon, lat] = [nodes.lon[index] ?? 0, nodes.lat[index] ?? 0]
      const place = {
        osmType: "node",
        osmId: nodes.ids[index] ?? 0,
        lon,
        lat,
        bounds: [lon, lat, lon, lat],
      } as const
      const kind = placeOf(tags)
      const names = kind && namesOf(tags, ["name"])
      if (kind && names) this.#places.push({ ...place, kind, names, ...extraOf(tags, kind) })
      else this.#addThing(tags, place)
    }
  }

  addWay(way: Way): void {
    const { id, tags, refs } = way
    if (this.#memberWays.has(id)) this.#memberWays.set(id, refs)
    if (tags.size === 0) return
    if (tags.has("addr:interpolation")) this.#numberedLines.push({ id, tags, refs })
    const street = tags.get("area") === "yes" ? undefined : streetOf(tags)
    const names = street && namesOf(tags)
    if (street && names) {
      this.#addStreet(way, street, names)
      return
    }
    if (!tags.has("name") && !tags.has("addr:housenumber") && !tags.has("addr:housename")) return
    const line = locateWay(refs, this.#locations)
    if (line.length < 2) return
    const isClosed = refs.length >= 4 && refs[0] === refs.at(-1) && line.length === refs.length * 2
    const polygons: readonly Polygon[] = isClosed ? [[line]] : []
    this.#addArea(
      tags,
      { osmType: "way", osmId: id, ...middleOf(line, isClosed), bounds: boxOf(line) },
      polygons,
    )
  }

  #addStreet({ id, tags, refs }: Way, kind: PlaceKind, names: Names): void {
    const points: number[] = []
    const positions: number[] = []
    for (const ref of refs) {
      const position = this.#locations.find(ref)
      if (position < 0) continue
      points.push(this.#locations.lon(position), this.#locations.lat(position))
      positions.push(position)
    }
    if (positions.length < 2) return
    for (const position of positions) this.#joints.push(position * waysFactor + this.#streetWays.length)
    const postcode = tags.get("postal_code") ?? tags.get("addr:postcode") ?? ""
    this.#streetWays.push({ id, kind, names, postcode: postcode.slice(0, 20), line: Int32Array.from(points) })
  }

  #addArea(
    tags: Tags,
    place: { osmType: OsmType; osmId: number; lon: number; lat: number; bounds: Box },
    polygons: readonly Polygon[],
  ): void {
    const kind = areaOf(tags) ?? placeOf(tags)
    const names = kind && namesOf(tags, ["name"])
    if (kind && names) this.#places.push({ ...place, kind, names, polygons, ...extraOf(tags, kind) })
    else this.#addThing(tags, place)
  }

  /** A house, a point of interest, or both. */
  #addThing(
    tags: Tags,
    place: { osmType: OsmType; osmId: number; lon: number; lat: number; bounds: Box },
  ): void {
    const address = addressOf(tags)
    const names = namesOf(tags, ["name"])
    const interest = names && interestOf(tags)
    const house = address && {
      ...address,
      street: address.street || (this.#streetOfMember.get(`${place.osmType}${place.osmId}`) ?? ""),
    }
    const building = tags.get("building")
    if (house)
      this.#addresses.add(house, place, {
        origin: interest && !building ? 1 : 0,
        ...(building && building !== "no" ? { building } : {}),
      })
    if (interest)
      this.#interests.push({
        ...place,
        kind: interest,
        names,
        ...extraOf(tags, interest),
        ...(house ? { house: { number: house.number, street: house.street } } : {}),
        ...(tags.get("addr:postcode") ? { postcode: tags.get("addr:postcode") ?? "" } : {}),
      })
  }

  finish(): ReadAddresses {
    for (const relation of this.#relations) {
      const { polygons } = assembleArea(
        relation,
        (id) => this.#memberWays.get(id),
        (refs) => locateWay(Float64Array.from(refs), this.#locations),
      )
      const largest = polygons.toSorted((a, b) => Math.abs(signedArea(b[0])) - Math.abs(signedArea(a[0])))[0]
      if (!largest) continue
      const place = {
        osmType: "relation" as const,
        osmId: relation.id,
        ...middleOf(largest[0], true),
        bounds: boxOf(polygons.flatMap(([outer]) => [...boxOf(outer)])),
      }
      this.#addArea(relation.tags, place, polygons)
    }
    const interpolated = interpolate(this.#numberedLines, this.#addresses, this.#locations)
    return {
      addresses: this.#addresses,
      places: this.#places,
      interests: this.#interests,
      streetWays: this.#streetWays,
      joints: Float64Array.from(this.#joints).sort(),
      locations: this.#locations,
      interpolated,
    }
  }
}

function extraOf(tags: Tags, { category }: PlaceKind): Pick<Found<PlaceKind>, "extraTags"> {
  const extraTags = extraTagsOf(tags, category)
  return extraTags ? { extraTags } : {}
}

/** The centre of gravity of an area, or the middle of a line's box. */
function middleOf(line: Int32Array, isClosed: boolean): { lon: number; lat: number } {
  const [west, south, east, north] = boxOf(line)
  const middle = { lon: Math.round((west + east) / 2), lat: Math.round((south + north) / 2) }
  if (!isClosed) return middle
  let [area, x, y] = [0, 0, 0]
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [x1, y1] = [(line[at] ?? 0) - west, (line[at + 1] ?? 0) - south]
    const [x2, y2] = [(line[at + 2] ?? 0) - west, (line[at + 3] ?? 0) - south]
    const cross = x1 * y2 - x2 * y1
    area += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  if (area === 0) return middle
  return { lon: Math.round(west + x / (3 * area)), lat: Math.round(south + y / (3 * area)) }
}
