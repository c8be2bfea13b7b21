import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { json as readJson } from "node:stream/consumers"
import { type TestContext, test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { parse } from "yaml"
import { json } from "#core/database/database.ts"
import { measureDatabase } from "#core/database/measure-database.ts"
import { openReadReplica } from "#core/database/read-replica.ts"
import { countJobs, createMetrics, measureJobs } from "#core/telemetry/metrics.ts"
import { aHub, anImport, type Organization } from "#samples/builders.ts"
import { aWebhook } from "#samples/extension-builders.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { startWholeServer } from "#testing/whole-server.ts"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFile(join(root, path), "utf8")

interface Span {
  traceId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string }
}

interface Metric {
  name: string
  sum?: { isMonotonic: boolean; dataPoints: { asDouble: number }[] }
  gauge?: { dataPoints: { asDouble: number }[] }
  histogram?: {
    dataPoints: {
      attributes: Attribute[]
      count: string
      explicitBounds: number[]
      bucketCounts: string[]
    }[]
  }
}

interface LogRecord {
  severityText: string
  body: { stringValue: string }
  attributes: Attribute[]
}

interface Received {
  resourceSpans?: { scopeSpans: { spans: Span[] }[] }[]
  resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[]
  resourceLogs?: { scopeLogs: { logRecords: LogRecord[] }[] }[]
}

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that demands a key. */
async function aCollector(t: TestContext) {
  const spans: Span[] = []
  const metrics = new Map<string, Metric>()
  const logs: LogRecord[] = []
  const server = createServer(async (request, reply) => {
    assert.match(`${request.method} ${request.url}`, /^POST \/v1\/(traces|metrics|logs)$/)
    assert.equal(request.headers["api-key"], "key of the collector")
    const body = (await readJson(request)) as Received
    for (const { scopeSpans } of body.resourceSpans ?? [])
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.set(metric.name, metric)
    for (const { scopeLogs } of body.resourceLogs ?? [])
      logs.push(...scopeLogs.flatMap((scope) => scope.logRecords))
    reply.setHeader("content-type", "application/json").end("{}")
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const words = () => JSON.stringify([spans, [...metrics.values()], logs])
  return { url: `http://127.0.0.1:${port}`, spans, metrics, logs, words }
}

/** The questions of an incident and the metric for each; each must be present with a value above 0. */
const questions: Record<string, RegExp> = {
  "which requests arrive, by route and status":
    /^fieldway_http_request_duration_seconds_count\{.*route="\/api\/v3\/task".*status="201".*\} (\S+)/m,
  "how long do they take":
    /^fieldway_http_request_duration_seconds_bucket\{le="10",.*route="\/api\/v3\/task".*\} (\S+)/m,
  "which are refused": /^fieldway_http_request_duration_seconds_count\{.*status="401".*\} (\S+)/m,
  "how many jobs wait": /^fieldway_jobs_waiting (\S+)/m,
  "how long does the oldest wait": /^fieldway_jobs_oldest_seconds (\S+)/m,
  "which jobs fail": /^fieldway_job_attempts_total\{job="mail.send",outcome="again"\} (\S+)/m,
  "which failed for good": /^fieldway_jobs_failed (\S+)/m,
  "do positions arrive": /^fieldway_location_points_inserted_total (\S+)/m,
  "who listens to events": /^fieldway_event_stream_readers (\S+)/m,
  "is the pool used up": /^fieldway_database_connections\{application="fieldway",state="\w+"\} (\S+)/m,
  "how large are the months of positions":
    /^fieldway_location_partition_bytes\{partition="location_points_\w+"\} (\S+)/m,
  "do imports go on": /^fieldway_imports_running (\S+)/m,
  "how much of them is left": /^fieldway_import_rows_waiting (\S+)/m,
  "are webhooks called": /^fieldway_webhook_calls_recent (\S+)/m,
  "do webhooks fail": /^fieldway_webhook_failures_recent (\S+)/m,
  "do mails go out": /^fieldway_mails_unsent (\S+)/m,
  "is the database there": /^fieldway_database_up (\S+)/m,
  "does something hold the database back": /^fieldway_database_oldest_transaction_seconds (\S+)/m,
  "how large is the database": /^fieldway_database_bytes (\S+)/m,
  "is the process busy": /^nodejs_eventloop_lag_p99_seconds (\S+)/m,
}

test("a running service reports its state in metrics and sends metrics, traces and logs to a collector", async (t) => {
  const collector = await aCollector(t)
  const server = await startWholeServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=key%20of%20the%20collector",
    LOG_LEVEL: "warn",
    MAIL_URL: "smtp://127.0.0.1:9",
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await server.close()
    isOpen = false
  }
  t.after(close)
  const { address, sql, owner } = server
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const headers: Record<string, string> = { "content-type": "application/json" }
  const post = async (path: string, body: unknown) => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) }
    const reply = await fetch(`${address}/api/v3${path}`, sent)
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  assert.equal((await post("/hub", {})).status, 401)
  headers.traceparent = `00-${traceId}-b7ad6b7169203331-01`
  headers.authorization = `Bearer ${(await post("/login", owner)).body.token}`
  delete headers.traceparent

  const [org] = await sql<Organization[]>`
    select organizations.id, json_build_object('id', users.id, 'email', accounts.email) as owner
    from organizations, users join accounts on accounts.id = users.account_id`
  assert.ok(org)
  const hub = await aHub(sql, { org })
  const [flow] = await sql<{ id: string }[]>`select id from flows where name = 'Delivery'`
  // An address of this machine is refused, so that the call fails.
  await aWebhook(sql, { org, url: "http://127.0.0.1:9/" })
  const task = { hubId: hub.id, flowId: flow?.id, flow: "Delivery", receiverName: "Reader" }
  assert.equal((await post("/task", task)).status, 201)
  const point = { email: owner.email, lat: 1, lon: 2, createdFrom: "mobile", accuracy: 5 }
  const posted = await post("/location-history", point)
  assert.ok(posted.status < 300, JSON.stringify(posted.body))
  // What takes long, or goes wrong for good, as the rows that it leaves.
  await anImport(sql, { org })
  await sql`update imports set status = 'onprocess', total_rows = 9`
  await sql`select graphile_worker.add_job('nobody.takes.this', run_at := now() - interval '1 minute') from generate_series(1, 2)`
  await sql`
    update graphile_worker._private_jobs set attempts = max_attempts where id = (
      select max(jobs.id) from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where tasks.identifier = 'nobody.takes.this')`
  await sql`
    insert into mails (organization_id, id, kind, recipient, subject, text, html, created_time)
    values (${org.id}, 'a', 'invite', 'reader@couriers.example', 'Hello', 'Hello', 'Hello', now())`
  await sql`select graphile_worker.add_job('mail.send', ${json(sql, { organizationId: org.id, mailId: "a" })}::json)`
  const stream = await fetch(`${address}/api/v3/events`, { headers })

  let text = ""
  let open = Object.keys(questions)
  while (open.length > 0) {
    text = await (await fetch(`${address}/metrics`)).text()
    open = open.filter((question) => !(Number(questions[question]?.exec(text)?.[1]) > 0))
    await pause(50)
  }
  await stream.body?.cancel()
  await close()

  const ofLogin = collector.spans.find((span) => span.name === "POST /api/v3/login")
  assert.equal(ofLogin?.traceId, traceId)
  assert.equal(ofLogin?.parentSpanId, "b7ad6b7169203331")
  assert.equal(ofLogin?.kind, 2)
  assert.ok(BigInt(ofLogin?.endTimeUnixNano ?? 0) > BigInt(ofLogin?.startTimeUnixNano ?? 0))
  const ofTask = collector.spans.find((span) => span.name === "POST /api/v3/task")
  const attributes = new Map(ofTask?.attributes.map(({ key, value }) => [key, value]))
  assert.equal(attributes.get("http.response.status_code")?.intValue, "201")
  assert.equal(attributes.get("fieldway.organization_id")?.stringValue, org.id)
  assert.match(attributes.get("fieldway.request_id")?.stringValue ?? "", /^[0-9a-f]{24}$/)
  assert.ok(collector.spans.some((span) => span.kind === 5 && span.name.startsWith("automation.")))

  const ofRequests =
    collector.metrics.get("fieldway_http_request_duration_seconds")?.histogram?.dataPoints ?? []
  const created = ofRequests.find(({ attributes }) =>
    attributes.some(({ key, value }) => key === "status" && value.intValue === "201"),
  )
  assert.equal(created?.bucketCounts.length, (created?.explicitBounds.length ?? 0) + 1)
  const inBuckets = created?.bucketCounts.reduce((sum, count) => sum + Number(count), 0)
  assert.equal(inBuckets, Number(created?.count))
  assert.ok(collector.metrics.get("fieldway_job_attempts_total")?.sum?.isMonotonic)
  const failed = collector.metrics.get("fieldway_jobs_failed")?.gauge?.dataPoints[0]
  assert.ok((failed?.asDouble ?? 0) > 0, "read from the database while the process stops")
  const warning = collector.logs.find(({ body }) => body.stringValue === "job attempt failed")
  assert.equal(warning?.severityText, "WARN")
  assert.deepEqual(warning?.attributes.find(({ key }) => key === "job")?.value, { stringValue: "mail.send" })
  assert.ok(!collector.words().includes(owner.password), "no secrets in telemetry")
})

interface Dashboard {
  panels: { targets?: { expr: string }[] }[]
}

test("dashboard and alerts use metrics that the service exports, in valid PromQL", async (t) => {
  const metrics = createMetrics()
  const database = await createTestDatabase()
  t.after(() => database.drop())
  measureJobs(metrics, database.sql)
  measureDatabase(metrics, database.sql)
  countJobs(metrics)
  const replica = openReadReplica(database.sql, database.url, { max: 1 }, metrics)
  t.after(() => replica.end())
  metrics.gauge("fieldway_event_stream_readers", "Open event streams", () => 0)
  const text = await metrics.registry.metrics()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]))
  // Written by `npm run backup:verify` for the node exporter.
  known.add("fieldway_backup_verified_timestamp_seconds")
  assert.match(text, /fieldway_database_up 1/)
  const [alerts, dashboard] = [
    await read("deploy/monitoring/alerts.yaml"),
    await read("deploy/monitoring/grafana-dashboard.json"),
  ]
  const missing = [...`${alerts}${dashboard}`.matchAll(/\b(?:fieldway|nodejs|process)_[a-z0-9_]+/g)]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, ""))
    .filter((name) => !known.has(name) && !known.has(`${name}_count`))
  assert.deepEqual([...new Set(missing)], [])
  const { groups } = parse(alerts) as { groups: { rules: { annotations: { runbook: string } }[] }[] }
  const headings = [...(await read("docs/runbook.md")).matchAll(/^## (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, "")
      .replaceAll(" ", "-"),
  )
  for (const { annotations } of groups.flatMap(({ rules }) => rules))
    assert.ok(headings.includes(annotations.runbook.split("#")[1] ?? ""), annotations.runbook)

  const promtool = (...args: string[]) =>
    spawnSync("promtool", args, { cwd: join(root, "deploy/monitoring"), encoding: "utf8" })
  if (promtool("--version").status !== 0) return t.diagnostic("no promtool on this machine: grammar not read")
  const folder = await mkdtemp(join(tmpdir(), "fieldway-rules-"))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { panels } = JSON.parse(dashboard) as Dashboard
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const rules = asked.map((expr, number) => ({
    record: `panel:${number}`,
    expr: expr.replaceAll(/\$__\w+/g, "5m"),
  }))
  const recorded = join(folder, "dashboard.yaml")
  await writeFile(recorded, JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
  for (const args of [
    ["check", "rules", "alerts.yaml", recorded],
    ["check", "config", "prometheus.yaml"],
    ["test", "rules", "alerts.test.yaml"],
  ]) {
    const { status, stdout, stderr } = promtool(...args)
    assert.equal(status, 0, `${stdout}${stderr}`)
  }
})
