import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { ownerEmail, signIn, startProcess, temporaryFolder } from "#testing/test-process.ts"

/**
 * The real process with its own database, killed without warning at random moments of a load of known
 * points, together with the database. What was acknowledged must be there afterwards, exactly once.
 */
const kills = process.env.FIELDWAY_LONG ? 8 : 1

/** Process id of the embedded database, from its own file. */
async function databaseProcess(folder: string): Promise<number> {
  const text = await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")
  return Number(text.split("\n")[0])
}

test("every acknowledged point survives a kill -9 of process and database, exactly once", {
  timeout: 240_000,
}, async (t) => {
  const folder = await temporaryFolder(t)
  let running = await startProcess(t, { DATA_DIR: folder })
  const token = await signIn(running.address)
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` }
  const acknowledged = new Set<number>()
  const uncertain: object[] = []
  let next = 0
  const started = Date.now() - 3_600_000
  const pointAt = (number: number) => ({
    email: ownerEmail,
    lat: 10 + number * 1e-4,
    lon: 20,
    createdTime: new Date(started + number * 1000).toISOString().replace("Z", "+00:00"),
  })
  /** Sends until the server is gone: every third call a batch. */
  const load = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const numbers = next % 3 === 0 ? Array.from({ length: 20 }, () => next++) : [next++]
      const points = numbers.map(pointAt)
      const isBulk = points.length > 1
      const path = isBulk ? "/location-history/bulk" : "/location-history"
      try {
        const body = JSON.stringify(isBulk ? { location_histories: points } : points[0])
        const reply = await fetch(`${running.address}/api/v3${path}`, { method: "POST", headers, body })
        const response = (await reply.json()) as { success?: number }
        if (reply.status === 201 && (!isBulk || response.success === points.length))
          for (const number of numbers) acknowledged.add(number)
        else uncertain.push(...points)
      } catch {
        uncertain.push(...points)
      }
    }
  }
  for (let round = 0; round < kills; round += 1) {
    let isOver = false
    const senders = [1, 2, 3, 4].map(() => load(() => isOver))
    try {
      const enough = acknowledged.size + 40 + Math.floor(Math.random() * 200)
      while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve))
      process.kill(await databaseProcess(folder), "SIGKILL")
      await running.end("SIGKILL")
    } finally {
      isOver = true
      await Promise.all(senders)
    }
    running = await startProcess(t, { DATA_DIR: folder })
    assert.ok(running.address, running.output())
  }
  // The phones resend what got no response; nothing may be stored twice.
  for (let from = 0; from < uncertain.length; from += 1000) {
    const body = JSON.stringify({ location_histories: uncertain.slice(from, from + 1000) })
    const reply = await fetch(`${running.address}/api/v3/location-history/bulk`, {
      method: "POST",
      headers,
      body,
    })
    assert.equal(reply.status, 201)
  }
  const stored: number[] = []
  for (let page = 1; ; page += 1) {
    const query = `limit=10000&page=${page}&fields=lat&sortOrder=asc`
    const reply = await fetch(`${running.address}/api/v3/location-histories?${query}`, { headers })
    const { tasks } = (await reply.json()) as {
      tasks: { data: { lat: number }[]; last_page: number; total: number }
    }
    stored.push(...tasks.data.map(({ lat }) => Math.round((lat - 10) * 1e4)))
    if (page >= tasks.last_page) break
  }
  assert.equal(new Set(stored).size, stored.length, "no point is there twice")
  const there = new Set(stored)
  assert.deepEqual(
    [...acknowledged].filter((number) => !there.has(number)),
    [],
    "no acknowledged point is lost",
  )
  assert.ok(acknowledged.size >= kills * 40)
  await running.end("SIGTERM")
})
