import {
  type AssembledArea,
  assembleArea,
  type Extract,
  isArea,
  locateWay,
  NodeLocations,
  type Relation,
  type Way,
} from "#packages/osm-extract/index.ts"
import { areaOf } from "../draw-tile.ts"
import { type Drawing, type Feature, type Parts, toFeature, wrapped } from "../geometry/feature.ts"
import { labelPoint } from "../geometry/label-point.ts"
import { projectLine, toX, toY } from "../geometry/world.ts"
import { areaDrawings } from "./areas.ts"
import { HouseNumbers } from "./house-numbers.ts"
import { placeDrawing, poiDrawing } from "./points.ts"
import { boundaryDrawing, roadDrawing, type Tags, transitDrawing, waterwayDrawing } from "./roads.ts"

export interface CollectedFeatures {
  readonly features: readonly Feature[]
  readonly houseNumbers: HouseNumbers
  /** Lines with land on their left and sea on their right, in world units. */
  readonly coastlines: readonly Int32Array[]
  readonly brokenRings: number
  readonly nodeCount: number
}

/** Reads everything that the map draws. Ways of relations are read first, since files may be in any order. */
export async function collectFeatures(extract: Extract, maxZoom: number): Promise<CollectedFeatures> {
  const collector = new Collector(maxZoom)
  const relations: Relation[] = []
  for await (const block of extract.blocks({ relations: true }))
    relations.push(...block.relations.filter(isDrawn))
  const memberWays = new Map<number, Float64Array | undefined>()
  for (const { members } of relations)
    for (const { type, ref } of members) if (type === "way") memberWays.set(ref, undefined)
  const locations = new NodeLocations()
  for await (const { nodes } of extract.blocks({ nodes: true })) {
    if (!nodes) continue
    locations.addBlock(nodes)
    for (let index = 0; index < nodes.count; index += 1) {
      const tags = nodes.tags(index)
      if (tags) collector.addNode(tags, nodes.lon[index] ?? 0, nodes.lat[index] ?? 0)
    }
  }
  for await (const { ways } of extract.blocks({ ways: true }))
    for (const way of ways) {
      if (memberWays.has(way.id)) memberWays.set(way.id, way.refs)
      collector.addWay(way, locateWay(way.refs, locations))
    }
  for (const relation of relations) {
    const assembled = assembleArea(
      relation,
      (id) => memberWays.get(id),
      (refs) => locateWay(Float64Array.from(refs), locations),
    )
    collector.addArea(relation.tags, assembled)
  }
  return { ...collector.collected(), nodeCount: locations.count }
}

function isDrawn(relation: Relation): boolean {
  return (
    isArea(relation) &&
    (relation.tags.get("type") !== "boundary" || areaDrawings(relation.tags, 1) !== undefined)
  )
}

class Collector {
  readonly #features: Feature[] = []
  readonly #coastlines: Int32Array[] = []
  readonly #houseNumbers: HouseNumbers
  #brokenRings = 0

  constructor(maxZoom: number) {
    this.#houseNumbers = new HouseNumbers(maxZoom)
  }

  collected() {
    return {
      features: this.#features,
      houseNumbers: this.#houseNumbers,
      coastlines: this.#coastlines,
      brokenRings: this.#brokenRings,
    }
  }

  addNode(tags: Tags, lon: number, lat: number): void {
    const [x, y] = [toX(lon / 1e7), toY(lat / 1e7)]
    this.#addPoint(tags, Int32Array.of(x, y))
  }

  #addPoint(tags: Tags, point: Int32Array): void {
    const number = tags.get("addr:housenumber")
    if (number) this.#houseNumbers.add(point[0] ?? 0, point[1] ?? 0, number)
    for (const drawing of [placeDrawing(tags), poiDrawing(tags)]) if (drawing) this.#add(drawing, [point])
  }

  addWay(way: Way, line: Int32Array): void {
    const { tags, refs } = way
    if (tags.size === 0 || line.length < 4) return
    const projected = projectLine(line)
    if (tags.get("natural") === "coastline") this.#coastlines.push(projected)
    for (const drawing of [
      roadDrawing(tags),
      transitDrawing(tags),
      waterwayDrawing(tags),
      boundaryDrawing(tags),
    ])
      if (drawing) this.#add(drawing, [projected])
    const isClosed = refs.length >= 4 && refs[0] === refs.at(-1) && line.length === refs.length * 2
    if (isClosed) this.#addPolygon(tags, [projected])
    else if (tags.get("man_made") === "pier" || tags.get("man_made") === "breakwater")
      this.#add({ layer: "pier", kind: "line", properties: {}, minZoom: 12, order: 0 }, [projected])
  }

  addArea(tags: Tags, { polygons, brokenRings }: AssembledArea): void {
    this.#brokenRings += brokenRings
    for (const polygon of polygons) this.#addPolygon(tags, polygon.map(projectLine))
  }

  #addPolygon(tags: Tags, rings: Parts): void {
    const outer = rings[0]
    if (!outer) return
    const size = Math.abs(areaOf(outer))
    const found = areaDrawings(tags, size)
    const wound = rings.map((ring, index) => withWinding(ring, index === 0))
    for (const drawing of found?.drawings ?? []) this.#add(drawing, wound)
    const center = labelPoint(outer)
    if (found?.label) this.#add(found.label, [center])
    this.#addPoint(found?.label ? withoutName(tags) : tags, center)
  }

  #add(drawing: Drawing, parts: Parts): void {
    const feature = toFeature(drawing, parts)
    if (feature) this.#features.push(...wrapped(feature))
  }
}

/** The name of an area that is a label already is not shown a second time as a point of interest. */
function withoutName(tags: Tags): Tags {
  return new Map([...tags].filter(([key]) => key !== "name"))
}

/** Outer rings run clockwise on the screen, holes the other way. */
function withWinding(ring: Int32Array, isOuter: boolean): Int32Array {
  if (areaOf(ring) > 0 === isOuter) return ring
  const turned = new Int32Array(ring.length)
  for (let at = 0; at < ring.length; at += 2) {
    turned[at] = ring[ring.length - 2 - at] ?? 0
    turned[at + 1] = ring[ring.length - 1 - at] ?? 0
  }
  return turned
}
