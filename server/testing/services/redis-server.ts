import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { freePort } from "../free-port.ts"

export interface RedisServer {
  url: string
  stop(): Promise<void>
}

/** A real Redis (or Valkey) when this machine has one: `REDIS_SERVER` names the program. Undefined otherwise. */
export async function startRedis(t: TestContext): Promise<RedisServer | undefined> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), "fieldway-redis-"))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const program of [process.env.REDIS_SERVER, "redis-server", "valkey-server"]) {
    if (!program) continue
    const child = spawn(
      program,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    )
    const isUp = await new Promise<boolean>((resolve) => {
      child.on("error", () => resolve(false))
      child.on("exit", () => resolve(false))
      child.stdout?.on("data", (chunk: Buffer) => {
        if (/Ready to accept connections/i.test(chunk.toString())) resolve(true)
      })
    })
    if (!isUp) continue
    const stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    }
    t.after(stop)
    return { url: `redis://127.0.0.1:${port}`, stop }
  }
  return undefined
}
