import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { anOrganization, aUser } from "#samples/builders.ts"
import { aTracker } from "#samples/location-builders.ts"
import { freePort } from "#testing/free-port.ts"
import { signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"
import { startWholeServer } from "#testing/whole-server.ts"
import { host, TestDevice, teltonikaLogin, teltonikaPacket } from "./tracker-device.fixture.ts"

const kills = 3
const imei = "356307042441013"

test("a process with the tracker role alone stores a position exactly once", async (t) => {
  const port = await freePort()
  const listening = { TRACKER_HOST: host, TRACKER_PORTS: `teltonika=${port}` }
  const server = await startWholeServer({ ROLE: "tracker", ...listening })
  t.after(() => server.close())
  const org = await anOrganization(server.sql)
  const person = await aUser(server.sql, { org, role: "field user" })
  await aTracker(server.sql, { org, person, imei })
  const time = Math.floor(Date.now() / 1000) * 1000 - 60_000
  for (let round = 0; round < 2; round++) {
    const device = await TestDevice.connect(port)
    device.send(
      Buffer.concat([teltonikaLogin(imei), teltonikaPacket([{ time, latitude: 10, longitude: 20 }])]),
    )
    assert.equal(await device.receive(5), "0100000001")
    device.end()
  }
  const stored = await server.sql`
    select lat, lng from location_points
    where organization_number = (select number from organizations where id = ${org.id})`
  assert.deepEqual([...stored], [{ lat: 10, lng: 20 }])
})

/**
 * A device that keeps what is not acknowledged, and the real process, killed together with its database at random moments.
 * Every position is there afterwards, exactly once.
 */
test("a device that repeats what is not acknowledged loses and doubles nothing when the server is killed", {
  skip: process.env.FIELDWAY_LONG === undefined && "long round only",
  timeout: 600_000,
}, async (t) => {
  const folder = await temporaryFolder(t)
  const port = await freePort()
  const environment = { DATA_DIR: folder, TRACKER_HOST: host, TRACKER_PORTS: `teltonika=${port}` }
  let running = await startProcess(t, environment)
  const call = async (method: string, path: string, body?: object) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${await signIn(running.address)}`,
    }
    const options = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const reply = await fetch(`${running.address}/api/v3${path}`, options)
    return (await reply.json()) as Record<string, unknown>
  }
  const { _id: userId } = await call("GET", "/user")
  const made = await call("POST", "/tracker", { imei, name: "Van", protocol: "teltonika", userId })
  assert.equal(made.status, true)

  const started = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
  const recordAt = (index: number) => ({
    time: started + index * 1000,
    latitude: 10 + index * 1e-4,
    longitude: 20,
  })
  let acknowledged = 0
  let isOver = false
  const drive = async () => {
    while (!isOver) {
      try {
        const device = await TestDevice.connect(port)
        device.send(teltonikaLogin(imei))
        if ((await device.receive(1)) !== "01") throw new Error("not accepted")
        while (!isOver) {
          const count = 1 + (acknowledged % 20)
          const records = Array.from({ length: count }, (_, index) => recordAt(acknowledged + index))
          device.send(teltonikaPacket(records))
          if (Number.parseInt(await device.receive(4), 16) !== count) throw new Error("not acknowledged")
          acknowledged += count
        }
        device.end()
      } catch {
        await pause(50)
      }
    }
  }
  const driving = drive()
  try {
    for (let round = 0; round < kills; round++) {
      const enough = acknowledged + 50 + Math.floor(Math.random() * 300)
      while (acknowledged < enough) await pause(5)
      const pid = Number((await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n")[0])
      process.kill(pid, "SIGKILL")
      await running.end("SIGKILL")
      running = await startProcess(t, environment)
      assert.ok(running.address, running.output())
    }
    const last = acknowledged + 20
    while (acknowledged < last) await pause(5)
  } finally {
    isOver = true
    await driving
  }
  const stored: number[] = []
  for (let page = 1; ; page++) {
    const { tasks } = (await call(
      "GET",
      `/location-histories?limit=10000&page=${page}&fields=lat&sortOrder=asc`,
    )) as { tasks: { data: { lat: number }[]; last_page: number } }
    stored.push(...tasks.data.map(({ lat }) => Math.round((lat - 10) * 1e4)))
    if (page >= tasks.last_page) break
  }
  assert.deepEqual(
    stored.toSorted((one, other) => one - other).slice(0, acknowledged),
    Array.from({ length: acknowledged }, (_, index) => index),
  )
  assert.equal(new Set(stored).size, stored.length)
  await running.end("SIGTERM")
})
