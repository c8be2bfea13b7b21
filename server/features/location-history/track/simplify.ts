import { type BoundingBox, boxHolds, earthRadiusMeters } from "#shared/geodesy.ts"
import { verdicts } from "./plausibility.ts"
import type { Track } from "./track.ts"

export interface SimplifyOptions {
  /** Zoom of the map, fractions allowed; the world is 512 pixels wide at zoom 0, as in MapLibre. */
  readonly zoom: number
  /** No shown position is further than this from the recorded one, at any time of the track; default 1. */
  readonly tolerancePixels?: number
  /** Differences below this many metres are noise of the receiver, however near the map is; default 5. */
  readonly noiseMeters?: number
  /** From `judgeTrack`: jumps, repeats and inaccurate points are left out of the line. */
  readonly judged?: Uint8Array
  /**
   * What the map shows, with a margin. Outside of it the tolerance is `outsideFactor` times larger: the line goes on,
   * and a month fits even where streets are wide on the screen.
   */
  readonly focus?: BoundingBox
  /** The tolerance grows until no more vertices than this are left. */
  readonly maxVertices?: number
}

export interface SimplifiedTrack {
  /** Places in the track of the points that stay, ascending; the first and the last always stay. */
  readonly indices: Uint32Array
  /** What holds: the tolerance asked for, or what the noise or `maxVertices` made of it. */
  readonly tolerancePixels: number
}

/** How much coarser the line is outside of the focus. */
export const outsideFactor = 32

const worldPixels = 512
/** Web Mercator ends here; the square world has its edge at this latitude. */
const mercatorEdgeDegrees = 85.051_128_779_806_59
/** Bounds the worst case of the first pass: a spiral of n points costs n times this, not n squared. */
const chunkLength = 1024

/**
 * Keeps the points that a map at `zoom` needs, as places in the track.
 *
 * Douglas-Peucker in Web Mercator, measured against where the line puts the person *at that time* (time-synchronised
 * distance), not against the nearest spot of the line. A plain Douglas-Peucker would drop an hour's halt on a straight
 * road, and the timeline would show a slow drift instead of a halt. This way one rule holds for the map and the
 * playback: at every moment the shown position is within the tolerance.
 *
 * Two passes of half the tolerance each: the first in chunks, so that its worst case stays linear in the track, the
 * second over what is left. Errors of the two add up to at most the tolerance.
 */
export function simplifyTrack(track: Track, options: SimplifyOptions): SimplifiedTrack {
  const { zoom, tolerancePixels = 1, noiseMeters = 5, maxVertices = Number.POSITIVE_INFINITY } = options
  const line = project(track, options)
  let tolerance = Math.max(tolerancePixels, noiseMeters * pixelsPerMeter(track, zoom))
  let kept = reduce(line, everyVertex(line.indices.length), tolerance / 2, chunkLength)
  let moved = tolerance / 2
  const pass = (chunk: number) => {
    kept = reduce(line, kept, tolerance - moved, chunk)
    moved = tolerance
  }
  // Far above the limit, the pass over everything would only find out slowly that the tolerance is too small.
  const isFarAbove = () => kept.length > 16 * maxVertices
  if (!isFarAbove()) pass(Number.POSITIVE_INFINITY)
  while (kept.length > Math.max(2, maxVertices)) {
    tolerance *= kept.length > 4 * maxVertices ? 4 : 2
    pass(isFarAbove() ? chunkLength : Number.POSITIVE_INFINITY)
  }
  return { indices: kept.map((vertex) => line.indices[vertex] ?? 0), tolerancePixels: tolerance }
}

/** Pixels of one metre where the map of this track is smallest, which is nearest to the equator. */
function pixelsPerMeter(track: Track, zoom: number): number {
  let nearest = mercatorEdgeDegrees
  for (const latitude of track.lat) nearest = Math.min(nearest, Math.abs(latitude))
  const metersAround = 2 * Math.PI * earthRadiusMeters * Math.cos((nearest * Math.PI) / 180)
  return (worldPixels * 2 ** zoom) / metersAround
}

interface ProjectedLine {
  /** Pixels at the zoom; x goes on beyond the edge of the world when the track crosses the antimeridian. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** Milliseconds since 1970. */
  readonly at: Float64Array
  /** Place of each vertex in the track. */
  readonly indices: Uint32Array
  /** By what squared distances count: less than 1 outside of the focus. */
  readonly weight: Float32Array
}

function project(track: Track, { zoom, judged, focus }: SimplifyOptions): ProjectedLine {
  const length = track.recordedAt.length
  const world = worldPixels * 2 ** zoom
  const x = new Float64Array(length)
  const y = new Float64Array(length)
  const at = new Float64Array(length)
  const indices = new Uint32Array(length)
  const weight = new Float32Array(length).fill(1)
  let count = 0
  let shift = 0
  for (let i = 0; i < length; i++) {
    const verdict = judged?.[i] ?? verdicts.plausible
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart) continue
    const latitude = Math.max(-mercatorEdgeDegrees, Math.min(mercatorEdgeDegrees, track.lat[i] ?? 0))
    const sine = Math.sin((latitude * Math.PI) / 180)
    let pixelX = ((track.lng[i] ?? 0) / 360 + 0.5) * world + shift
    const step = pixelX - (x[count - 1] ?? pixelX)
    if (Math.abs(step) > world / 2) {
      const turn = step > 0 ? -world : world
      shift += turn
      pixelX += turn
    }
    x[count] = pixelX
    y[count] = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world
    at[count] = track.recordedAt[i] ?? 0
    indices[count] = i
    if (focus && !boxHolds(focus, [track.lng[i] ?? 0, track.lat[i] ?? 0])) weight[count] = outsideFactor ** -2
    count++
  }
  return {
    x: x.subarray(0, count),
    y: y.subarray(0, count),
    at: at.subarray(0, count),
    indices: indices.subarray(0, count),
    weight: weight.subarray(0, count),
  }
}

function everyVertex(length: number): Uint32Array {
  const all = new Uint32Array(length)
  for (let i = 0; i < length; i++) all[i] = i
  return all
}

/** One pass over the vertices named by `candidates`; every `chunk`-th is kept unconditionally. */
function reduce(line: ProjectedLine, candidates: Uint32Array, tolerance: number, chunk: number): Uint32Array {
  const count = candidates.length
  if (count <= 2) return candidates
  const { x, y, at, weight } = line
  const keep = new Uint8Array(count)
  keep[0] = 1
  keep[count - 1] = 1
  const limit = tolerance * tolerance
  // A stack of our own: the depth of a bad track would overflow the one of the language.
  const stack: number[] = []
  for (let from = 0; from < count - 1; from += chunk) {
    const to = Math.min(count - 1, from + chunk)
    keep[to] = 1
    stack.push(from, to)
    while (stack.length > 0) {
      const right = stack.pop() ?? 0
      const left = stack.pop() ?? 0
      if (right - left < 2) continue
      const a = candidates[left] ?? 0
      const b = candidates[right] ?? 0
      const startX = x[a] ?? 0
      const startY = y[a] ?? 0
      const startAt = at[a] ?? 0
      const duration = (at[b] ?? 0) - startAt
      const speedX = duration > 0 ? ((x[b] ?? 0) - startX) / duration : 0
      const speedY = duration > 0 ? ((y[b] ?? 0) - startY) / duration : 0
      let furthest = limit
      let split = -1
      for (let i = left + 1; i < right; i++) {
        const vertex = candidates[i] ?? 0
        const elapsed = (at[vertex] ?? 0) - startAt
        const offX = (x[vertex] ?? 0) - startX - speedX * elapsed
        const offY = (y[vertex] ?? 0) - startY - speedY * elapsed
        const off = (offX * offX + offY * offY) * (weight[vertex] ?? 1)
        if (off > furthest) {
          furthest = off
          split = i
        }
      }
      if (split < 0) continue
      keep[split] = 1
      stack.push(left, split, split, right)
    }
    if (chunk === Number.POSITIVE_INFINITY) break
  }
  let survivors = 0
  for (let i = 0; i < count; i++) survivors += keep[i] ?? 0
  const kept = new Uint32Array(survivors)
  for (let i = 0, next = 0; i < count; i++) if (keep[i] === 1) kept[next++] = candidates[i] ?? 0
  return kept
}
