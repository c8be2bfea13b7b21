import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { readConfig } from "../../server/core/config.ts"
import type { Pool } from "../../server/core/database.ts"
import { createLog } from "../../server/core/log.ts"
import { startFieldway } from "../../server/start.ts"
import { createTestDatabase } from "../../server/testing/test-database.ts"

/** The whole product as `npm start` runs it, on a database of its own: server, jobs and the built console. */
export interface StartedFieldway {
  address: string
  sql: Pool
  owner: { email: string; password: string }
  /** Calls the API as whoever has the token; throws for a refusal. */
  call(token: string, method: string, path: string, body?: unknown): Promise<unknown>
  tokenOf(email: string, password: string): Promise<string>
  close(): Promise<void>
}

export async function startForBrowser(): Promise<StartedFieldway> {
  await ensureBuilt()
  const owner = { email: "owner@fieldway.test", password: "correct-Horse-7" }
  const folder = await mkdtemp(join(tmpdir(), "fieldway-console-"))
  const database = await createTestDatabase()
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT: "0",
    LOG_LEVEL: "error",
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    ORGANIZATION_NAME: "Northside Couriers",
  })
  const running = await startFieldway({ config, log: createLog(config.logLevel) })
  const { address } = running
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    address,
    sql: database.sql,
    owner,
    call,
    async tokenOf(email, password) {
      const response = await fetch(`${address}/api/v3/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      })
      if (!response.ok) throw new Error(`login of ${email}: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { token: string }).token
    },
    async close() {
      await running.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** `npm ci` builds the console; a checkout without it gets it here. */
async function ensureBuilt(): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url))
  if (existsSync(join(root, "console/dist/index.html"))) return
  await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: root })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === "object" && address ? address.port : 0
}
