import assert from "node:assert/strict"
import { test } from "node:test"
import { bytesOfSample, samples } from "#packages/tracker-protocols/fixtures/samples.ts"
import { protocolNames } from "#packages/tracker-protocols/index.ts"
import { anOrganization } from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { testApp } from "#testing/test-app.ts"
import { recorderOf } from "../positions/index.ts"
import { KeyedBuckets } from "./listener/buckets.ts"
import { addressKey, defaultLimits } from "./listener/limits.ts"
import { listenForTrackers, TestDevice, teltonikaLogin, teltonikaPacket } from "./tracker-device.fixture.ts"

const limits = { ...defaultLimits, maxConnections: 100 }
const at = (index: number) => ({
  time: Math.floor(Date.now() / 1000) * 1000 - 3_600_000 + index * 1000,
  latitude: 52 + index * 1e-4,
  longitude: 5,
})

test("strangers, slow senders and garbage are disconnected, and the others go on", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const org = await anOrganization(sql)
  const { imei } = await aTracker(sql, { org, person: org.owner })
  const trackers = await listenForTrackers(server, ["teltonika", "gt06"], {
    limits: { ...limits, loginMilliseconds: 500, frameMilliseconds: 150, connectionsPerAddress: 4 },
  })
  t.after(() => trackers.close())
  const port = trackers.portOf("teltonika")
  const good = await TestDevice.connect(port)
  good.send(teltonikaLogin(imei))
  assert.equal(await good.receive(1), "01")

  const silent = await TestDevice.connect(port)
  await silent.closed()
  const garbage = await TestDevice.connect(trackers.portOf("gt06"))
  garbage.send(Buffer.alloc(20_000, 0x41))
  await garbage.closed()
  const wrong = await TestDevice.connect(port)
  wrong.send(Buffer.from("GET / HTTP/1.1\r\n\r\n"))
  await wrong.closed()
  // A packet that is announced and does not come, byte by byte.
  const slow = await TestDevice.connect(port)
  slow.send(teltonikaLogin(imei))
  assert.equal(await slow.receive(1), "01")
  const packet = teltonikaPacket([at(1)])
  const trickle = setInterval(() => slow.send(packet.subarray(0, 1)), 20)
  await slow.closed()
  clearInterval(trickle)

  const others = await Promise.all([1, 2, 3].map(() => TestDevice.connect(port)))
  const tooMany = await TestDevice.connect(port)
  await tooMany.closed()
  for (const device of others) device.end()
  good.send(teltonikaPacket([at(2)]))
  assert.equal(await good.receive(4), "00000001")
  good.end()
})

test("damaged frames of every protocol leave the listener and the others as they are", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const { imei } = await aTracker(server.sql, { org, person: org.owner })
  const newConnectionsPerAddress = { perSecond: 10_000, burst: 10_000 }
  const trackers = await listenForTrackers(server, protocolNames, {
    limits: { ...limits, newConnectionsPerAddress },
  })
  t.after(() => trackers.close())
  let state = 20_26
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const rounds = process.env.FIELDWAY_LONG ? 100 : 1
  for (let round = 0; round < rounds; round++)
    for (const name of protocolNames) {
      const ofProtocol = samples.filter(({ protocol }) => protocol === name)
      const devices = await Promise.all([1, 2, 3].map(() => TestDevice.connect(trackers.portOf(name))))
      for (const device of devices) {
        const parts = [1, 2, 3, 4].map(() => {
          const { before = "", frame } = ofProtocol[random(ofProtocol.length)] ?? { frame: "" }
          const bytes = Buffer.concat([bytesOfSample(before), bytesOfSample(frame)])
          for (let change = random(5); change > 0; change--) bytes[random(bytes.length)] = random(256)
          return bytes.subarray(0, bytes.length - random(4))
        })
        device.send(Buffer.concat(parts))
        device.socket.end()
      }
      await Promise.all(devices.map((device) => device.closed()))
    }
  const device = await TestDevice.connect(trackers.portOf("teltonika"))
  device.send(Buffer.concat([teltonikaLogin(imei), teltonikaPacket([at(1)])]))
  assert.equal(await device.receive(5), "0100000001")
  device.end()
})

test("a device with too many connections loses the oldest", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const { imei } = await aTracker(server.sql, { org, person: org.owner })
  const trackers = await listenForTrackers(server, ["teltonika"])
  t.after(() => trackers.close())
  const devices: TestDevice[] = []
  for (let count = 0; count < 4; count++) {
    const device = await TestDevice.connect(trackers.portOf("teltonika"))
    device.send(teltonikaLogin(imei))
    assert.equal(await device.receive(1), "01")
    devices.push(device)
  }
  await devices[0]?.closed()
  devices[3]?.send(teltonikaPacket([at(1)]))
  assert.equal(await devices[3]?.receive(4), "00000001")
  assert.deepEqual(
    devices.map(({ isClosed }) => isClosed),
    [true, false, false, false],
  )
  for (const device of devices) device.end()
})

test("while positions are being stored nothing more is read, and closing waits for them", async (t) => {
  const server = await testApp(t)
  const { sql, as, app } = server
  const org = await anOrganization(sql)
  const { imei } = await aTracker(sql, { org, person: org.owner })
  const real = recorderOf(app.sql)
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  let calls = 0
  const recorder: typeof real = {
    async record(...points) {
      calls += 1
      started.resolve()
      await gate.promise
      return real.record(...points)
    },
  }
  const trackers = await listenForTrackers(server, ["teltonika"], { recorder })
  const device = await TestDevice.connect(trackers.portOf("teltonika"))
  device.send(teltonikaLogin(imei))
  assert.equal(await device.receive(1), "01")
  device.send(teltonikaPacket([at(1), at(2)]))
  await started.promise
  // Ten megabytes that the device has no acknowledgement for.
  const packet = teltonikaPacket(Array.from({ length: 200 }, (_, index) => at(index + 10)))
  for (let sent = 0; sent < 10_000_000; sent += packet.length) device.send(packet)
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.ok(device.socket.writableLength > 1_000_000, "most of it is still with the device")
  assert.equal(calls, 1)
  const closing = trackers.close()
  gate.resolve()
  await closing
  assert.equal(await device.receive(4), "00000002")
  await device.closed()
  assert.equal((await as(org.owner).get("/location-histories")).json().tasks.total, 2)
})

test("buckets refill with time and drop the keys that were used least recently", () => {
  let now = 0
  const buckets = new KeyedBuckets({ perSecond: 2, burst: 3 }, () => now)
  assert.deepEqual(
    [1, 2, 3, 4].map(() => buckets.take("a")),
    [true, true, true, false],
  )
  now += 500
  assert.deepEqual([buckets.take("a"), buckets.take("a")], [true, false])
  assert.equal(buckets.borrow("b", 3), 0)
  assert.equal(buckets.borrow("b", 4), 2_000)
  for (let count = 0; count < 100; count++) buckets.borrow("b", 4)
  assert.equal(buckets.borrow("b", 1), 2_000, "what is borrowed is bounded")
  assert.equal(addressKey("::ffff:203.0.113.7"), "203.0.113.7")
  assert.equal(addressKey("2001:db8::7"), addressKey("2001:db8:0:0:1::9"))
  assert.notEqual(addressKey("2001:db8:0:1::7"), addressKey("2001:db8::7"))
})
