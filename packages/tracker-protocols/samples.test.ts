import assert from "node:assert/strict"
import { test } from "node:test"
import { bytesOfSample, type Sample, samples } from "./fixtures/samples.ts"
import { newSession, readDatagram, type TrackerMessage, TrackerStream, trackerProtocols } from "./index.ts"

const now = () => Date.UTC(2026, 0, 2, 3, 4, 5)

function read({ protocol: name, datagram, before, frame }: Sample): TrackerMessage | undefined {
  const protocol = trackerProtocols[name]
  if (datagram) return readDatagram(protocol, bytesOfSample(frame), newSession(now))[0]
  const stream = new TrackerStream(protocol, newSession(now))
  if (before) stream.push(bytesOfSample(before))
  while (stream.next());
  stream.push(bytesOfSample(frame))
  return stream.next()
}

/** As the fixtures show a message: without what is empty, with readable times and acknowledgements. */
function shown(message: TrackerMessage | undefined, isText: boolean) {
  assert.ok(message, "the frame is found")
  const {
    frame: _frame,
    rejection: _rejection,
    positions,
    withoutFix,
    attributes,
    acknowledgement,
    ...rest
  } = message
  const times = positions.map((position) => ({
    ...position,
    recordedAt: new Date(position.recordedAt).toISOString(),
  }))
  return JSON.parse(
    JSON.stringify({
      ...rest,
      positions: times.length > 0 ? times : undefined,
      withoutFix: withoutFix || undefined,
      attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
      acknowledgement: acknowledgement && Buffer.from(acknowledgement).toString(isText ? "latin1" : "hex"),
    }),
  )
}

for (const name of Object.keys(trackerProtocols))
  test(`sample frames of ${name}`, () => {
    for (const sample of samples.filter(({ protocol }) => protocol === name))
      assert.deepEqual(
        shown(read(sample), trackerProtocols[sample.protocol].isText),
        sample.expected,
        sample.sample,
      )
  })

test("a rejected Teltonika device receives a zero", () => {
  const login = samples.find(({ sample }) => sample === "login with an IMEI")
  assert.ok(login)
  assert.deepEqual(read(login)?.rejection, new Uint8Array([0]))
})
