import { type Static, Type } from "typebox"
import { isTracker } from "../thinning/point-codes.ts"

/** What a GPS tracker reports with a position. Absent: not sent. */
export const DeviceAttributesSchema = Type.Object(
  {
    ignition: Type.Optional(Type.Boolean()),
    fuel: Type.Optional(Type.Number({ description: "Percent" })),
    fuelLitres: Type.Optional(Type.Number()),
    odometer: Type.Optional(Type.Number({ description: "Kilometres" })),
    batteryVolts: Type.Optional(Type.Number({ description: "The battery of the device" })),
    externalVolts: Type.Optional(Type.Number({ description: "The battery of the vehicle" })),
    alarm: Type.Optional(Type.String({ description: "Such as sos, power-cut, overspeed, tow or crash" })),
  },
  { title: "DeviceAttributes" },
)
export type DeviceAttributes = Static<typeof DeviceAttributesSchema>

const types: Readonly<Record<keyof DeviceAttributes, "boolean" | "number" | "string">> = {
  ignition: "boolean",
  fuel: "number",
  fuelLitres: "number",
  odometer: "number",
  batteryVolts: "number",
  externalVolts: "number",
  alarm: "string",
}

/** The attributes in the data of a point; null for sources whose data has no known units, and where there are none. */
export function deviceAttributes(
  source: number | null,
  data: Readonly<Record<string, unknown>> | null,
): DeviceAttributes | null {
  if (data === null || !isTracker(source)) return null
  const entries = Object.entries(types).filter(([name, type]) => typeof data[name] === type)
  if (entries.length === 0) return null
  return Object.fromEntries(entries.map(([name]) => [name, data[name]])) as DeviceAttributes
}
