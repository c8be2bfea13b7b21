import assert from "node:assert/strict"
import { test } from "node:test"
import { GeoFileError, type GeoLimits } from "./feature.ts"
import { placeOfGeometries } from "./geometry.ts"
import { readGeoFile } from "./read-geo-file.ts"
import { writeFeaturesAsGpx, writeFeaturesAsKml } from "./write-features.ts"
import { writeTracksAsGeoJson } from "./write-track-geojson.ts"
import { writeTracksAsGpx } from "./write-track-gpx.ts"
import { writeTracksAsKml } from "./write-track-kml.ts"

const read = (text: string, limits?: Partial<GeoLimits>) => readGeoFile(Buffer.from(text), limits)
const joined = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join("")

test("waypoints and route points of GPX are places, tracks are movements", () => {
  const { format, features, tracks } = read(`<?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1" xmlns:e="urn:e">
      <metadata><name>File</name></metadata>
      <wpt lat="52.37" lon="4.89"><ele>3</ele><name>Depot &amp; yard</name><desc>Gate 2</desc><sym>Flag</sym>
        <extensions><e:code>D-1</e:code></extensions></wpt>
      <wpt lat="95" lon="4.89"><name>Nowhere</name></wpt>
      <rte><name>Monday</name><rtept lat="52.38" lon="4.9"><name>First</name></rtept></rte>
      <trk><name>Van 7</name><trkseg>
        <trkpt lat="52.2" lon="4.1"><time>2031-05-04T08:00:10Z</time></trkpt>
        <trkpt lat="52.1" lon="4.1"><time>2031-05-04T08:00:00Z</time><extensions><e:speed>3.5</e:speed></extensions></trkpt>
        <trkpt lat="52.3" lon="4.1"/></trkseg></trk>
    </gpx>`)
  assert.equal(format, "gpx")
  assert.deepEqual(features[0], {
    name: "Depot & yard",
    description: "Gate 2",
    properties: { sym: "Flag", code: "D-1" },
    geometries: [{ type: "Point", coordinates: [4.89, 52.37, 3] }],
  })
  assert.match(features[1]?.problem ?? "", /95,4\.89/)
  assert.deepEqual(features[2]?.properties, { route: "Monday" })
  const start = Date.UTC(2031, 4, 4, 8)
  assert.deepEqual(tracks, [
    {
      name: "Van 7",
      skipped: 1,
      positions: [
        { recordedAt: start, position: [4.1, 52.1], speedMetersPerSecond: 3.5 },
        { recordedAt: start + 10_000, position: [4.1, 52.2] },
      ],
    },
  ])
})

test("placemarks of KML bring folders, data, areas with holes and several shapes", () => {
  const ring = (points: string) => `<LinearRing><coordinates>${points}</coordinates></LinearRing>`
  const { features } = read(`<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Mine</name>
    <Folder><name>North</name><Placemark><name>Site</name><description><![CDATA[<b>Bell</b> 3]]></description>
      <ExtendedData><Data name="code"><value>7</value></Data>
        <SchemaData><SimpleData name="floor">2</SimpleData></SchemaData></ExtendedData>
      <Point><coordinates> 4.89,52.37,0 </coordinates></Point></Placemark></Folder>
    <Placemark><name>Zone</name><MultiGeometry><Polygon><outerBoundaryIs>${ring("0,0 4,0 4,4 0,4 0,0")}</outerBoundaryIs>
      <innerBoundaryIs>${ring("1,1 2,1 2,2")}</innerBoundaryIs></Polygon></MultiGeometry></Placemark>
    <Placemark><name>Broken</name><Point/></Placemark>
    <NetworkLink><Link><href>http://127.0.0.1/secret</href></Link></NetworkLink></Document></kml>`)
  assert.deepEqual(features[0]?.properties, { code: "7", floor: "2", folder: "North" })
  assert.equal(features[0]?.description, "<b>Bell</b> 3")
  const [zone] = features[1]?.geometries ?? []
  assert.equal(zone?.type === "Polygon" && zone.coordinates[1]?.length, 4, "an open ring is closed")
  assert.deepEqual(placeOfGeometries(features[1]?.geometries ?? []), [2, 2])
  assert.equal(features[2]?.problem, "a point has no coordinates")
})

test("GeoJSON of every shape is read, and wrong coordinates are a problem of their feature alone", () => {
  const feature = (geometry: unknown, properties: unknown = {}) => ({ type: "Feature", geometry, properties })
  const { features } = read(
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        feature(
          {
            type: "MultiPoint",
            coordinates: [
              [1, 2],
              [3, 4],
            ],
          },
          { Name: "A", tags: ["x"], n: 3 },
        ),
        feature({
          type: "GeometryCollection",
          geometries: [
            {
              type: "MultiPolygon",
              coordinates: [
                [
                  [
                    [0, 0],
                    [1, 0],
                    [1, 1],
                    [0, 0],
                  ],
                ],
              ],
            },
          ],
        }),
        feature({ type: "Point", coordinates: [200, 2] }),
        feature({
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 1],
            ],
          ],
        }),
        feature({ type: "Circle", coordinates: "x" }),
        feature(null, { title: "Nowhere" }),
      ],
    }),
  )
  assert.deepEqual(features[0], {
    name: "A",
    description: "",
    properties: { tags: '["x"]', n: 3 },
    geometries: [
      { type: "Point", coordinates: [1, 2] },
      { type: "Point", coordinates: [3, 4] },
    ],
  })
  assert.equal(features[1]?.geometries[0]?.type, "Polygon")
  assert.deepEqual(
    features.map(({ problem }) => problem !== undefined),
    [false, false, true, true, true, false],
  )
  assert.equal(features[5]?.name, "Nowhere")
})

test("an area across the antimeridian has its middle inside, and impossible numbers and dates are no positions", () => {
  const ring = [
    [179, -17],
    [-179, -17],
    [-179, -16],
    [179, -16],
    [179, -17],
  ]
  const area = { type: "Polygon", coordinates: [ring] }
  const [feature] = read(JSON.stringify({ type: "Feature", geometry: area, properties: {} })).features
  assert.deepEqual(placeOfGeometries(feature?.geometries ?? []), [180, -16.5])
  for (const lat of ["NaN", "Infinity", "1e309", "90.1", "1,5", ""])
    assert.ok(read(`<gpx><wpt lat="${lat}" lon="1"/></gpx>`).features[0]?.problem, lat)
  const times = [
    "2031-02-30T00:00:00Z",
    "2031-13-01T00:00:00Z",
    "+999999-01-01T00:00:00Z",
    "2032-02-29T00:00:00Z",
  ]
  const points = times.map((time) => `<trkpt lat="1" lon="2"><time>${time}</time></trkpt>`).join("")
  const [track] = read(`<gpx><trk><trkseg>${points}</trkseg></trk></gpx>`).tracks
  assert.deepEqual([track?.skipped, track?.positions.length], [3, 1])
})

test("hostile and damaged files are refused with a reason", () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>'
  const files: Record<string, [string, Partial<GeoLimits>?]> = {
    "empty-file": [""],
    "wrong-type": ["Name,Job\n"],
    "wrong-type of JSON": ['{"a":1}'],
    "wrong-type of XML": ['<svg xmlns="x"/>'],
    "wrong-type of encoding": ['<?xml version="1.0" encoding="x-evil"?><kml/>'],
    entities: [`<?xml version="1.0"?>${bomb}<kml><Placemark><name>&c;</name></Placemark></kml>`],
    damaged: ["<kml><Placemark>"],
    "damaged JSON": ['{"type":"Feature"'],
    "damaged by an unknown entity": ["<kml><Placemark><name>&evil;</name></Placemark></kml>"],
    "too-deep": [`<kml>${"<Folder>".repeat(10_000)}`],
    "too-deep JSON": [`{"type":"Point","coordinates":${"[".repeat(100_000)}`],
    "too-large": [`<kml>${" ".repeat(2_000)}</kml>`, { maxBytes: 1_000 }],
    "too-many-features": [`<gpx>${'<wpt lat="1" lon="1"/>'.repeat(11)}</gpx>`, { maxFeatures: 10 }],
    "too-many-positions": [
      `<gpx><trk>${'<trkpt lat="1" lon="1"/>'.repeat(11)}</trk></gpx>`,
      { maxPositions: 10 },
    ],
    "text-too-long": [`<gpx><wpt lat="1" lon="1"><name>${"x".repeat(40_000)}</name></wpt></gpx>`],
  }
  for (const [name, [text, limits]] of Object.entries(files))
    assert.throws(
      () => read(text, limits),
      (error) =>
        error instanceof GeoFileError && error.code === name.split(" ")[0] && error.message.length > 10,
      name,
    )
  assert.throws(() => readGeoFile(Buffer.from([0x7b, 0xff, 0xff])), GeoFileError, "no UTF-8")
})

test("what is written is read back: places in KML and GPX, tracks in all three", async () => {
  const place = {
    name: "Café <1>",
    description: "ring twice",
    geometry: { type: "Point", coordinates: [4.89, -52.37] },
    values: [{ key: "code", title: "Code", text: "7" }],
  } as const
  const [kml] = read(await joined(writeFeaturesAsKml([place], "Tasks"))).features
  assert.deepEqual(
    [kml?.name, kml?.properties, kml?.geometries],
    [place.name, { code: "7" }, [place.geometry]],
  )
  const [gpx] = read(await joined(writeFeaturesAsGpx([place], "Tasks"))).features
  assert.deepEqual(
    [gpx?.name, gpx?.description, gpx?.geometries],
    [place.name, "ring twice\nCode: 7", [place.geometry]],
  )
  const positions = Array.from({ length: 12_000 }, (_, index) => ({
    recordedAt: 1_900_000_000_000 + index * 1_000,
    position: [Number((4 + index / 100_000).toFixed(5)), 52] as const,
    altitudeMeters: 1.5,
  }))
  for (const write of [writeTracksAsGpx, writeTracksAsKml, writeTracksAsGeoJson]) {
    const { tracks } = read(await joined(write([{ name: "Ana", positions: [positions] }])))
    const times = new Map(tracks.flatMap((track) => track.positions).map((one) => [one.recordedAt, one]))
    assert.equal(JSON.stringify([...times.values()]) === JSON.stringify(positions), true, write.name)
  }
})
