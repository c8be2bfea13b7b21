import assert from "node:assert/strict"
import { test } from "node:test"
import { parseGpx } from "./gpx.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const file = (points: string, head = '<?xml version="1.0" encoding="UTF-8"?>') =>
  bytes(`${head}
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"
  xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
<wpt lat="1" lon="2"><time>2023-11-19T13:29:57Z</time></wpt>
<trk><name>Morning</name><trkseg>${points}</trkseg></trk></gpx>`)
const refusal = async (source: Uint8Array) => (await parseGpx(source)).refusals[0]

test("a GPX 1.0 logger writes speed and course into the point", async () => {
  const report = await parseGpx(
    file(`<trkpt lat="50.5710623" lon="-2.4563484"><ele>7.90</ele><time>2022-04-11T10:16:01Z</time>
      <course>157.19</course><speed>0.5429</speed><src>gps</src><sat>6</sat><hdop>1.4</hdop></trkpt>`),
  )
  assert.deepEqual(report, {
    positions: [
      {
        recordedAt: new Date("2022-04-11T10:16:01.000Z"),
        position: [-2.456_348_4, 50.571_062_3],
        speedMetersPerSecond: 0.5429,
        altitudeMeters: 7.9,
        bearingDegrees: 157.19,
        extras: { hdop: 1.4, satellites: 6, source: "gps" },
      },
    ],
    refusals: [],
  })
})

test("GPX 1.1 carries them in extensions, under any prefix", async () => {
  const extended = (prefix: string) =>
    `<trkpt lat="52.0493617" lon="-0.5709269"><ele>43.195</ele><time>2023-11-19T13:29:57.000Z</time><extensions>
      <${prefix}:TrackPointExtension><${prefix}:hr>120</${prefix}:hr><${prefix}:speed>2.600</${prefix}:speed>
      <${prefix}:course>248.19</${prefix}:course></${prefix}:TrackPointExtension></extensions></trkpt>`
  for (const prefix of ["gpxtpx", "ns3"]) {
    const [position] = (await parseGpx(file(extended(prefix)))).positions
    assert.equal(position?.speedMetersPerSecond, 2.6)
    assert.equal(position?.bearingDegrees, 248.19)
    assert.deepEqual(position?.extras, { heartRate: 120 })
  }
})

test("of a track with bad points the good ones are taken and the bad ones named", async () => {
  const time = "<time>2023-11-19T13:29:57Z</time>"
  const report = await parseGpx(
    file(
      `<trkpt lat="52" lon="4">${time}</trkpt><trkpt lat="52" lon="4"><ele>3</ele></trkpt>` +
        `<trkpt lat="91" lon="4">${time}</trkpt><trkpt lon="4">${time}</trkpt>` +
        `<trkpt lat="52" lon="4">${time}<fix>none</fix></trkpt><trkpt lat="53" lon="4">${time}</trkpt>`,
    ),
  )
  assert.deepEqual(
    report.positions.map((position) => position.position[1]),
    [52, 53],
  )
  assert.deepEqual(report.refusals, [
    { index: 1, reason: "time-missing" },
    { index: 2, reason: "coordinates-invalid" },
    { index: 3, reason: "coordinates-missing" },
    { index: 4, reason: "no-fix" },
  ])
})

test("a file that is no well-formed GPX in UTF-8 is refused as a whole, with the place", async () => {
  const cut = file('<trkpt lat="52" lon="4"><time>2023-11-19T13:29:57Z</time></trkpt>').subarray(0, -20)
  assert.equal((await refusal(cut))?.reason, "not-readable")
  assert.match((await refusal(bytes("<gpx><trk></gpx>")))?.detail ?? "", /1:/)
  assert.equal((await refusal(bytes("<kml></kml>")))?.detail, "<kml> is not GPX")
  assert.equal((await refusal(bytes("")))?.reason, "not-readable")
  assert.equal((await refusal(bytes("{}")))?.reason, "not-readable")
  assert.equal((await refusal(new Uint8Array([0x3c, 0xff, 0xff])))?.detail, "not UTF-8")
  const latin = file("", '<?xml version="1.0" encoding="ISO-8859-1"?>')
  assert.match((await refusal(latin))?.detail ?? "", /ISO-8859-1/)
})

test("document types and entities are refused", async () => {
  const bomb = '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
  const external = '<!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
  for (const doctype of [bomb, external, "<!DOCTYPE gpx>"]) {
    const report = await parseGpx(file('<trkpt lat="1" lon="2"><time>&a;</time></trkpt>', doctype))
    assert.deepEqual(report.positions, [])
    assert.equal(report.refusals[0]?.detail, "a document type is not accepted")
  }
  assert.match(
    (await refusal(file("<trkpt lat='1' lon='2'><time>&a;</time></trkpt>")))?.detail ?? "",
    /entity/,
  )
})

test("depth, size and number of points are bounded", async () => {
  assert.match((await refusal(file("<a>".repeat(40))))?.detail ?? "", /nested/)
  const points = file('<trkpt lat="1" lon="2"/>'.repeat(11))
  const limits = { maxBytes: 10_000, maxPositions: 10 }
  assert.deepEqual((await parseGpx(points, limits)).refusals, [
    { index: null, reason: "too-many", detail: "more than 10" },
  ])
  assert.equal(
    (await parseGpx(points, { ...limits, maxBytes: 200 })).refusals[0]?.detail,
    "more than 200 bytes",
  )
  const endless = file(`<trkpt lat="1" lon="2"><time>${"9".repeat(100_000)}</time></trkpt>`)
  assert.deepEqual((await parseGpx(endless)).refusals, [{ index: 0, reason: "time-invalid" }])
})

test("a file is read as it arrives, wherever the pieces are cut", async () => {
  const whole = file(
    '<trkpt lat="52.5" lon="4"><time>2023-11-19T13:29:57Z</time><src>Größe</src></trkpt>'.repeat(20),
    "\ufeff<?xml version='1.0' encoding='utf-8'?>",
  )
  async function* pieces() {
    for (let i = 0; i < whole.length; i += 7) yield whole.subarray(i, i + 7)
  }
  const report = await parseGpx(pieces())
  assert.equal(report.positions.length, 20)
  assert.deepEqual(report.positions[0]?.extras, { source: "Größe" })
  assert.deepEqual(report, await parseGpx(whole))
})

test("a broken connection is an error and no refusal", async () => {
  async function* broken() {
    yield bytes("<gpx>")
    throw new Error("connection lost")
  }
  await assert.rejects(parseGpx(broken()), /connection lost/)
})
