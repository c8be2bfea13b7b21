import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { boxAround, boxHolds, destination, type LngLat } from "#packages/geodesy/geodesy.ts"
import { trackTotals } from "./distance.ts"
import { judgeTrack, verdicts } from "./plausibility.ts"
import { simplifyTrack } from "./simplify.ts"
import { type Track, type TrackPoint, toTrack } from "./track.ts"
import { joinSegments, segmentOf } from "./track-segment.ts"
import { decodeSegment, encodeSegment } from "./track-segment-code.ts"

const depot: LngLat = [4.9, 52.37]

function pixels(longitude: number, latitude: number, zoom: number): [x: number, y: number] {
  const world = 512 * 2 ** zoom
  const sine = Math.sin((latitude * Math.PI) / 180)
  return [(longitude / 360 + 0.5) * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world]
}

/** How far the simplified line is from the recorded place, at the worst moment. */
function worstErrorPixels(
  track: Track,
  indices: Uint32Array,
  zoom: number,
  counts = (_: number) => true,
): number {
  let worst = 0
  for (let k = 1; k < indices.length; k++) {
    const [a, b] = [indices[k - 1] ?? 0, indices[k] ?? 0]
    const [startX, startY] = pixels(track.lng[a] ?? 0, track.lat[a] ?? 0, zoom)
    const [endX, endY] = pixels(track.lng[b] ?? 0, track.lat[b] ?? 0, zoom)
    const duration = (track.recordedAt[b] ?? 0) - (track.recordedAt[a] ?? 0)
    for (let i = a + 1; i < b; i++) {
      if (!counts(i)) continue
      const share = duration > 0 ? ((track.recordedAt[i] ?? 0) - (track.recordedAt[a] ?? 0)) / duration : 0
      const [x, y] = pixels(track.lng[i] ?? 0, track.lat[i] ?? 0, zoom)
      worst = Math.max(
        worst,
        Math.hypot(x - startX - share * (endX - startX), y - startY - share * (endY - startY)),
      )
    }
  }
  return worst
}

/** Where a line is at a moment. */
function placeAt({ recordedAt, lng, lat }: Track, at: number): [lng: number, lat: number] {
  const after = Math.max(
    1,
    recordedAt.findIndex((time) => time >= at),
  )
  const [a, b] = recordedAt[0] !== undefined && at <= recordedAt[0] ? [0, 0] : [after - 1, after]
  const [from, to] = [recordedAt[a] ?? 0, recordedAt[b] ?? 0]
  const part = to > from ? Math.min(1, (at - from) / (to - from)) : 0
  const between = (column: Float64Array) => (column[a] ?? 0) + ((column[b] ?? 0) - (column[a] ?? 0)) * part
  return [between(lng), between(lat)]
}

const wandering = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 30_000 }), fc.nat(359), fc.nat(300)), {
    minLength: 1,
    maxLength: 3000,
    size: "max",
  })
  .map((steps) => {
    const points: TrackPoint[] = [{ recordedAt: 0, position: depot }]
    let last = points[0] as TrackPoint
    for (const [milliseconds, bearing, meters] of steps) {
      last = {
        recordedAt: last.recordedAt + milliseconds,
        position: destination(last.position, bearing, meters),
      }
      points.push(last)
    }
    return toTrack(points)
  })

test("at every moment the shown position is within the tolerance of the recorded one", () => {
  fc.assert(
    fc.property(
      wandering,
      fc.integer({ min: 3, max: 18 }),
      fc.option(fc.integer({ min: 2, max: 40 }), { nil: undefined }),
      (track, zoom, maxVertices) => {
        const { indices, tolerancePixels, toleranceSeconds } = simplifyTrack(track, {
          zoom,
          ...(maxVertices ? { maxVertices } : {}),
        })
        assert.equal(indices[0], 0)
        assert.equal(indices.at(-1), track.lat.length - 1)
        if (maxVertices) assert.ok(indices.length <= maxVertices)
        // With fewer vertices the place may be that of a moment nearby, within the returned tolerance.
        if (toleranceSeconds === 0)
          assert.ok(worstErrorPixels(track, indices, zoom) <= tolerancePixels + 1e-3)
      },
    ),
    { numRuns: 40 },
  )
})

test("a track that was simplified by the hour and encoded is as accurate and as long as the original", () => {
  fc.assert(
    fc.property(wandering, fc.integer({ min: 3, max: 18 }), (track, zoom) => {
      const points = [...track.recordedAt].map((recordedAt, i) => ({
        recordedAt,
        position: [track.lng[i] ?? 0, track.lat[i] ?? 0] as const,
        speedKilometersPerHour: i % 3 === 0 ? null : i / 10,
      }))
      const judged = judgeTrack(track)
      const end = (points.at(-1)?.recordedAt ?? 0) + 1
      const segments = []
      for (let from = 0; from < end; from += 3_600_000) {
        const whole = segmentOf(points, from, from + 3_600_000, { zoom: 14, tolerancePixels: 0 })
        segments.push(decodeSegment(encodeSegment(whole)))
      }
      const segment = joinSegments(segments)
      const { indices, tolerancePixels } = simplifyTrack(segment.track, { zoom, isThinned: true })
      const places = new Map([...track.recordedAt].map((at, i) => [at, i]))
      const shown = indices.map((index) => places.get(segment.track.recordedAt[index] ?? -1) ?? -1)
      const isTravelled = (i: number) => judged[i] === verdicts.plausible || judged[i] === verdicts.restart
      // What was kept as bytes is rounded to 11 mm.
      const rounding = (512 * 2 ** zoom * 0.02) / 2.4e7
      assert.ok(worstErrorPixels(track, shown, zoom, isTravelled) <= tolerancePixels + rounding + 1e-3)
      const travelled = points.filter((_, i) => isTravelled(i))
      assert.deepEqual(
        [
          segment.track.recordedAt[0],
          segment.track.recordedAt.at(-1),
          segment.pointCount,
          segment.flaggedCount,
        ],
        [
          travelled[0]?.recordedAt,
          travelled.at(-1)?.recordedAt,
          points.length,
          points.length - travelled.length,
        ],
      )
      const meters = trackTotals(track, judged).distanceMeters
      assert.ok(Math.abs((segment.along.at(-1) ?? 0) - meters) < 1, `${segment.along.at(-1)} of ${meters} m`)
    }),
    { numRuns: 12 },
  )
})

test("an even ride on a straight road needs two vertices", () => {
  const track = toTrack(
    Array.from({ length: 5000 }, (_, i) => ({
      recordedAt: i * 1000,
      position: destination(depot, 0, i),
    })),
  )
  assert.equal(simplifyTrack(track, { zoom: 12, tolerancePixels: 2 }).indices.length, 2)
})

test("a halt on a straight road stays a halt in the playback", () => {
  const halted = (i: number) => (i < 300 ? i : i < 900 ? 300 : i - 600)
  const track = toTrack(
    Array.from({ length: 1200 }, (_, i) => ({
      recordedAt: i * 1000,
      position: destination(depot, 0, halted(i) * 10),
    })),
  )
  const { indices } = simplifyTrack(track, { zoom: 14 })
  assert.equal(indices.length, 4)
  assert.ok(Math.abs((indices[1] ?? 0) - 300) <= 2 && Math.abs((indices[2] ?? 0) - 899) <= 2)
})

test("what the map does not show is kept coarse, what it shows keeps its detail", () => {
  const wobble = (i: number) => destination(destination(depot, 90, i * 10), 0, Math.sin(i / 5) * 30)
  const track = toTrack(
    Array.from({ length: 5000 }, (_, i) => ({ recordedAt: i * 1000, position: wobble(i) })),
  )
  const zoom = 16
  const focus = boxAround(destination(depot, 90, 25_000), 2000)
  const shown = (i: number) => boxHolds(focus, [track.lng[i] ?? 0, track.lat[i] ?? 0])
  const whole = simplifyTrack(track, { zoom }).indices
  const focused = simplifyTrack(track, { zoom, focus })
  assert.ok(focused.indices.length < whole.length / 3)
  assert.ok([...focused.indices].filter(shown).length >= [...whole].filter(shown).length * 0.9)
  assert.ok(worstErrorPixels(track, focused.indices, zoom, shown) <= focused.tolerancePixels + 1e-3)
  assert.equal(focused.indices.at(-1), 4999)
})

test("a line around what the map shows does not run through it, however coarse it is there", () => {
  const track = toTrack(
    Array.from({ length: 4000 }, (_, i) => ({
      recordedAt: i * 1000,
      position: destination(depot, i / 10, 3000 + (i % 7) * 20),
    })),
  )
  const focus = boxAround(depot, 1000)
  const { indices } = simplifyTrack(track, { zoom: 16, focus })
  assert.ok(indices.length < 100, `${indices.length} vertices`)
  for (const [k, index] of indices.entries()) {
    const next = indices[k + 1] ?? index
    for (let part = 0; part <= 1; part += 0.05) {
      const between = (column: Float64Array) =>
        (column[index] ?? 0) + ((column[next] ?? 0) - (column[index] ?? 0)) * part
      assert.ok(!boxHolds(focus, [between(track.lng), between(track.lat)]))
    }
  }
})

test("where there is too much to show, the line stays true and its moments are held less exactly", () => {
  // Streets of a grid, at a pace that changes all the time, with halts.
  let [x, y, seconds] = [0, 0, 0]
  const points: TrackPoint[] = []
  for (let step = 0; step < 6_000; step++) {
    const pace = step % 400 < 60 ? 0 : 4 + 8 * Math.abs(Math.sin(step / 7))
    const street = Math.floor(step / 100) % 4
    if (street % 2 === 0) x += pace
    else y += street === 1 ? pace : -pace
    points.push({ recordedAt: seconds * 1000, position: destination(destination(depot, 90, x), 0, y) })
    seconds += 1
  }
  const track = toTrack(points)
  const zoom = 15
  const exact = simplifyTrack(track, { zoom })
  const { indices, tolerancePixels, toleranceSeconds } = simplifyTrack(track, { zoom, maxVertices: 400 })
  assert.ok(exact.indices.length > 800 && indices.length <= 400)
  assert.deepEqual(
    [exact.toleranceSeconds, toleranceSeconds, tolerancePixels],
    [0, 5.999, exact.tolerancePixels],
  )
  const shown = toTrack([...indices].map((i) => points[i] ?? { recordedAt: 0, position: depot }))
  for (let i = 0; i < points.length; i += 20) {
    let nearest = Number.POSITIVE_INFINITY
    const at = (track.recordedAt[i] ?? 0) / 1000
    for (let moment = at - 6; moment <= at + 6; moment += 0.5) {
      const place = placeAt(shown, moment * 1000)
      const [pixelX, pixelY] = pixels(...place, zoom)
      const [ownX, ownY] = pixels(track.lng[i] ?? 0, track.lat[i] ?? 0, zoom)
      nearest = Math.min(nearest, Math.hypot(pixelX - ownX, pixelY - ownY))
    }
    assert.ok(nearest <= tolerancePixels + 2, `${nearest} pixels at ${at} s`)
  }
})

test("jumps do not draw spikes", () => {
  const points: TrackPoint[] = Array.from({ length: 100 }, (_, i) => ({
    recordedAt: i * 1000,
    position: destination(depot, 0, i * 10),
  }))
  points[50] = { recordedAt: 50_000, position: destination(depot, 90, 20_000) }
  const track = toTrack(points)
  assert.ok(![...simplifyTrack(track, { zoom: 14, judged: judgeTrack(track) }).indices].includes(50))
})

test("a track over the antimeridian is short", () => {
  const track = toTrack(
    Array.from({ length: 200 }, (_, i) => ({
      recordedAt: i * 1000,
      position: destination([179.99, -17], 90, i * 20),
    })),
  )
  assert.equal(simplifyTrack(track, { zoom: 12 }).indices.length, 2)
})

test("empty and tiny tracks stay as they are", () => {
  assert.deepEqual([...simplifyTrack(toTrack([]), { zoom: 5 }).indices], [])
  assert.deepEqual(
    [...simplifyTrack(toTrack([{ recordedAt: 1, position: depot }]), { zoom: 5 }).indices],
    [0],
  )
})

test("a month of one-second points is reduced to what a screen can show", () => {
  const month = 30 * 24 * 3600
  const points = {
    recordedAt: new Float64Array(month),
    lng: new Float64Array(month),
    lat: new Float64Array(month),
    accuracyMeters: new Float32Array(month).fill(5),
  }
  for (let i = 0; i < month; i++) {
    points.recordedAt[i] = i * 1000
    points.lng[i] = 4.9 + Math.sin(i / 700) * 0.05 + (i % 3) * 1e-5
    points.lat[i] = 52.37 + Math.cos(i / 900) * 0.03 + (i % 5) * 1e-5
  }
  const { indices } = simplifyTrack(points, { zoom: 11, maxVertices: 20_000 })
  assert.ok(indices.length > 1000 && indices.length <= 20_000)
})
