/*
 * What many open tracking pages cost: each asks for its facts again every 15 seconds (the customer is next) or 30 seconds
 * (within an hour of the arrival). Processor time of the process and of PostgreSQL together.
 * Run: node bench/tracking-pages.ts [pages]
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { startBench, trivialPath } from "./load/harness.ts"
import type { PagesOrder, PagesReport } from "./load/open-pages.ts"
import { databaseMilliseconds, postmasterOf } from "./load/processor-time.ts"

const pages = Number(process.argv[2] ?? 5_000)
const organizations = 50
const perDriver = 20
const atOnce = 20

const bench = await startBench()
try {
  const { app, sql } = bench
  const paths: string[] = []
  for (let count = 0; count < organizations; count++) paths.push(...(await openPages(pages / organizations)))
  await sql`analyze`
  const postmaster = await postmasterOf(sql)
  const tags = new Map<string, string>()
  const get = async (url: string) => {
    const tag = tags.get(url)
    const reply = await app.inject({ url, headers: tag ? { "if-none-match": tag } : {} })
    if (reply.statusCode !== 200 && reply.statusCode !== 304) throw new Error(`${url}: ${reply.statusCode}`)
    tags.set(url, String(reply.headers.etag))
  }
  const measure = async (name: string, urls: readonly string[], work: (url: string) => Promise<void>) => {
    const [own, database, started] = [process.cpuUsage(), databaseMilliseconds(postmaster), performance.now()]
    for (let at = 0; at < urls.length; at += atOnce) await Promise.all(urls.slice(at, at + atOnce).map(work))
    const { user, system } = process.cpuUsage(own)
    const each = {
      node: (user + system) / 1000 / urls.length,
      database: (databaseMilliseconds(postmaster) - database) / urls.length,
    }
    const seconds = (performance.now() - started) / 1000
    process.stdout.write(
      `${name}: ${each.node.toFixed(2)} ms of the process, ${each.database.toFixed(2)} ms of PostgreSQL, ${Math.round(urls.length / seconds)}/s\n`,
    )
    return each.node + each.database
  }
  await measure("first view (200)", paths, get)
  const again = await measure("facts again (304)", paths, get)
  const trivial = await measure("trivial route", paths, async () => {
    await app.inject({ url: trivialPath })
  })
  await overSockets(paths)
  const perSecond = pages / perDriver / 15 + (pages - pages / perDriver) / 30
  process.stdout.write(
    `${pages} pages within the last hour: ${Math.round(perSecond)} requests/s, ${((perSecond * again) / 1000).toFixed(2)} processors; ratio to the trivial route ${(again / trivial).toFixed(1)}\n`,
  )
} finally {
  await bench.close()
}

/** All pages open for a minute, each on a connection of its own from another process. */
async function overSockets(paths: readonly string[]): Promise<void> {
  const client = fork(new URL("./load/open-pages.ts", import.meta.url), { execArgv: [] })
  const next = async () => ((await once(client, "message")) as [PagesReport])[0]
  const order: PagesOrder = {
    address: bench.address,
    // One in twenty is next: see `openPages`.
    pages: paths.map((path, place) => ({ path, everySeconds: place % perDriver === 0 ? 15 : 30 })),
    openSeconds: 30,
    seconds: 60,
  }
  client.send(order)
  await next()
  const postmaster = await postmasterOf(bench.sql)
  const [own, database, started] = [process.cpuUsage(), databaseMilliseconds(postmaster), performance.now()]
  const report = await next()
  const passed = performance.now() - started
  const { user, system } = process.cpuUsage(own)
  const share = (milliseconds: number) => (milliseconds / passed).toFixed(2)
  process.stdout.write(
    `open over sockets for ${Math.round(passed / 1000)} s: ${JSON.stringify(report)}; ${share((user + system) / 1000)} processors of the process, ${share(databaseMilliseconds(postmaster) - database)} of PostgreSQL\n`,
  )
}

/** An organization whose drivers have twenty stops each, the first one next; returns the pages of its tasks. */
async function openPages(count: number): Promise<string[]> {
  const { app, sql } = bench
  const org = await anOrganization(sql)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org })]
  const authorization = `Bearer ${await bench.tokenOf(org.owner)}`
  const paths: string[] = []
  let driver = await aUser(sql, { org, hubs: [hub], role: "field user" })
  for (let place = 0; place < count; place++) {
    const stop = place % perDriver
    if (stop === 0) driver = await aUser(sql, { org, hubs: [hub], role: "field user" })
    const task = await aTask(sql, { org, hub, flow, title: `Customer ${place}`, assignee: [driver] })
    await sql`
      insert into task_estimates (organization_id, task_id, email, arrival, earliest, latest, stops_before, basis,
        deadline, published_arrival, computed_at)
      select ${org.id}, ${task.id}, ${driver.email}, at, at - interval '5 minutes', at + interval '5 minutes', ${stop},
        'straight', now() + interval '1 day', at, now()
      from (select now() + ${stop * 3} * interval '1 minute' as at) planned`
    const reply = await app.inject({
      method: "POST",
      url: `/api/v3/task/${task.id}/tracking-link`,
      headers: { authorization },
    })
    paths.push(new URL(reply.json().data.url).pathname)
  }
  return paths
}
