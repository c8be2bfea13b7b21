import type { ShownMap } from "../../../map/streets.ts"

/** Read by the service worker too: tiles that this phone keeps for the time without a network. */
export const mapCacheName = "fieldway-map-1"
const keptKey = "fieldway.kept-map"

interface Place {
  lat: number
  lng: number
}

/** What is kept, and since when. */
export interface KeptArea {
  /** Names and versions of the maps: after a map was replaced, the tiles of the old one are of no use. */
  versions: string
  tiles: number
  bytes: number
  keptAt: string
}

const minZoom = 8
const aroundMeters = 2_000
const earthMeters = 40_075_017
const maxTiles = 4_000
/** Tiles of each zoom that are read to say how large an area is. */
const sampleSize = 40
const atOnce = 6

export function versionsOf(maps: readonly ShownMap[]): string {
  return maps.map(({ name, version }) => `${name}@${version}`).join(" ")
}

export function readKept(): KeptArea | undefined {
  try {
    return JSON.parse(localStorage.getItem(keptKey) ?? "null") ?? undefined
  } catch {
    return undefined
  }
}

export async function removeKept(): Promise<void> {
  localStorage.removeItem(keptKey)
  await caches.delete(mapCacheName)
}

/** Addresses of the tiles around places, the overview first, in each map that contains them, with the style of the map. */
export function tilesAround(maps: readonly ShownMap[], places: readonly Place[]): string[] {
  const addresses = new Set<string>()
  for (const map of maps) {
    const [west = -180, south = -85, east = 180, north = 85] = map.bounds
    const inside = places.filter(({ lat, lng }) => lat >= south && lat <= north && lng >= west && lng <= east)
    if (map.style !== null && inside.length > 0) addresses.add(map.style)
    for (let zoom = Math.max(minZoom, map.minZoom); zoom <= map.maxZoom; zoom++)
      for (const place of inside)
        for (const [x, y] of tilesOf(place, zoom))
          addresses.add(
            map.tiles.replace("{z}", String(zoom)).replace("{x}", String(x)).replace("{y}", String(y)),
          )
  }
  return [...addresses].slice(0, maxTiles)
}

/** The tile of a place and its neighbours; at street height those within two kilometres. */
function tilesOf({ lat, lng }: Place, zoom: number): [number, number][] {
  const count = 2 ** zoom
  const radians = (lat * Math.PI) / 180
  const x = ((lng + 180) / 360) * count
  const y = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * count
  const tileMeters = (earthMeters * Math.cos(radians)) / count
  const reach = Math.max(0.5, aroundMeters / tileMeters)
  const tiles: [number, number][] = []
  for (let column = Math.floor(x - reach); column <= Math.floor(x + reach); column++)
    for (let row = Math.floor(y - reach); row <= Math.floor(y + reach); row++)
      if (row >= 0 && row < count) tiles.push([(column + count) % count, row])
  return tiles
}

/** About how many bytes the tiles are: from all of a zoom where there are few, from some of them where there are many. */
export async function estimateBytes(addresses: readonly string[]): Promise<number> {
  const zooms = new Map<string, string[]>()
  for (const address of addresses) {
    const [, zoom = ""] = /\/(\d+)\/\d+\/\d+/.exec(address) ?? []
    const tiles = zooms.get(zoom)
    if (tiles) tiles.push(address)
    else zooms.set(zoom, [address])
  }
  const sums = await Promise.all(
    [...zooms.values()].map(async (tiles) => {
      const step = Math.max(1, tiles.length / sampleSize)
      const sample = Array.from({ length: Math.min(tiles.length, sampleSize) }, (_, index) =>
        sizeOf(tiles[Math.floor(index * step)] ?? ""),
      )
      return ((await Promise.all(sample)).reduce((sum, size) => sum + size, 0) / sample.length) * tiles.length
    }),
  )
  return Math.round(sums.reduce((sum, size) => sum + size, 0))
}

async function sizeOf(address: string): Promise<number> {
  return (await (await fetch(address)).arrayBuffer()).byteLength
}

/** Stores the tiles; rejects when one of them cannot be read or stored. */
export async function keepTiles(
  addresses: readonly string[],
  versions: string,
  onProgress: (share: number) => void,
): Promise<KeptArea> {
  await removeKept()
  const cache = await caches.open(mapCacheName)
  let [next, bytes, done] = [0, 0, 0]
  const work = async () => {
    for (;;) {
      const address = addresses[next++]
      if (address === undefined) return
      const response = await fetch(address)
      if (!response.ok) throw new Error(`${response.status} ${new URL(response.url).pathname}`)
      const content = await response.arrayBuffer()
      bytes += content.byteLength
      const { headers, status } = response
      await cache.put(address, new Response(content.byteLength > 0 ? content : null, { status, headers }))
      done += 1
      onProgress(done / addresses.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } catch (error) {
    next = addresses.length
    await removeKept()
    throw error
  }
  const kept = { versions, tiles: addresses.length, bytes, keptAt: new Date().toISOString() }
  localStorage.setItem(keptKey, JSON.stringify(kept))
  return kept
}
