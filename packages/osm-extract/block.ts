/** Nodes of one block as columns. Coordinates are in units of 1e-7 degrees. */
export interface BlockNodes {
  readonly count: number
  readonly ids: Float64Array
  readonly lat: Int32Array
  readonly lon: Int32Array
  /** The tags of the node at a position in the block; undefined if it has none. */
  tags(index: number): ReadonlyMap<string, string> | undefined
}

export interface Way {
  readonly id: number
  readonly tags: ReadonlyMap<string, string>
  /** Node ids. Extracts may name nodes that they do not contain. */
  readonly refs: Float64Array
}

export type MemberType = "node" | "way" | "relation"

export interface RelationMember {
  readonly type: MemberType
  readonly ref: number
  readonly role: string
}

export interface Relation {
  readonly id: number
  readonly tags: ReadonlyMap<string, string>
  readonly members: readonly RelationMember[]
}

/** Up to some thousand entities that the file stores together. */
export interface Block {
  readonly nodes: BlockNodes | undefined
  readonly ways: readonly Way[]
  readonly relations: readonly Relation[]
}

export interface Kinds {
  readonly nodes?: boolean
  readonly ways?: boolean
  readonly relations?: boolean
}
