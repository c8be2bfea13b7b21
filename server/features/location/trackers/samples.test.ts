import assert from "node:assert/strict"
import { createSocket } from "node:dgram"
import { connect } from "node:net"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { bytesOfSample, type Sample, samples } from "#packages/tracker-protocols/fixtures/samples.ts"
import { protocolNames, trackerProtocols } from "#packages/tracker-protocols/index.ts"
import { anOrganization, aUser } from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { testApp } from "#testing/test-app.ts"
import { host, listenForTrackers } from "./tracker-device.fixture.ts"

interface Expected {
  device?: string
  acknowledgement?: string
  positions?: readonly { recordedAt: string; latitude: number; longitude: number }[]
}

const expectedOf = ({ expected }: Sample) => expected as Expected
const patienceMilliseconds = 20_000
/** So long nothing may come where nothing is to be acknowledged. */
const silenceMilliseconds = 300

/** Some acknowledgements contain the server's time; the fixtures have that of another day. */
const withoutTimes = (text: string) =>
  text.replaceAll(/(78780b8a)[0-9a-f]{12}([0-9a-f]{4})[0-9a-f]{4}/g, "$1$2").replaceAll(/20\d{12}/g, "(time)")

/** Teltonika's datagrams have a format of their own; where a login precedes a frame, both need one connection. */
function isSentBy({ protocol, datagram, before }: Sample, transport: "tcp" | "udp"): boolean {
  if (datagram) return transport === "udp"
  if (transport === "tcp") return true
  return (
    before === undefined && protocol !== "teltonika" && trackerProtocols[protocol].transports.includes("udp")
  )
}

function arrivalOf(sample: Sample): Temporal.Instant {
  const times = (expectedOf(sample).positions ?? []).map(({ recordedAt }) => Date.parse(recordedAt))
  return Temporal.Instant.fromEpochMilliseconds(
    times.length > 0 ? Math.max(...times) + 3_600_000 : Date.now(),
  )
}

const placeOf = (at: Date, latitude: number, longitude: number) =>
  `${at.toISOString()} ${latitude.toFixed(5)} ${longitude.toFixed(5)}`

/** Sends what the device sends, and returns what it receives until that contains `wanted`. */
async function deliver(sample: Sample, port: number, transport: "tcp" | "udp"): Promise<string> {
  const { isText } = trackerProtocols[sample.protocol]
  const wanted = withoutTimes(expectedOf(sample).acknowledgement ?? "")
  const parts = [sample.before, sample.frame].flatMap((part) => (part ? [bytesOfSample(part)] : []))
  let received = Buffer.alloc(0)
  const shown = () => withoutTimes(received.toString(isText ? "latin1" : "hex"))
  const take = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
  }
  const socket = transport === "udp" ? createSocket("udp4").on("message", take) : undefined
  const connection = socket
    ? undefined
    : connect(port, host)
        .on("data", take)
        .on("error", () => undefined)
  for (const part of parts) {
    socket?.send(part, port, host)
    connection?.write(part)
  }
  const deadline = performance.now() + (wanted === "" ? silenceMilliseconds : patienceMilliseconds)
  while (performance.now() < deadline && (wanted === "" || !shown().includes(wanted))) await pause(20)
  socket?.close()
  connection?.destroy()
  return shown()
}

test("each sample frame that a device sends is acknowledged and stored exactly once, over TCP and UDP", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
  timeout: 600_000,
}, async (t) => {
  const server = await testApp(t)
  // The samples are older than any position is kept: each arrives an hour after it was measured.
  let now = Temporal.Now.instant()
  const trackers = await listenForTrackers(server, protocolNames, { clock: { now: () => now } })
  t.after(() => trackers.close())
  const org = await anOrganization(server.sql)
  const known = new Map<string, { person: string; wanted: Set<string> }>()
  for (const { protocol, expected } of samples) {
    const { device, positions = [] } = expected as Expected
    if (!device) continue
    let tracker = known.get(device)
    if (!tracker) {
      const person = await aUser(server.sql, { org, role: "field user" })
      await aTracker(server.sql, { org, person, imei: device, protocol })
      tracker = { person: person.id, wanted: new Set() }
      known.set(device, tracker)
    }
    for (const { recordedAt, latitude, longitude } of positions) {
      await server.sql`select ensure_location_partition(${recordedAt}::timestamptz)`
      tracker.wanted.add(placeOf(new Date(recordedAt), latitude, longitude))
    }
  }
  const missing: string[] = []
  for (const protocol of protocolNames) {
    const own = samples.filter((sample) => sample.protocol === protocol)
    const devices = own.flatMap((sample) => expectedOf(sample).device ?? [])
    // The documents of two manufacturers may use the same IMEI.
    await server.sql`update trackers set protocol = ${protocol} where imei = any(${devices})`
    for (const transport of ["tcp", "udp", "tcp"] as const)
      for (const sample of own.filter((one) => isSentBy(one, transport))) {
        const wanted = withoutTimes(expectedOf(sample).acknowledgement ?? "")
        now = arrivalOf(sample)
        const received = await deliver(sample, trackers.portOf(protocol), transport)
        const isSilent = wanted !== "" || received === "" || sample.before !== undefined
        if (!received.includes(wanted) || !isSilent)
          missing.push(`${protocol} ${transport} ${sample.sample}: ${received} for ${wanted}`)
      }
  }
  assert.deepEqual(missing, [])
  const stored = await server.sql<{ person: string; at: Temporal.Instant; lat: number; lng: number }[]>`
    select users.id as person, point.recorded_at as at, point.lat, point.lng
    from location_points point
      join users on users.number = point.person_number and users.organization_id = ${org.id}`
  for (const { person, wanted } of known.values())
    assert.deepEqual(
      stored
        .filter((point) => point.person === person)
        .map(({ at, lat, lng }) => placeOf(new Date(at.epochMilliseconds), lat, lng))
        .sort(),
      [...wanted].sort(),
    )
  assert.ok(stored.length > 50)
})
