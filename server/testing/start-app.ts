import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { InjectOptions, LightMyRequestResponse } from "fastify"
import { createAuthenticate } from "#core/access/authenticate.ts"
import { newToken } from "#core/access/token.ts"
import { type Config, type Environment, readConfig } from "#core/config.ts"
import { connect, type Pool } from "#core/database/database.ts"
import { createLiveEvents } from "#core/events/live-events.ts"
import { localRateLimiter } from "#core/fairness/rate-limit.ts"
import type { App } from "#core/http/types.ts"
import { newId } from "#core/ids.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { createObjects, type Objects } from "#core/objects/objects.ts"
import { createSignedLinks } from "#core/objects/signed-links.ts"
import { installationSecret } from "#core/security/secrets.ts"
import { createLog } from "#core/telemetry/log.ts"
import { createMetrics } from "#core/telemetry/metrics.ts"
import type { Person } from "#samples/builders.ts"
import { buildApp } from "../app.ts"
import { domainEventListeners } from "../jobs.ts"
import { createTestClock, type TestClock } from "./test-clock.ts"
import { createTestDatabase } from "./test-database.ts"

export type Reply = LightMyRequestResponse

/** Calls of one person, or of nobody, to the API; paths without /api/v3. */
export interface Calls {
  token: string | undefined
  /** The same calls, which fail with the body of the response unless it has this status. */
  expect(status: number): Calls
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Sends a multipart form; a file part is `{ filename, content, contentType? }`. */
  upload(
    path: string,
    parts: Record<string, string | UploadFile>,
    method?: "POST" | "PUT",
    headers?: Record<string, string>,
  ): Promise<Reply>
}

export interface UploadFile {
  filename: string
  content: Buffer | string
  contentType?: string
}

export interface TestApp {
  app: App
  sql: Pool
  databaseUrl: string
  clock: TestClock
  config: Config
  /** What job handlers get: run one with `job.handle(jobContext(), payload)`. */
  jobContext(): JobContext
  as(person: Person): Calls
  nobody: Calls
}

/** What stands between the application and its database or object store; the test itself keeps its direct pool. */
export interface Between {
  /** Another address of the same database, for the application alone. */
  database?(url: string): Promise<{ url: string; close(): Promise<void> }>
  objects?(objects: Objects): Objects
}

/** One process of the service, on a database that others may share. */
export interface AppNode {
  app: App
  jobContext(): JobContext
  as(person: Person): Calls
  nobody: Calls
  close(): Promise<void>
}

export interface StartedApp extends TestApp, AppNode {
  /** A further process on the same database, files and clock; `databaseUrl` is its own way to the database. */
  startNode(databaseUrl?: string): Promise<AppNode>
}

/** The whole server on a database of its own. The rate limit is off unless `environment` sets it. */
export async function startApp(environment: Environment = {}, between: Between = {}): Promise<StartedApp> {
  const folder = await mkdtemp(join(tmpdir(), "fieldway-files-"))
  const database = await createTestDatabase()
  const { sql } = database
  const line = await between.database?.(database.url)
  const appSql = line ? connect(line.url) : sql
  const config = readConfig({
    DATA_DIR: folder,
    RATE_LIMIT: "0",
    PUBLIC_URL: "http://fieldway.test",
    LOG_LEVEL: "silent",
    DATABASE_URL: line?.url ?? database.url,
    ...environment,
  })
  const log = createLog(config.logLevel)
  const clock = createTestClock()
  const store = await createObjects(config)
  const objects = between.objects?.(store) ?? store
  const links = createSignedLinks(config.publicUrl, await installationSecret(sql, "signed-links"))
  const startNode = async (ownSql: Pool): Promise<AppNode> => {
    const live = createLiveEvents(sql, log, domainEventListeners)
    await live.start()
    // Each node has its own, as each process does: what is cached for a node ends with it.
    const context = { config, log, sql: ownSql, clock, objects: { ...objects }, links, live }
    const app = await buildApp({
      ...context,
      quickSql: ownSql,
      authenticate: createAuthenticate(ownSql),
      limiter: localRateLimiter(),
      metrics: createMetrics(),
    })
    await app.ready()
    return {
      app,
      jobContext: () => ({
        ...context,
        signal: new AbortController().signal,
        attempt: 1,
        isLastAttempt: false,
      }),
      as: (person) => calls(app, () => tokenOf(sql, person)),
      nobody: calls(app, async () => undefined),
      async close() {
        await app.close()
        await live.close()
        if (ownSql !== appSql) await ownSql.end({ timeout: 2 })
      },
    }
  }
  const node = await startNode(appSql)
  return {
    ...node,
    sql,
    clock,
    config,
    databaseUrl: database.url,
    startNode: (url = config.databaseUrl ?? "") => startNode(connect(url)),
    async close() {
      await node.close()
      if (line) {
        await appSql.end({ timeout: 2 })
        await line.close()
      }
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const tokens = new WeakMap<Person, Promise<string>>()

/** A session of the person, made without the work of hashing a password. */
export function tokenOf(sql: Pool, person: Person): Promise<string> {
  const known = tokens.get(person) ?? makeToken(sql, person)
  tokens.set(person, known)
  return known
}

async function makeToken(sql: Pool, person: Person): Promise<string> {
  const { token, hash } = newToken(person.organizationId)
  await sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
    values (${person.organizationId}, ${hash}, ${newId()}, ${person.id}, 'session', now() + interval '1 year')`
  return token
}

function calls(app: App, token: () => Promise<string | undefined>, expected?: number): Calls {
  const call = async (options: InjectOptions & { url: string }): Promise<Reply> => {
    const bearer = await token()
    const authorization = bearer ? { authorization: `Bearer ${bearer}` } : {}
    const reply = await app.inject({
      ...options,
      url: `/api/v3${options.url}`,
      headers: { ...authorization, ...options.headers },
    })
    // What a handler left of the body is read on, as Node's server does: a timer of the application waits for its end.
    reply.raw.req.resume()
    if (expected !== undefined) assert.equal(reply.statusCode, expected, reply.body)
    return reply
  }
  const withBody =
    (method: "POST" | "PUT" | "PATCH" | "DELETE") =>
    (url: string, body?: unknown, headers: Record<string, string> = {}) =>
      call({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions["payload"]> }),
      })
  return {
    token: undefined,
    expect: (status) => calls(app, token, status),
    get: (url, headers = {}) => call({ method: "GET", url, headers }),
    post: withBody("POST"),
    put: withBody("PUT"),
    patch: withBody("PATCH"),
    delete: withBody("DELETE"),
    upload: (url, parts, method = "POST", headers = {}) => {
      const { body, contentType } = multipartBody(parts)
      return call({ method, url, headers: { ...headers, "content-type": contentType }, payload: body })
    },
  }
}

export function multipartBody(parts: Record<string, string | UploadFile>): {
  body: Buffer
  contentType: string
} {
  // Another one each time, as clients have it.
  const boundary = `----fieldway-${newId()}`
  const chunks: Buffer[] = []
  for (const [name, part] of Object.entries(parts)) {
    const isFile = typeof part !== "string"
    const type = isFile ? `\r\nContent-Type: ${part.contentType ?? "application/octet-stream"}` : ""
    const filename = isFile ? `; filename="${part.filename}"` : ""
    chunks.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}${type}\r\n\r\n`,
      ),
    )
    chunks.push(Buffer.from(isFile ? part.content : part), Buffer.from("\r\n"))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` }
}
