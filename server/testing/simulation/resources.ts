import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { must } from "./violation.ts"
import type { EndedNode, World } from "./world.ts"

interface Reading {
  /** Timers, sockets, files and watchers that keep the process busy, by kind. */
  active: Map<string, number>
  connections: number
  heapMegabytes: number
}

/**
 * What may be more than at the first reading: clients keep sockets for a while, pools grow when calls come together, and the
 * model keeps what happened.
 */
const slack = { active: 60, connections: 40, heapMegabytes: 200 }

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** What a process holds returns: timers, sockets, connections to the database and memory do not grow with its work. */
export class Resources {
  #first: Reading | undefined

  async check(world: World): Promise<void> {
    const now = await reading(world)
    this.#first ??= now
    const first = this.#first
    for (const [kind, count] of now.active)
      must(count <= (first.active.get(kind) ?? 0) + slack.active, "timers and sockets return", [
        kind,
        first.active.get(kind),
        count,
      ])
    must(now.connections <= first.connections + slack.connections, "connections to the database return", [
      first.connections,
      now.connections,
    ])
    const most = first.heapMegabytes + slack.heapMegabytes
    must(now.heapMegabytes <= most, "memory returns", [most, now.heapMegabytes])
    must(
      await areCollected(world.ended),
      "the memory of nodes that ended returns",
      world.ended.map(({ how, app }) => [how, app.deref() !== undefined]),
    )
  }
}

/** Whether nothing holds on to these nodes. Their pools and timers may need a moment, which a busy machine draws out. */
async function areCollected(ended: readonly EndedNode[]): Promise<boolean> {
  for (let tries = 0; tries < 60; tries += 1) {
    collectGarbage()
    if (ended.every(({ app }) => app.deref() === undefined)) return true
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return false
}

async function reading({ sql }: World): Promise<Reading> {
  collectGarbage()
  const active = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) active.set(kind, (active.get(kind) ?? 0) + 1)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`
  return {
    active,
    connections: row?.count ?? 0,
    heapMegabytes: process.memoryUsage().heapUsed / 1e6,
  }
}
