import type { DemoApi } from "./api.ts"

type Made = { data: { _id: string } }

const odometers = [48_210, 132_905, 9_340, 87_450]
const pumps = ["Heat pump, roof", "Boiler", "Water softener", "Lift motor", "Cold room", "Generator"]
const parts = [
  { code: "F-22", name: "Filter 22 mm", unit: "pcs" },
  { code: "S-08", name: "Seal 8 mm", unit: "pcs" },
  { code: "OIL-5", name: "Oil 5W-30", unit: "l" },
]

/** Meters, maintenance, equipment and parts, so that something is in time, something due soon and something overdue. */
export async function seedFleet(owner: DemoApi, now: Temporal.Instant): Promise<void> {
  const { data: vehicles } = await owner.call<{ data: { _id: string; hubId: string }[] }>(
    "GET",
    `/vehicles?sortBy=name&sortOrder=asc&limit=${odometers.length}`,
  )
  const daysAgo = (days: number) =>
    now
      .subtract({ hours: 24 * days })
      .toString()
      .slice(0, 10)
  for (const [index, { _id: vehicleId }] of vehicles.entries()) {
    const odometer = odometers[index] ?? 0
    const reading = { odometerKilometers: odometer, engineHours: Math.round(odometer / 31) }
    await owner.call("POST", `/vehicle/${vehicleId}/reading`, { ...reading, note: "Taken over" })
    const sinceOil = [4_000, 14_600, 15_700, 9_000][index] ?? 0
    await owner.call("POST", "/maintenance-plan", {
      ...{ vehicleId, name: "Oil change", everyKilometers: 15_000, remindKilometers: 1_000 },
      ...{ doneOn: daysAgo(120 + index), odometerKilometers: Math.max(0, odometer - sinceOil) },
    })
    await owner.call("POST", "/maintenance-plan", {
      ...{
        vehicleId,
        name: "Technical inspection",
        everyDays: 365,
        remindDays: 30,
        doneOn: daysAgo(200 + index * 40),
      },
    })
    await owner.call("POST", "/maintenance-entry", {
      ...{
        vehicleId,
        name: "New tyres",
        cost: 412.5,
        doneOn: daysAgo(90),
        odometerKilometers: odometer - 3_000,
      },
    })
  }
  const [first] = vehicles
  if (!first) return
  for (const [index, name] of pumps.entries()) {
    const { data } = await owner.call<Made>("POST", "/equipment", {
      ...{ hubId: first.hubId, code: `EQ-${1001 + index}`, name, kind: index % 2 ? "Water" : "Heating" },
      ...{ customer: `Bakery ${index + 1}`, address: `Bulevar España ${2100 + index * 40}, Montevideo` },
    })
    await owner.call("POST", "/maintenance-plan", {
      ...{
        equipmentId: data._id,
        name: "Yearly check",
        everyDays: 365,
        remindDays: 30,
        doneOn: daysAgo(180 + index * 45),
      },
    })
  }
  for (const part of parts) {
    const { data } = await owner.call<Made>("POST", "/stock-item", part)
    const movement = { itemId: data._id, quantity: 200, to: { hubId: first.hubId } }
    await owner.call("POST", "/stock-movement", { kind: "receipt", ...movement })
    for (const { _id: vehicleId } of vehicles.slice(0, 2))
      await owner.call("POST", "/stock-movement", {
        ...{
          kind: "transfer",
          itemId: data._id,
          quantity: 12,
          from: { hubId: first.hubId },
          to: { vehicleId },
        },
      })
  }
}
