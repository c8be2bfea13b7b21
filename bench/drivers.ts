/*
 * What the five most used calls take of the processors, in the process and in the database: this checkout by itself,
 * or against another one whose database driver (or anything else below the routes) differs. Sides take turns, each in a
 * process and on a database of its own, and medians count, so that whatever else the machine does meets both.
 * Run: node bench/drivers.ts [folder of the other checkout, with its node_modules] [rounds]
 */
import { spawn } from "node:child_process"
import { pathToFileURL } from "node:url"
import type { Bench, LoadRequest } from "./load/harness.ts"
import { databaseMilliseconds, postmasterOf } from "./load/processor-time.ts"

interface Reading {
  call: string
  perSecond: number
  /** Milliseconds of processor time a request. */
  node: number
  database: number
}

const here = new URL("..", import.meta.url).href

const [first, second = "5"] = process.argv.slice(2)
if (first === "--side") await measureSide(second)
else await compareSides(first, Number(second))

async function compareSides(other: string | undefined, rounds: number): Promise<void> {
  const sides = { this: here, ...(other ? { other: pathToFileURL(`${other}/`).href } : {}) }
  const readings = new Map<string, Reading[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const [side, folder] of Object.entries(sides))
      for (const reading of await readSide(folder)) {
        const key = `${reading.call}\t${side}`
        readings.set(key, [...(readings.get(key) ?? []), reading])
      }
  process.stdout.write("call\tside\trequests/s\tms of Node\tms of PostgreSQL\tms in all\n")
  for (const [key, list] of [...readings].toSorted(([a], [b]) => a.localeCompare(b))) {
    const middle = (of: (reading: Reading) => number) =>
      list.map(of).toSorted((a, b) => a - b)[list.length >> 1] ?? 0
    const figures = [
      middle((reading) => reading.perSecond).toFixed(0),
      middle((reading) => reading.node).toFixed(3),
      middle((reading) => reading.database).toFixed(3),
      middle((reading) => reading.node + reading.database).toFixed(3),
    ]
    process.stdout.write(`${key}\t${figures.join("\t")}\n`)
  }
}

/** In a process of its own, as one process cannot load two drivers under the same name. */
function readSide(folder: string): Promise<Reading[]> {
  const child = spawn(process.execPath, [new URL(import.meta.url).pathname, "--side", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on("exit", (code) =>
      code === 0 ? resolve(JSON.parse(text) as Reading[]) : reject(new Error(`a side ended with ${code}`)),
    )
  })
}

async function measureSide(folder: string): Promise<void> {
  const { startBench } = (await import(
    `${folder}bench/load/harness.ts`
  )) as typeof import("./load/harness.ts")
  const builders = (await import(
    `${folder}server/samples/builders.ts`
  )) as typeof import("#samples/builders.ts")
  const bench = await startBench()
  try {
    const requests = await prepare(bench, builders)
    const postmaster = await postmasterOf(bench.sql)
    const readings: Reading[] = []
    for (const [call, request] of Object.entries(requests)) {
      await bench.load({ ...request, requests: Math.ceil(request.requests / 5), warmUp: 0 })
      const before = [process.threadCpuUsage(), databaseMilliseconds(postmaster)] as const
      const { perSecond, refused } = await bench.load({ ...request, warmUp: 0 })
      const used = process.threadCpuUsage(before[0])
      if (refused > 0) throw new Error(`${call}: ${refused} responses were not 2xx`)
      readings.push({
        call,
        perSecond,
        node: (used.user + used.system) / 1000 / request.requests,
        database: (databaseMilliseconds(postmaster) - before[1]) / request.requests,
      })
    }
    process.stdout.write(JSON.stringify(readings))
  } finally {
    await bench.close()
  }
}

async function prepare(
  bench: Bench,
  { aFlow, aHub, anOrganization, aTask }: typeof import("#samples/builders.ts"),
): Promise<Record<string, LoadRequest>> {
  const { sql } = bench
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const ids: string[] = []
  for (let count = 0; count < 500; count += 1) ids.push((await aTask(sql, { org, hub, flow })).id)
  await sql`analyze`
  const token = await bench.tokenOf(org.owner)
  const task = (number: number) => ({ flow: flow.name, hubId: hub.id, siteName: `Visit ${number}` })
  const positions = Array.from({ length: 5_000 }, (_unused, index) =>
    JSON.stringify({
      email: org.owner.email,
      lat: 48 + index / 100_000,
      lon: 11,
      createdTime: new Date(Date.now() - 3_600_000 + index * 500).toISOString().replace("Z", "+00:00"),
    }),
  )
  return {
    "GET /tasks": { path: "/api/v3/tasks?limit=20", token, requests: 1_500 },
    "GET /task/{id}": { path: ids.map((id) => `/api/v3/task/${id}`), token, requests: 5_000 },
    "POST /task": { path: "/api/v3/task", method: "POST", token, body: task(1), requests: 1_000 },
    "POST /location-history": {
      path: "/api/v3/location-history",
      method: "POST",
      token,
      bodies: positions,
      requests: 4_000,
    },
    "POST /tasks/bulk (100)": {
      path: "/api/v3/tasks/bulk",
      method: "POST",
      token,
      body: { tasks: Array.from({ length: 100 }, (_unused, index) => task(index)) },
      requests: 40,
      connections: 2,
    },
  }
}
