import type { RoadSource, SourceRelation } from "../build/source.ts"

/** Roads for tests: nodes have letters, ways are words of them. Coordinates are longitude and latitude. */
export interface DrawnRoads {
  nodes: Record<string, readonly [lng: number, lat: number]>
  nodeTags?: Record<string, Record<string, string>>
  /** `["ABC", { highway: "residential" }]`. Ids count from 1. */
  ways: readonly (readonly [nodes: string | readonly string[], tags: Record<string, string>])[]
  /** "1 B 2": from way 1 over node B to way 2. "1 w3 2" is over way 3. */
  restrictions?: readonly (readonly [members: string, tags: Record<string, string>])[]
}

export function drawRoads({ nodes, nodeTags = {}, ways, restrictions = [] }: DrawnRoads): RoadSource {
  const names = Object.keys(nodes)
  const idOf = (name: string) => names.indexOf(name) + 1 || 9_007_199_254_740_000
  const column = (side: 0 | 1) =>
    Int32Array.from(names, (name) => Math.round((nodes[name]?.[side] ?? 0) * 10_000_000))
  return sourceOf({
    ids: Float64Array.from(names, idOf),
    lon: column(0),
    lat: column(1),
    nodeTags: new Map(Object.entries(nodeTags).map(([name, tags]) => [idOf(name), tags])),
    ways: ways.map(([path, tags], index) => ({ id: index + 1, tags, refs: [...path].map(idOf) })),
    relations: restrictions.map(([members, tags], index) => {
      const [from = "", via = "", to = ""] = members.split(" ")
      const way = (text: string, role: string) => ({ type: "way", ref: Number(text), role })
      return {
        id: index + 1,
        tags: new Map(Object.entries({ type: "restriction", ...tags })),
        members: [
          way(from, "from"),
          via.startsWith("w") ? way(via.slice(1), "via") : { type: "node", ref: idOf(via), role: "via" },
          way(to, "to"),
        ],
      }
    }),
  })
}

export interface PlainRoads {
  ids: Float64Array
  lon: Int32Array
  lat: Int32Array
  nodeTags?: ReadonlyMap<number, Record<string, string>>
  ways: readonly { id: number; tags: Record<string, string>; refs: ArrayLike<number> }[]
  relations?: SourceRelation[]
}

export function sourceOf({ ids, lon, lat, nodeTags, ways, relations = [] }: PlainRoads): RoadSource {
  return {
    async *blocks(kinds) {
      const tags = (index: number) => new Map(Object.entries(nodeTags?.get(ids[index] as number) ?? {}))
      const tagged = ways.map((way) => ({ ...way, tags: new Map(Object.entries(way.tags)) }))
      yield {
        nodes: kinds.nodes ? { count: ids.length, ids, lat, lon, tags } : undefined,
        ways: kinds.ways ? tagged : [],
        relations: kinds.relations ? relations : [],
      }
    },
  }
}
