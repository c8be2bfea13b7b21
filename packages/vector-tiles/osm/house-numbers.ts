import type { ExtraPoints, TilePlace } from "../draw-tile.ts"
import { worldSize } from "../geometry/world.ts"

const maxLength = 12

/** House numbers by tile of the deepest zoom. There may be millions, so each is three numbers and no object. */
export class HouseNumbers {
  readonly #zoom: number
  readonly #tiles = new Map<number, number[]>()
  readonly #texts: string[] = []
  readonly #textIndex = new Map<string, number>()
  /** Tiles above those with numbers, by zoom. */
  #above: Set<number>[] | undefined

  constructor(zoom: number) {
    this.#zoom = zoom
  }

  add(x: number, y: number, text: string): void {
    if (text.length > maxLength) return
    const size = worldSize / 2 ** this.#zoom
    const key = keyOf(this.#zoom, Math.floor(x / size), Math.floor(y / size))
    const tile = this.#tiles.get(key)
    const index = this.#indexOf(text)
    if (tile) tile.push(x, y, index)
    else this.#tiles.set(key, [x, y, index])
    this.#above = undefined
  }

  #indexOf(text: string): number {
    const known = this.#textIndex.get(text)
    if (known !== undefined) return known
    this.#textIndex.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }

  forEach(visit: (x: number, y: number) => void): void {
    for (const tile of this.#tiles.values())
      for (let at = 0; at < tile.length; at += 3) visit(tile[at] ?? 0, tile[at + 1] ?? 0)
  }

  reaches({ zoom, x, y }: TilePlace): boolean {
    this.#above ??= this.#tilesAbove()
    return this.#above[zoom]?.has(keyOf(zoom, x, y)) ?? false
  }

  at({ zoom, x, y }: TilePlace): ExtraPoints | undefined {
    const tile = zoom === this.#zoom ? this.#tiles.get(keyOf(zoom, x, y)) : undefined
    if (!tile) return undefined
    const points: { x: number; y: number; properties: { number: string } }[] = []
    for (let at = 0; at < tile.length; at += 3)
      points.push({
        x: tile[at] ?? 0,
        y: tile[at + 1] ?? 0,
        properties: { number: this.#texts[tile[at + 2] ?? 0] ?? "" },
      })
    return { layer: "house_number", points }
  }

  #tilesAbove(): Set<number>[] {
    const above: Set<number>[] = Array.from({ length: this.#zoom + 1 }, () => new Set<number>())
    for (const key of this.#tiles.keys()) {
      const side = 2 ** this.#zoom
      let [x, y] = [key % side, Math.floor(key / side)]
      for (let zoom = this.#zoom; zoom >= 0; zoom -= 1) {
        above[zoom]?.add(keyOf(zoom, x, y))
        ;[x, y] = [x >>> 1, y >>> 1]
      }
    }
    return above
  }
}

const keyOf = (zoom: number, x: number, y: number) => y * 2 ** zoom + x
