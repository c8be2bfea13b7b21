import { join } from "node:path"
import { readConfig } from "./core/config.ts"
import { createTelemetry } from "./core/telemetry/telemetry.ts"
import { type DemoApi, demoApi } from "./demo/api.ts"
import { installMap, openCity } from "./demo/city.ts"
import { drive } from "./demo/drivers.ts"
import { seedExamples } from "./demo/examples.ts"
import { seedPastWeek } from "./demo/past-week.ts"
import { type DemoWorker, seedDemo } from "./demo/seed.ts"
import { startFieldway } from "./start.ts"
import { version } from "./version.ts"

/** `npm run demo`: a filled organization whose couriers drive and deliver while you watch. */
const ownerEmail = "owner@demo.fieldway.example"
const ownerPassword = "demo-Fieldway-1"

const config = readConfig({
  RATE_LIMIT: "0",
  LOG_LEVEL: "warn",
  ...process.env,
  DATA_DIR: process.env.DATA_DIR ?? join("data", "demo"),
  OWNER_EMAIL: ownerEmail,
  OWNER_PASSWORD: ownerPassword,
  ORGANIZATION_NAME: "Demo Couriers",
})
const running = await startFieldway({ config, telemetry: createTelemetry(config, version) })
const stopping = new AbortController()
const stop = async () => {
  stopping.abort()
  await running.close()
  process.exit(0)
}
process.on("SIGINT", () => void stop())
process.on("SIGTERM", () => void stop())

const api = demoApi(running.address)
await seedAndDrive().catch(async (error: unknown) => {
  // Stopping the server ends the calls in progress.
  if (stopping.signal.aborted) return
  stopping.abort()
  await running.close()
  throw error
})

async function seedAndDrive(): Promise<void> {
  const owner = await api.signIn(ownerEmail, ownerPassword)
  process.stdout.write("Installing the map of Montevideo\n")
  await installMap(owner)
  const now = Temporal.Now.instant()
  const workers = running.firstOwner ? await seedDemo(owner, now) : await knownWorkers(owner)
  const city = await openCity(owner)
  if (running.firstOwner) {
    const drivers = workers.filter(({ email }) => email.startsWith("worker-"))
    await seedPastWeek({ api, owner, sql: running.app.sql, city, workers: drivers, now })
    await seedExamples(owner, now)
  }
  process.stdout.write(
    `The demo is running. Open ${running.address} and sign in as ${ownerEmail} with the password ${ownerPassword}\n`,
  )
  await Promise.all(workers.map((worker) => drive(worker, { api, city, signal: stopping.signal })))
}

/** A demo that is started again goes on with the people that it made. */
async function knownWorkers(owner: DemoApi): Promise<DemoWorker[]> {
  const { data } = await owner.call<{ data: { email: string; hubId: string[] }[] }>(
    "GET",
    "/users?isFieldUser=true",
  )
  const hubs = await owner.call<{ data: { _id: string; lat: number; lng: number }[] }>("GET", "/hubs")
  return data.flatMap(({ email, hubId }) => {
    const hub = hubs.data.find((candidate) => hubId.includes(candidate._id))
    // People who were added by hand drive themselves.
    return hub && email.endsWith("@demo.fieldway.example")
      ? [{ email, password: "Lantern-Quay-71", hub: [hub.lng, hub.lat] as const, speedMetersPerSecond: 9 }]
      : []
  })
}
