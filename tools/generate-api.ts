import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { createAuthenticate } from "#core/access/authenticate.ts"
import { systemClock } from "#core/clock.ts"
import { readConfig } from "#core/config.ts"
import { connect } from "#core/database/database.ts"
import { createLiveEvents } from "#core/events/live-events.ts"
import { localRateLimiter } from "#core/fairness/rate-limit.ts"
import { createObjects } from "#core/objects/objects.ts"
import { createSignedLinks } from "#core/objects/signed-links.ts"
import { createLog } from "#core/telemetry/log.ts"
import { createMetrics } from "#core/telemetry/metrics.ts"
import { buildApp } from "../server/app.ts"

/** By itself writes only the client's files, without a database; `npm run generate` writes all. */
const root = new URL("../", import.meta.url)
const run = promisify(execFile)

/** The OpenAPI document of this source tree. The database is never asked: nothing listens at its address. */
export async function describeApi(): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-api-"))
  try {
    return await describeWith(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function describeWith(folder: string): Promise<unknown> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent", DATABASE_URL: "postgres://unused" })
  const log = createLog(config.logLevel)
  const sql = connect("postgres://127.0.0.1:1/unused", { max: 1 })
  const app = await buildApp({
    config,
    log,
    sql,
    quickSql: sql,
    clock: systemClock,
    objects: await createObjects(config),
    links: createSignedLinks(config.publicUrl, Buffer.alloc(32)),
    live: createLiveEvents(sql, log, []),
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

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>
}

/** Method and path of every call by its name, so that a client needs no description at run time. */
function operationPaths({ paths }: Description): string {
  const lines = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        operationId ? [`  ${operationId}: ["${method.toUpperCase()}", "${path}"],\n`] : [],
      ),
    )
    .toSorted()
  return `/** Made from the API's description by \`npm run generate\`. */\nexport const operationPaths = {\n${lines.join("")}} as const\n`
}

/** Files in forms get a type of their own, which the client's `upload` distinguishes from text. */
function withFileParts(description: unknown): unknown {
  const isFile = (value: unknown) => (value as { format?: unknown } | null)?.format === "binary"
  const copy = JSON.parse(JSON.stringify(description), (_key, value: unknown) =>
    isFile(value) ? { $ref: "#/components/schemas/FilePart" } : value,
  ) as { components: { schemas?: Record<string, unknown> } }
  const file = {
    type: "object",
    properties: { name: { type: "string" }, content: {} },
    required: ["name", "content"],
  }
  copy.components.schemas = { ...copy.components.schemas, FilePart: file }
  return copy
}

/** The generated part of the TypeScript client, from the routes as they are. Paths from the repository's root. */
export async function clientSources(): Promise<{ path: string; text: string; isLocal?: boolean }[]> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-api-"))
  try {
    const file = join(folder, "openapi.json")
    const types = join(folder, "schema.ts")
    const description = await describeApi()
    await writeFile(file, JSON.stringify(withFileParts(description)))
    await run(process.execPath, [generatorPath(), file, "--output", types, "--alphabetize"])
    return [
      { path: "packages/api-client/src/schema.ts", text: await readFile(types, "utf8"), isLocal: true },
      {
        path: "packages/api-client/src/operations.ts",
        text: operationPaths(description as Description),
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  for (const { path, text } of await clientSources()) await writeFile(new URL(path, root), text)
  process.exit(0)
}
