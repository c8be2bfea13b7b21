import type { Tags } from "../tags/access.ts"

/** What a network is built from: an OpenStreetMap extract, read twice. `packages/osm-extract` opens such a file. */
export interface RoadSource {
  blocks(kinds: { nodes?: boolean; ways?: boolean; relations?: boolean }): AsyncIterable<SourceBlock>
}

export interface SourceBlock {
  nodes?:
    | {
        readonly count: number
        readonly ids: Float64Array
        /** Units of 1e-7 degrees. */
        readonly lat: Int32Array
        readonly lon: Int32Array
        tags(index: number): Tags | undefined
      }
    | undefined
  ways: readonly { id: number; tags: Tags; refs: ArrayLike<number> }[]
  relations: readonly SourceRelation[]
}

export interface SourceRelation {
  id: number
  tags: Tags
  members: readonly { type: string | number; ref: number; role: string }[]
}
