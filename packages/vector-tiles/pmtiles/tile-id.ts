/** The number of a tile in a PMTiles archive: all tiles of smaller zooms first, then along the Hilbert curve. */
export function tileId(zoom: number, x: number, y: number): number {
  let id = 0
  for (let size = 2 ** (zoom - 1); size >= 1; size /= 2) {
    const right = Math.floor(x / size) % 2
    const below = Math.floor(y / size) % 2
    id += size * size * ((3 * right) ^ below)
    ;[x, y] = rotate(size, x % size, y % size, right, below)
  }
  return id + (4 ** zoom - 1) / 3
}

function rotate(size: number, x: number, y: number, right: number, below: number): [number, number] {
  if (below === 1) return [x, y]
  return right === 1 ? [size - 1 - y, size - 1 - x] : [y, x]
}
