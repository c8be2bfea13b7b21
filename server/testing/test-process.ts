import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"

/** The real process, as an operator starts it, on a free port and a data folder of its own. */
export interface TestProcess {
  child: ChildProcess
  address: string
  output(): string
  /** Sends a signal and waits for the end; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export const ownerEmail = "owner@fieldway.test"
export const ownerPassword = "correct-Horse-7"

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-process-"))
  await chmod(folder, 0o711)
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A process that does not end by itself in this time is killed, so that a failed test ends as well. */
const patienceMilliseconds = 60_000
const running = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Names the bundled server, which starts in a third of the time. */
export const mainVariable = "FIELDWAY_TEST_MAIN"
/** What `npm start` runs. */
export const sourceMain = "server/main.ts"

/** Starts it and waits until it says that it is ready, or returns when it ended before. */
export async function startProcess(
  t: TestContext,
  environment: Record<string, string>,
  main = process.env[mainVariable] ?? sourceMain,
): Promise<TestProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: "0",
      OWNER_EMAIL: ownerEmail,
      OWNER_PASSWORD: ownerPassword,
      LOG_LEVEL: "warn",
      RATE_LIMIT: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  running.add(child)
  child.on("exit", () => running.delete(child))
  let text = ""
  const ready = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes("Fieldway is ready")) resolve()
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.on("close", () => resolve())
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const closed = once(child, "exit")
    child.kill(signal)
    await closed
    return child.exitCode
  }
  t.after(async () => {
    // A test may have failed while it was frozen.
    child.kill("SIGCONT")
    const killing = setTimeout(() => child.kill("SIGKILL"), patienceMilliseconds)
    await end("SIGTERM")
    clearTimeout(killing)
  })
  await ready
  return { child, address: /open (\S+)/.exec(text)?.[1] ?? "", output: () => text, end }
}

export async function signIn(address: string): Promise<string> {
  const reply = await fetch(`${address}/api/v3/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ownerEmail, password: ownerPassword }),
  })
  const { token } = (await reply.json()) as { token: string }
  return token
}
