/** Memory of all graphs together. */
const maxBytes = 128 * 1024 * 1024
/** Of one organization; its oldest make room, so that it does not take away what others use. */
const maxOfOne = 8

interface Entry {
  graph: Promise<SharedArrayBuffer>
  organizationId: string
  bytes: number
}

/** Routing graphs for other than the usual options: no tolls, a vehicle's size, the speeds of an hour. */
export interface GraphCache {
  /** Computes a graph once for everybody who waits for it; after a failure the next one tries again. */
  get(
    key: string,
    organizationId: string,
    compute: () => Promise<SharedArrayBuffer>,
  ): Promise<SharedArrayBuffer>
  dropUnless(isCurrent: (key: string) => boolean): void
}

export function createGraphCache(): GraphCache {
  /** The last used last. */
  const entries = new Map<string, Entry>()

  const makeRoom = (organizationId: string) => {
    const own = [...entries].filter(([, entry]) => entry.organizationId === organizationId)
    for (const [key] of own.slice(0, Math.max(0, own.length - maxOfOne))) entries.delete(key)
    let bytes = entries.values().reduce((sum, entry) => sum + entry.bytes, 0)
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes || entries.size === 1) break
      bytes -= entry.bytes
      entries.delete(key)
    }
  }

  return {
    async get(key, organizationId, compute) {
      const entry = entries.get(key) ?? { graph: compute(), organizationId, bytes: 0 }
      entries.delete(key)
      entries.set(key, entry)
      try {
        const graph = await entry.graph
        entry.bytes = graph.byteLength
        makeRoom(organizationId)
        return graph
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key)
        throw error
      }
    },
    dropUnless(isCurrent) {
      for (const key of entries.keys()) if (!isCurrent(key)) entries.delete(key)
    },
  }
}
