import assert from "node:assert/strict"
import { test } from "node:test"
import type { WrittenPosition, WrittenTrack } from "./track.ts"
import { writeTracksAsGeoJson } from "./write-track-geojson.ts"
import { writeTracksAsGpx } from "./write-track-gpx.ts"

const morning = Date.UTC(2027, 2, 4, 7, 40)
const position: WrittenPosition = {
  recordedAt: morning,
  position: [4.900_31, 52.372_14],
  altitudeMeters: -2.5,
  speedMetersPerSecond: 3.2,
  bearingDegrees: 181,
}
const bare: WrittenPosition = { recordedAt: morning + 1000, position: [-0.000_000_3, 0] }
const track: WrittenTrack = { name: 'Van 12 <"A" & B>\u0007', positions: [[position], [bare]] }

async function text(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join("")
}

test("a track is written as GPX with time, height, speed and course", async () => {
  const gpx = await text(writeTracksAsGpx([track]))
  assert.ok(gpx.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fieldway"'))
  assert.ok(gpx.includes("<name>Van 12 &lt;&quot;A&quot; &amp; B&gt;</name>"))
  assert.ok(
    gpx.includes(
      '<trkpt lat="52.37214" lon="4.90031"><ele>-2.5</ele><time>2027-03-04T07:40:00.000Z</time>' +
        "<extensions><tpx:TrackPointExtension><tpx:speed>3.2</tpx:speed><tpx:course>181</tpx:course>" +
        "</tpx:TrackPointExtension></extensions></trkpt>",
    ),
  )
  assert.ok(gpx.includes('<trkpt lat="0" lon="-0.0000003"><time>2027-03-04T07:40:01.000Z</time></trkpt>'))
  assert.ok(gpx.endsWith("</trkseg></trk>\n</gpx>\n"))
})

test("a track is written as a GeoJSON line with a time for each coordinate", async () => {
  const collection = JSON.parse(await text(writeTracksAsGeoJson([track])))
  assert.deepEqual(collection, {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        geometry: {
          type: "LineString",
          coordinates: [
            [4.900_31, 52.372_14, -2.5],
            [-0.000_000_3, 0],
          ],
        },
        properties: {
          name: track.name,
          coordinateProperties: { times: ["2027-03-04T07:40:00.000Z", "2027-03-04T07:40:01.000Z"] },
        },
      },
    ],
  })
})

test("no track and a track of one position are valid files", async () => {
  assert.deepEqual(JSON.parse(await text(writeTracksAsGeoJson([]))), {
    type: "FeatureCollection",
    features: [],
  })
  const one = JSON.parse(await text(writeTracksAsGeoJson([{ name: "x", positions: [[bare]] }])))
  assert.equal(one.features[0].geometry.type, "Point")
  const none = JSON.parse(await text(writeTracksAsGeoJson([{ name: "x", positions: [] }])))
  assert.deepEqual(none.features, [])
  assert.match(await text(writeTracksAsGpx([])), /<\/gpx>\n$/)
})

test("a long track leaves in pieces and stays one line", async () => {
  async function* batches() {
    for (let i = 0; i < 25; i++) {
      yield Array.from({ length: 1000 }, (_, k) => ({
        recordedAt: morning + (i * 1000 + k) * 1000,
        position: [4 + (i * 1000 + k) * 1e-5, 52] as const,
      }))
    }
  }
  const gpx = await Array.fromAsync(writeTracksAsGpx([{ name: "long", positions: batches() }]))
  assert.ok(gpx.length > 10)
  assert.equal(gpx.join("").split("<trkpt").length - 1, 25_000)
  const collection = JSON.parse(await text(writeTracksAsGeoJson([{ name: "long", positions: batches() }])))
  const parts = collection.features.map(
    (each: { geometry: { coordinates: number[][] } }) => each.geometry.coordinates,
  )
  assert.deepEqual(
    parts.map((part: number[][]) => part.length),
    [10_000, 10_000, 5_002],
  )
  assert.deepEqual(parts[0].at(-1), parts[1][0])
  assert.deepEqual(parts[1].at(-1), parts[2][0])
})
