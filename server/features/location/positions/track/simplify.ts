import { type BoundingBox, earthRadiusMeters } from "#packages/geodesy/geodesy.ts"
import { verdicts } from "./plausibility.ts"
import type { Track } from "./track.ts"

export interface ThinOptions {
  /** Zoom of the map, fractions allowed; the world is 512 pixels wide at zoom 0, as in MapLibre. */
  readonly zoom: number
  /** No shown position is further than this from the recorded one, at any time of the track; default 1. */
  readonly tolerancePixels?: number
  /** Differences below this many metres are noise of the receiver, however near the map is; default 5. */
  readonly noiseMeters?: number
}

export interface SimplifyOptions extends ThinOptions {
  /** From `judgeTrack`: jumps, repeats and inaccurate points are left out of the line. */
  readonly judged?: Uint8Array
  /**
   * What the map shows, with a margin. Away from it the tolerance grows to half of the distance: the line goes on, never
   * runs through what is shown where nobody was, and a month fits even where streets are wide on the screen.
   */
  readonly focus?: BoundingBox
  /** Where there would be more, moments are held less exactly, and then places. */
  readonly maxVertices?: number
  /** The track comes from `thinTrack`, of this zoom or one nearer. */
  readonly isThinned?: boolean
}

export interface SimplifiedTrack {
  /** Places in the track of the points that stay, ascending; the first and the last always stay. */
  readonly indices: Uint32Array
  /** What holds: the tolerance asked for, or what the noise or `maxVertices` made of it. */
  readonly tolerancePixels: number
  /** The shown position is the recorded one of a moment that is no further away than this; 0 unless there is too much. */
  readonly toleranceSeconds: number
}

/** A long track is held in time to this part of its span: what a time line shows as one pixel. */
const spanParts = 1000

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
 * A month of driving has a vertex every few seconds by that rule, so where `maxVertices` is not enough, the place may be
 * that of a moment nearby (`toleranceSeconds`): the line is as true, and its turns and halts are what is left. Only then
 * does the tolerance grow.
 *
 * Several passes share the tolerance, whose errors add up: half of it is for thinning, which `thinTrack` may have done
 * before, a quarter for a pass in chunks, so that the worst case stays linear in the track, and a quarter for one over
 * what is left.
 */
export function simplifyTrack(track: Track, options: SimplifyOptions): SimplifiedTrack {
  const { maxVertices = Number.POSITIVE_INFINITY, isThinned = false } = options
  const line = project(track, options)
  const most = Math.max(2, maxVertices)
  const asked = toleranceOf(options, furthestLatitude(track))
  const moved = asked / 2
  const every = everyVertex(line.indices.length)
  const thinned = isThinned ? every : reduce(line, every, { pixels: moved, milliseconds: 0 }, chunkLength)
  const spanMilliseconds = (line.at.at(-1) ?? 0) - (line.at[0] ?? 0)
  for (let tolerance = asked, milliseconds = 0; ; ) {
    const each = { pixels: (tolerance - moved) / 2, milliseconds: milliseconds / 2 }
    let kept = reduce(line, thinned, each, chunkLength)
    // Far above the limit, the pass over everything would only find out slowly that the tolerance is too small.
    if (kept.length <= Math.max(16 * most, (2 * thinned.length) / chunkLength))
      kept = reduce(line, kept, each, Number.POSITIVE_INFINITY)
    if (kept.length <= most) {
      const indices = kept.map((vertex) => line.indices[vertex] ?? 0)
      return { indices, tolerancePixels: tolerance, toleranceSeconds: milliseconds / 1000 }
    }
    if (milliseconds === 0 && spanMilliseconds > 0) milliseconds = spanMilliseconds / spanParts
    else tolerance *= kept.length > 4 * most ? 4 : 2
  }
}

/** Half of what `simplifyTrack` does, for a part of a longer track: half of its tolerance, in linear time. */
export function thinTrack(track: Track, judged: Uint8Array, options: ThinOptions): Uint32Array {
  const line = project(track, { ...options, judged })
  const tolerance = toleranceOf(options, nearestLatitude(track))
  const each = { pixels: tolerance / 2, milliseconds: 0 }
  const kept = reduce(line, everyVertex(line.indices.length), each, chunkLength)
  return kept.map((vertex) => line.indices[vertex] ?? 0)
}

function toleranceOf({ zoom, tolerancePixels = 1, noiseMeters = 5 }: ThinOptions, latitude: number): number {
  const metersAround = 2 * Math.PI * earthRadiusMeters * Math.cos((latitude * Math.PI) / 180)
  return Math.max(tolerancePixels, (noiseMeters * worldPixels * 2 ** zoom) / metersAround)
}

/** Away from the equator the map is larger: so a part never counts more as noise than the whole does. */
function furthestLatitude(track: Track): number {
  let furthest = 0
  for (const latitude of track.lat) furthest = Math.max(furthest, Math.abs(latitude))
  return Math.min(furthest, mercatorEdgeDegrees)
}

function nearestLatitude(track: Track): number {
  let nearest = mercatorEdgeDegrees
  for (const latitude of track.lat) nearest = Math.min(nearest, Math.abs(latitude))
  return nearest
}

interface ProjectedLine {
  /** Pixels at the zoom; x goes on beyond the edge of the world when the track crosses the antimeridian. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** Milliseconds since 1970. */
  readonly at: Float64Array
  /** Place of each vertex in the track. */
  readonly indices: Uint32Array
  readonly shown: ShownBox | undefined
}

function project(track: Track, { zoom, judged, focus }: SimplifyOptions): ProjectedLine {
  const length = track.recordedAt.length
  const world = worldPixels * 2 ** zoom
  const x = new Float64Array(length)
  const y = new Float64Array(length)
  const at = new Float64Array(length)
  const indices = new Uint32Array(length)
  let count = 0
  let shift = 0
  for (let i = 0; i < length; i++) {
    const verdict = judged?.[i] ?? verdicts.plausible
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart) continue
    let pixelX = ((track.lng[i] ?? 0) / 360 + 0.5) * world + shift
    const step = pixelX - (x[count - 1] ?? pixelX)
    if (Math.abs(step) > world / 2) {
      const turn = step > 0 ? -world : world
      shift += turn
      pixelX += turn
    }
    x[count] = pixelX
    y[count] = pixelY(track.lat[i] ?? 0, world)
    at[count] = track.recordedAt[i] ?? 0
    indices[count] = i
    count++
  }
  return {
    x: x.subarray(0, count),
    y: y.subarray(0, count),
    at: at.subarray(0, count),
    indices: indices.subarray(0, count),
    shown: focus && projectBox(focus, world),
  }
}

/** What the map shows: the middle, and from there to the edges, in pixels of a world so wide. */
interface ShownBox {
  readonly x: number
  readonly y: number
  readonly halfWidth: number
  readonly halfHeight: number
  readonly world: number
}

function projectBox({ west, south, east, north }: BoundingBox, world: number): ShownBox {
  const left = (west / 360 + 0.5) * world
  const right = ((east < west ? east + 360 : east) / 360 + 0.5) * world
  const [top, bottom] = [pixelY(north, world), pixelY(south, world)]
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    halfWidth: (right - left) / 2,
    halfHeight: (bottom - top) / 2,
    world,
  }
}

/**
 * Squared pixels that each of the candidates may be off however small the tolerance: a quarter of the distance from what is
 * shown to the line before and after it, as two passes add up. So both ends of a line that touches it have none.
 */
function slackOf({ x, y, shown }: ProjectedLine, candidates: Uint32Array): Float64Array {
  const slack = new Float64Array(candidates.length)
  if (!shown) return slack
  let before = Number.POSITIVE_INFINITY
  for (let i = 0; i < candidates.length; i++) {
    const [a, b] = [candidates[i] ?? 0, candidates[i + 1]]
    const after =
      b === undefined ? before : squaredDistanceTo(shown, x[a] ?? 0, y[a] ?? 0, x[b] ?? 0, y[b] ?? 0)
    slack[i] = Math.min(before, after) / 16
    before = after
  }
  return slack
}

/** From the box around a piece of line to the shown one, 0 where they meet, the shorter direction around the world. */
function squaredDistanceTo(shown: ShownBox, fromX: number, fromY: number, toX: number, toY: number): number {
  const turned = Math.abs((fromX + toX) / 2 - shown.x) % shown.world
  const sideways = Math.min(turned, shown.world - turned) - shown.halfWidth - Math.abs(toX - fromX) / 2
  const upwards = Math.abs((fromY + toY) / 2 - shown.y) - shown.halfHeight - Math.abs(toY - fromY) / 2
  return Math.max(0, sideways) ** 2 + Math.max(0, upwards) ** 2
}

function pixelY(latitude: number, world: number): number {
  const sine = Math.sin(
    (Math.max(-mercatorEdgeDegrees, Math.min(mercatorEdgeDegrees, latitude)) * Math.PI) / 180,
  )
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world
}

function everyVertex(length: number): Uint32Array {
  const all = new Uint32Array(length)
  for (let i = 0; i < length; i++) all[i] = i
  return all
}

interface Tolerance {
  readonly pixels: number
  readonly milliseconds: number
}

/** One pass over the vertices named by `candidates`; every `chunk`-th is kept unconditionally. */
function reduce(
  line: ProjectedLine,
  candidates: Uint32Array,
  tolerance: Tolerance,
  chunk: number,
): Uint32Array {
  const count = candidates.length
  if (count <= 2) return candidates
  const { x, y, at } = line
  const slack = slackOf(line, candidates)
  const keep = new Uint8Array(count)
  keep[0] = 1
  keep[count - 1] = 1
  const limit = tolerance.pixels ** 2
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
      const legX = (x[b] ?? 0) - startX
      const legY = (y[b] ?? 0) - startY
      const squaredLength = legX * legX + legY * legY
      let furthest = 1
      let split = -1
      for (let i = left + 1; i < right; i++) {
        const vertex = candidates[i] ?? 0
        const fromX = (x[vertex] ?? 0) - startX
        const fromY = (y[vertex] ?? 0) - startY
        const elapsed = (at[vertex] ?? 0) - startAt
        // How far along the leg: where the line is at that moment, or at a nearby one that fits better.
        let part = duration > 0 ? elapsed / duration : 0
        if (tolerance.milliseconds > 0 && squaredLength > 0) {
          const nearest = (fromX * legX + fromY * legY) / squaredLength
          const reach = duration > 0 ? tolerance.milliseconds / duration : 1
          part = Math.max(0, part - reach, Math.min(1, part + reach, nearest))
        }
        const offX = fromX - legX * part
        const offY = fromY - legY * part
        const off = (offX * offX + offY * offY) / Math.max(limit, slack[i] ?? 0)
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
