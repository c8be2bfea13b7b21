import { coordinateOf, listIn, objectOf, textOf } from "./json.ts"
import type { Ask, OtherRow, ReadCollection } from "./reader.ts"

/** Traccar: devices with their last position, geofences and drivers. The token is sent as a bearer token. */
export const traccar: Readonly<Record<"devices" | "geofences" | "drivers", ReadCollection>> = {
  async *devices(ask, { token }) {
    const [devices, positions] = [await list(ask, "devices", token), await list(ask, "positions", token)]
    const latest = new Map(positions.map((position) => [position.deviceId, position]))
    yield devices.map((device): OtherRow => {
      const { latitude, longitude } = objectOf(latest.get(device.id))
      return {
        ID: textOf(device.uniqueId) || textOf(device.id),
        Name: textOf(device.name),
        Coordinate: coordinateOf(latitude, longitude),
        Category: textOf(device.category),
        Model: textOf(device.model),
        Phone: textOf(device.phone),
        Contact: textOf(device.contact),
        Status: textOf(device.status),
        "Last Update": textOf(device.lastUpdate),
      }
    })
  },
  async *geofences(ask, { token }) {
    yield (await list(ask, "geofences", token)).map((fence): OtherRow => {
      const { coordinate, radius } = placeOfArea(textOf(fence.area))
      return {
        ID: textOf(fence.id),
        Name: textOf(fence.name),
        Description: textOf(fence.description),
        Coordinate: coordinate,
        Radius: radius,
        Area: textOf(fence.area),
      }
    })
  },
  async *drivers(ask, { token }) {
    yield (await list(ask, "drivers", token)).map(
      (driver): OtherRow => ({
        ID: textOf(driver.uniqueId) || textOf(driver.id),
        Name: textOf(driver.name),
      }),
    )
  },
}

async function list(ask: Ask, collection: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return listIn(await ask(`/api/${collection}`, { headers })) ?? []
}

/** Traccar writes latitude first: `CIRCLE (52.37 4.89, 150)`, `POLYGON ((52.1 4.1, …))`, `LINESTRING (…)`. */
function placeOfArea(area: string): { coordinate: string; radius: string } {
  const circle = /^CIRCLE\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*,\s*([\d.]+)\s*\)$/i.exec(area.trim())
  if (circle) return { coordinate: coordinateOf(circle[1], circle[2]), radius: circle[3] ?? "" }
  const corners = area
    .slice(0, 100_000)
    .replace(/^[a-z]+/i, "")
    .replaceAll(/[()]/g, "")
    .split(",")
    .map((pair) => pair.trim().split(" ").map(Number))
    .filter(([lat, lng]) => Number.isFinite(lat) && Number.isFinite(lng))
  if (corners.length === 0) return { coordinate: "", radius: "" }
  const middle = (index: 0 | 1) => {
    const values = corners.map((corner) => corner[index] ?? 0)
    return ((Math.min(...values) + Math.max(...values)) / 2).toFixed(6)
  }
  return { coordinate: coordinateOf(middle(0), middle(1)), radius: "" }
}
