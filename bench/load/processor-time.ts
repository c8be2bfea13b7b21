import { readdirSync, readFileSync } from "node:fs"
import { cpus } from "node:os"
import type { Pool } from "#core/database/database.ts"

/** The process id of the PostgreSQL server that a pool is connected to. It must run on this machine. */
export async function postmasterOf(sql: Pool): Promise<number> {
  const rows = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return statOf(rows[0]?.pid ?? 0).parent
}

/** Processor time in milliseconds of PostgreSQL's main process, its children, and children that have ended. */
export function databaseMilliseconds(postmaster: number): number {
  const own = statOf(postmaster)
  let ticks = own.ticks + own.endedTicks
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name))
      try {
        const child = statOf(Number(name))
        if (child.parent === postmaster) ticks += child.ticks
      } catch {
        // It ended meanwhile, and its parent counts it.
      }
  return ticks * 10
}

/** Processor time in milliseconds of everything on this machine. */
export function machineMilliseconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

function statOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const field = (number: number) => Number(fields[number - 3])
  return { parent: field(4), ticks: field(14) + field(15), endedTicks: field(16) + field(17) }
}
