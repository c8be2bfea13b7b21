import assert from "node:assert/strict"
import { test } from "node:test"
import { bytesOfSample, type Sample, samples } from "./fixtures/samples.ts"
import {
  type ProtocolName,
  readDatagram,
  TrackerFormatError,
  TrackerStream,
  trackerProtocols,
} from "./index.ts"

const readable = samples.filter(({ datagram, expected }) => !datagram && expected.kind !== "unreadable")

function take(stream: TrackerStream) {
  const messages = []
  for (let message = stream.next(); message; message = stream.next()) messages.push(message)
  return messages
}

/** A login and several frames one after another; H02's binary frames have a tail that belongs to none of them. */
function conversation(name: ProtocolName): { bytes: Uint8Array; kinds: unknown[] } {
  const ofName = readable.filter(({ protocol, before }) => protocol === name && (before?.length ?? 0) <= 36)
  const kinds = ofName.map(({ expected }) => expected.kind)
  const before = ofName.find((sample) => sample.before)?.before
  const frames = ofName.filter(
    (sample): sample is Sample => name !== "teltonika" || sample.before !== undefined,
  )
  const parts = [...(before && name === "teltonika" ? [before] : []), ...frames.map(({ frame }) => frame)]
  return { bytes: Buffer.concat(parts.map(bytesOfSample)), kinds }
}

for (const name of Object.keys(trackerProtocols) as ProtocolName[])
  test(`${name}: frames that arrive together, in halves and byte by byte`, () => {
    const { bytes, kinds } = conversation(name)
    for (const size of [bytes.length, 7, 1]) {
      const stream = new TrackerStream(trackerProtocols[name])
      const found: unknown[] = []
      for (let start = 0; start < bytes.length; start += size) {
        stream.push(bytes.subarray(start, start + size))
        found.push(...take(stream).map(({ kind }) => kind))
      }
      assert.deepEqual(found, kinds, `in pieces of ${size}`)
    }
  })

test("bytes of another protocol end the connection or are skipped, and none are kept", () => {
  for (const protocol of Object.values(trackerProtocols)) {
    const stream = new TrackerStream(protocol)
    let isOver = false
    for (let count = 0; count < 200 && !isOver; count++) {
      stream.push(Buffer.from("GET /index.html HTTP/1.1\r\nHost: somebody.example\r\n\r\n"))
      try {
        take(stream)
      } catch (error) {
        assert.ok(error instanceof TrackerFormatError)
        isOver = true
      }
      assert.ok(stream.pendingBytes <= protocol.maxFrameBytes)
    }
    assert.ok(isOver, protocol.name)
  }
})

test("a frame that never ends is given up at the limit of its protocol", () => {
  const starts: Record<ProtocolName, Uint8Array> = {
    teltonika: Buffer.concat([
      bytesOfSample("000f313233343536373839303132333435"),
      Buffer.from([0, 0, 0, 0, 0x7f]),
    ]),
    gt06: Buffer.from([0x79, 0x79, 0xff, 0xff]),
    h02: Buffer.from("*HQ,"),
    tk103: Buffer.from("("),
    queclink: Buffer.from("+RESP:GTFRI,"),
    meitrack: Buffer.from("$$A99999,"),
  }
  for (const [name, start] of Object.entries(starts)) {
    const protocol = trackerProtocols[name as ProtocolName]
    const stream = new TrackerStream(protocol)
    const send = () => {
      stream.push(start)
      take(stream)
      for (let sent = 0; sent <= protocol.maxFrameBytes; sent += 100) {
        stream.push(new Uint8Array(100).fill(0x31))
        take(stream)
      }
    }
    assert.throws(send, TrackerFormatError, name)
    assert.ok(stream.pendingBytes <= protocol.maxFrameBytes + 100)
  }
})

test("noise between readable frames never ends a connection, noise alone does", () => {
  const stream = new TrackerStream(trackerProtocols.tk103)
  for (let sent = 0; sent < 5_000; sent++) {
    stream.push(Buffer.from("861234567890123;\r\n"))
    assert.equal(take(stream).length, 1)
  }
  assert.throws(() => {
    for (let sent = 0; sent < 50; sent++) {
      stream.push(new Uint8Array(100).fill(0x20))
      take(stream)
    }
  }, TrackerFormatError)
})

test("datagrams contain whole frames of the protocols that use them", () => {
  for (const name of ["h02", "tk103", "queclink", "meitrack"] as const) {
    const sample = readable.find(
      ({ protocol, expected }) => protocol === name && expected.positions !== undefined,
    )
    assert.ok(sample)
    const frame = bytesOfSample(sample.frame)
    const messages = readDatagram(trackerProtocols[name], Buffer.concat([frame, frame]))
    assert.deepEqual(
      messages.map(({ kind, device }) => [kind, device]),
      [
        ["position", sample.expected.device],
        ["position", sample.expected.device],
      ],
    )
    assert.deepEqual(readDatagram(trackerProtocols[name], frame.subarray(0, frame.length - 1)), [])
  }
})
