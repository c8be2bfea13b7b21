import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { attributeMessages } from "./attribute-messages.ts"
import type { Position } from "./positions.ts"

export const alarms = [
  "sos",
  "power-cut",
  "low-battery",
  "vibration",
  "movement",
  "overspeed",
  "geofence-enter",
  "geofence-exit",
  "tow",
  "crash",
  "jamming",
  "tamper",
  "door",
  "harsh-acceleration",
  "harsh-braking",
  "harsh-cornering",
] as const

/** The name of an alarm; what is not known is shown as the tracker sent it. */
export function useAlarmName(): (alarm: string) => string {
  const t = useMessages(attributeMessages)
  return (alarm) => {
    const known = alarms.find((one) => one === alarm)
    return known ? t(known) : alarm
  }
}

/** Name and value of what a GPS tracker reported with a position; undefined where it sent none. */
export function useAttributeFacts({ attributes }: Position): [string, string | undefined][] {
  const t = useMessages(attributeMessages)
  const formats = useFormats()
  const nameOf = useAlarmName()
  if (!attributes) return []
  const { ignition, fuel, fuelLitres, odometer, batteryVolts, externalVolts, alarm } = attributes
  const withUnit = (value: number | undefined, unit: string, decimals = 0) =>
    value === undefined ? undefined : `${formats.number(Number(value.toFixed(decimals)))} ${unit}`
  return [
    [t("alarm"), alarm && nameOf(alarm)],
    [t("ignition"), ignition === undefined ? undefined : t(ignition ? "on" : "off")],
    [t("fuel"), withUnit(fuel, "%") ?? withUnit(fuelLitres, "l")],
    [t("odometer"), withUnit(odometer, "km")],
    [t("batteryVolts"), withUnit(batteryVolts, "V", 1)],
    [t("externalVolts"), withUnit(externalVolts, "V", 1)],
  ]
}
