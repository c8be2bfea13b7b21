import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { bytesOfSample, samples } from "./fixtures/samples.ts"
import { newSession, readDatagram, TrackerFormatError, TrackerStream, trackerProtocols } from "./index.ts"

const numRuns = process.env.FIELDWAY_LONG ? 100_000 : 400
const seed = Number(process.env.FIELDWAY_SEED ?? 22)

/** A sample with some bytes replaced, removed, repeated or inserted, so that it gets further than random bytes. */
const damaged = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(
      fc.record({
        at: fc.nat(2_000),
        kind: fc.nat(3),
        byte: fc.nat(255),
        count: fc.integer({ min: 1, max: 40 }),
      }),
      { maxLength: 6 },
    ),
  )
  .map(([sample, changes]) => {
    let bytes = [...bytesOfSample(sample.frame)]
    for (const { at, kind, byte, count } of changes) {
      const place = at % (bytes.length + 1)
      if (kind === 0) bytes[place] = byte
      else if (kind === 1) bytes.splice(place, count)
      else if (kind === 2)
        bytes = [...bytes.slice(0, place), ...bytes.slice(place - count, place), ...bytes.slice(place)]
      else bytes.splice(place, 0, ...Array.from({ length: count }, (_, index) => (byte * (index + 1)) & 0xff))
    }
    return {
      protocol: trackerProtocols[sample.protocol],
      before: sample.before,
      bytes: new Uint8Array(bytes),
    }
  })

function checkMessages(messages: readonly ReturnType<typeof readDatagram>[number][], bytes: number): void {
  for (const message of messages) {
    assert.ok(message.positions.length <= bytes / 10)
    assert.ok((message.acknowledgement?.length ?? 0) <= 100)
    for (const {
      latitude,
      longitude,
      recordedAt,
      speedKilometersPerHour,
      bearingDegrees,
    } of message.positions) {
      assert.ok(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
      assert.ok(Number.isFinite(recordedAt))
      assert.ok((speedKilometersPerHour ?? 0) >= 0)
      assert.ok((bearingDegrees ?? 0) >= 0 && (bearingDegrees ?? 0) <= 360)
    }
  }
}

test("no frame causes another error than that of its format, or holds more than one frame", () => {
  fc.assert(
    fc.property(damaged, fc.integer({ min: 1, max: 400 }), ({ protocol, before, bytes }, size) => {
      const stream = new TrackerStream(protocol)
      const all = before ? Buffer.concat([bytesOfSample(before), bytes]) : bytes
      try {
        for (let start = 0; start < all.length; start += size) {
          stream.push(all.subarray(start, start + size))
          for (let message = stream.next(); message; message = stream.next())
            checkMessages([message], all.length)
          assert.ok(stream.pendingBytes < protocol.maxFrameBytes)
        }
      } catch (error) {
        if (!(error instanceof TrackerFormatError)) throw error
      }
      checkMessages(readDatagram(protocol, bytes), bytes.length)
    }),
    { seed, numRuns },
  )
})

test("random bytes cause no error either", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(trackerProtocols)),
      fc.uint8Array({ maxLength: 600 }),
      (protocol, bytes) => {
        const session = newSession()
        session.device = "123456789012345"
        const stream = new TrackerStream(protocol, session)
        stream.push(bytes)
        try {
          for (let message = stream.next(); message; message = stream.next())
            checkMessages([message], bytes.length)
        } catch (error) {
          if (!(error instanceof TrackerFormatError)) throw error
        }
      },
    ),
    { seed, numRuns },
  )
})

test("a Queclink heartbeat is not acknowledged with whatever it has in place of its version", () => {
  const acknowledged = (version: string) => {
    const frame = Buffer.from(`+ACK:GTHBD,${version},135790246811220,GL300,20100214093254,11F0$`)
    return Buffer.from(readDatagram(trackerProtocols.queclink, frame)[0]?.acknowledgement ?? []).toString()
  }
  assert.equal(acknowledged("1A0401"), "+SACK:GTHBD,1A0401,11F0$")
  assert.equal(acknowledged("1".repeat(2_000)), "")
  assert.equal(acknowledged("\0"), "")
})
