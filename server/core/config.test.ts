import assert from "node:assert/strict"
import { test } from "node:test"
import { ConfigError, readConfig } from "./config.ts"

test("without any variable it serves this machine from ./data", () => {
  const config = readConfig({})
  assert.deepEqual(
    [config.host, config.port, config.publicUrl, config.role, config.rateLimit],
    ["127.0.0.1", 8080, "http://127.0.0.1:8080", "all", 100],
  )
  assert.equal(config.importMaxBytes, 512 * 1024 * 1024)
  assert.equal(config.bodyMaxBytes, 16 * 1024 * 1024)
})

test("every bad value is named, all at once", () => {
  assert.throws(
    () =>
      readConfig({
        PORT: "eighty",
        ROLE: "boss",
        DATABASE_URL: "mysql://x",
        RATE_LIMIT: "-1",
        OWNER_PASSWORD: "short",
      }),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(error.problems.map((problem) => problem.split(":")[0]).sort(), [
        "DATABASE_URL",
        "OWNER_PASSWORD",
        "PORT",
        "RATE_LIMIT",
        "ROLE",
      ])
      return true
    },
  )
})

test("api and worker roles need a shared database", () => {
  assert.throws(() => readConfig({ ROLE: "worker" }), ConfigError)
  assert.equal(readConfig({ ROLE: "worker", DATABASE_URL: "postgres://db/fieldway" }).role, "worker")
})

test("ports of trackers are named by protocol, each once", () => {
  assert.deepEqual(readConfig({ TRACKER_PORTS: "teltonika=5027, gt06=5023" }).trackerPorts, [
    { protocol: "teltonika", port: 5027 },
    { protocol: "gt06", port: 5023 },
  ])
  assert.deepEqual(readConfig({}).trackerPorts, [])
  for (const TRACKER_PORTS of [
    "tomtom=5000",
    "gt06",
    "gt06=0",
    "gt06=70000",
    "gt06=1=2",
    "gt06=1,gt06=2",
    "gt06=1,h02=1",
    ",",
  ])
    assert.throws(
      () => readConfig({ TRACKER_PORTS }),
      /TRACKER_PORTS: .* is not a list such as teltonika=5027/,
      TRACKER_PORTS,
    )
  const tracker = { ROLE: "tracker", DATABASE_URL: "postgres://db/fieldway" }
  assert.throws(() => readConfig(tracker), /set TRACKER_PORTS/)
  assert.equal(readConfig({ ...tracker, TRACKER_PORTS: "h02=5013" }).role, "tracker")
})

test("sizes take units of 1024", () => {
  assert.equal(readConfig({ IMPORT_MAX_BYTES: "1 GB" }).importMaxBytes, 1024 ** 3)
})

test("a target of webhooks that cannot be one is refused at the start", () => {
  const problemsOf = (WEBHOOK_ALLOW: string) => {
    try {
      readConfig({ WEBHOOK_ALLOW })
      return []
    } catch (error) {
      return (error as ConfigError).problems
    }
  }
  for (const target of [
    "10.0.0.0/8",
    "fd00::/8",
    "hooks.internal",
    "hooks.internal:8443",
    "127.0.0.1:80",
    "[::1]:80",
    "::1",
  ])
    assert.deepEqual(problemsOf(target), [], target)
  for (const target of [
    "10.0.0.0/99",
    "10.0.0.0/",
    "10.0.0/8",
    "fd00::/129",
    "host/8",
    "host:99999",
    "http://host",
    "-",
  ])
    assert.match(problemsOf(`hooks.internal,${target}`)[0] ?? "", /^WEBHOOK_ALLOW: /, target)
})
