import type { Ask, OtherRow, ReadCollection } from "../reader.ts"
import { coordinateOf, entriesIn, type JsonObject, textOf } from "./json.ts"

/** Traccar: devices with their last position, geofences, drivers and users. The token is sent as a bearer token. */
export const traccar: Readonly<Record<TraccarCollection, ReadCollection>> = {
  async *devices(ask, { token }) {
    const groups = await list(ask, "groups", token)
    const [devices, positions] = [await list(ask, "devices", token), await list(ask, "positions", token)]
    const latest = new Map(positions.map((position) => [position.deviceId, position]))
    const names = new Map(groups.map(({ id, name }) => [id, textOf(name)]))
    yield devices.map((device) => deviceRow(device, latest.get(device.id), names.get(device.groupId)))
  },
  async *geofences(ask, { token }) {
    yield (await list(ask, "geofences", token)).map(geofenceRow)
  },
  async *drivers(ask, { token }) {
    yield (await list(ask, "drivers", token)).map(driverRow)
  },
  async *users(ask, { token }) {
    yield (await list(ask, "users", token)).map(userRow)
  },
}

export type TraccarCollection = "devices" | "geofences" | "drivers" | "users"

export function deviceRow(
  device: JsonObject,
  position: JsonObject | undefined,
  group: string | undefined,
): OtherRow {
  return {
    ID: textOf(device.uniqueId) || textOf(device.id),
    Name: textOf(device.name),
    Coordinate: coordinateOf(position?.latitude, position?.longitude),
    Group: group ?? "",
    Category: textOf(device.category),
    Model: textOf(device.model),
    Phone: textOf(device.phone),
    Contact: textOf(device.contact),
    Status: textOf(device.status),
    "Last Update": textOf(device.lastUpdate),
  }
}

export function geofenceRow(fence: JsonObject): OtherRow {
  const { coordinate, radius } = placeOfArea(textOf(fence.area))
  return {
    ID: textOf(fence.id),
    Name: textOf(fence.name),
    Description: textOf(fence.description),
    Coordinate: coordinate,
    Radius: radius,
    Area: textOf(fence.area),
  }
}

export function driverRow(driver: JsonObject): OtherRow {
  return { ID: textOf(driver.uniqueId) || textOf(driver.id), Name: textOf(driver.name) }
}

export function userRow(user: JsonObject): OtherRow {
  return {
    ID: textOf(user.id),
    Name: textOf(user.name),
    "E-mail": textOf(user.email),
    Phone: textOf(user.phone),
  }
}

async function list(ask: Ask, collection: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return entriesIn(await ask(`/api/${collection}`, { headers }))
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
