/** Arcs to higher ranks, by state in order of rank: out of it, or into it. */
export interface UpwardArcs {
  first: Uint32Array
  /** The state of the higher rank. */
  other: Uint32Array
  cost: Uint32Array
  length: Uint32Array
  /**
   * A shortcut replaces two arcs over a lower state: positions in `into` and in `outOf`. A plain arc has `plain` as
   * its second part and its directed segment as the first.
   */
  partA: Uint32Array
  partB: Uint32Array
}

export interface Hierarchy {
  outOf: UpwardArcs
  into: UpwardArcs
}

export const plain = 0xffff_ffff
