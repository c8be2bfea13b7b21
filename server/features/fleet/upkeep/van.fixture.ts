import { aHub, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"
import { upkeepJobs } from "./index.ts"

export const minutesAgo = (minutes: number) => toT3(Temporal.Now.instant().subtract({ minutes }))

/** A hub with a van, whose driver has had it for a day. */
export async function aVan(t: Parameters<typeof testOrganization>[0]) {
  const server = await testOrganization(t)
  const { sql, as, jobContext, org } = server
  const hub = await aHub(sql, { org, lat: 52, lng: 5 })
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const owner = as(org.owner)
  const made = await owner.post("/vehicle", { name: "Van 3", hubId: hub.id, assignee: driver.email })
  const vehicleId: string = made.json().data._id
  await sql`
    update vehicle_drivers set started_at = now() - interval '1 day'
    where organization_id = ${org.id} and vehicle_id = ${vehicleId}`
  const run = async (name: string) => {
    const job = upkeepJobs.find((one) => one.name === name)
    await job?.handle(jobContext(), {})
  }
  const drive = (points: readonly Record<string, unknown>[]) =>
    as(driver).post("/location-history/bulk", {
      location_histories: points.map((point) => ({ accuracy: 5, ...point })),
    })
  const meters = async () => (await owner.get(`/vehicle/${vehicleId}/meters`)).json().data
  return { ...server, hub, driver, owner, vehicleId, run, drive, meters }
}

/** So many kilometres to the north in as many minutes. */
export const northwards = (from: number, count: number, lat: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ lat: lat + index * 0.008_993_2, lon: 5, createdTime: minutesAgo(from - index) },
  }))

/** The same, coming from the north to where they start. */
export const southwards = (from: number, count: number, lat: number) =>
  northwards(from, count, lat).map((point, index, all) => ({ ...point, lat: all.at(-1 - index)?.lat }))
