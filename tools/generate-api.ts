import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createAuthenticate } from "#core/access/authenticate.ts"
import { systemClock } from "#core/clock.ts"
import { readConfig } from "#core/config.ts"
import { connect } from "#core/database.ts"
import { createLiveEvents } from "#core/events/live-events.ts"
import { createLog } from "#core/log.ts"
import { createMetrics } from "#core/metrics.ts"
import { createObjects } from "#core/objects/objects.ts"
import { createSignedLinks } from "#core/objects/signed-links.ts"
import { localRateLimiter } from "#core/rate-limit.ts"
import { buildApp } from "../server/app.ts"

/** By itself writes only this file, without a database; `npm run generate` writes all generated files. */
const target = fileURLToPath(new URL("../console/src/api/schema.d.ts", import.meta.url))
const run = promisify(execFile)

/** The OpenAPI document of this source tree. The database is never asked: nothing listens at its address. */
async function describeApi(folder: string): Promise<unknown> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent", DATABASE_URL: "postgres://unused" })
  const log = createLog(config.logLevel)
  const sql = connect("postgres://127.0.0.1:1/unused", { max: 1 })
  const app = await buildApp({
    config,
    log,
    sql,
    clock: systemClock,
    objects: await createObjects(config),
    links: createSignedLinks(config.publicUrl, Buffer.alloc(32)),
    live: createLiveEvents(sql, log),
    authenticate: createAuthenticate(sql),
    limiter: localRateLimiter(),
    metrics: createMetrics(),
  })
  await app.ready()
  const description = app.swagger()
  await sql.end({ timeout: 0 })
  return description
}

/** The generator of the tools' own workspace runs as a program: it brings another TypeScript than ours. */
function generatorPath(): string {
  const require = createRequire(new URL("openapi-types/package.json", import.meta.url))
  return join(dirname(require.resolve("openapi-typescript/package.json")), "bin", "cli.js")
}

/** The types of the console's API client, from the routes as they are. */
export async function apiTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-api-"))
  try {
    const description = join(folder, "openapi.json")
    const types = join(folder, "schema.d.ts")
    await writeFile(description, JSON.stringify(await describeApi(folder)))
    await run(process.execPath, [generatorPath(), description, "--output", types, "--alphabetize"])
    return await readFile(types, "utf8")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await writeFile(target, await apiTypes())
  process.exit(0)
}
