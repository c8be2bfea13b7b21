import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Environment, readConfig } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import { createTelemetry } from "#core/telemetry/telemetry.ts"
import { startFieldway } from "../start.ts"
import { version } from "../version.ts"
import { freePort } from "./free-port.ts"
import { createTestDatabase } from "./test-database.ts"

/** The whole product as `npm start` runs it, server and jobs, on a port and a database of its own. */
export interface WholeServer {
  address: string
  sql: Pool
  owner: { email: string; password: string }
  /** What an operator's command needs to find the same installation. */
  environment: { DATABASE_URL: string; DATA_DIR: string }
  close(): Promise<void>
}

export async function startWholeServer(environment: Environment = {}): Promise<WholeServer> {
  const owner = { email: "owner@fieldway.test", password: "correct-Horse-7" }
  const folder = await mkdtemp(join(tmpdir(), "fieldway-whole-"))
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
    ...environment,
  })
  const running = await startFieldway({ config, telemetry: createTelemetry(config, version) })
  return {
    address: running.address,
    sql: database.sql,
    owner,
    environment: { DATABASE_URL: database.url, DATA_DIR: folder },
    async close() {
      await running.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
