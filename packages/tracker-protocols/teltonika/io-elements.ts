import { known, type TrackerAlarm, type TrackerAttributes } from "../tracker.ts"
import { round } from "../values.ts"

/** AVL ids of the FMB, FMC and FMM series, which older series share where they have the value. */
const ids = {
  odometer: 16,
  obdFuelPercent: 48,
  externalMillivolts: 66,
  batteryMillivolts: 67,
  canFuelDecilitres: 84,
  canOdometer: 87,
  canFuelPercent: 89,
  batteryPercent: 113,
  hdop: 182,
  ignition: 239,
  oemFuelDecilitres: 390,
} as const

/** Alarms are reported by the record that an event caused, with the id of the event. */
const alarms: Readonly<Record<number, TrackerAlarm | readonly (TrackerAlarm | undefined)[]>> = {
  236: "sos",
  246: "tow",
  247: "crash",
  249: "jamming",
  252: "power-cut",
  253: [undefined, "harsh-acceleration", "harsh-braking", "harsh-cornering"],
  255: "overspeed",
}

/** The attributes among the IO elements of a record. */
export function attributesOf(elements: ReadonlyMap<number, number>, eventId: number): TrackerAttributes {
  const scaled = (id: number, factor: number, decimals: number) => {
    const value = elements.get(id)
    return value === undefined ? undefined : round(value * factor, decimals)
  }
  const ignition = elements.get(ids.ignition)
  return known<TrackerAttributes>({
    ignition: ignition === undefined ? undefined : ignition === 1,
    batteryPercent: percent(elements.get(ids.batteryPercent)),
    batteryVolts: scaled(ids.batteryMillivolts, 0.001, 3),
    externalVolts: scaled(ids.externalMillivolts, 0.001, 3),
    fuelPercent: percent(elements.get(ids.canFuelPercent) ?? elements.get(ids.obdFuelPercent)),
    fuelLitres: scaled(ids.canFuelDecilitres, 0.1, 1) ?? scaled(ids.oemFuelDecilitres, 0.1, 1),
    odometerKilometers: scaled(ids.odometer, 0.001, 3) ?? scaled(ids.canOdometer, 0.001, 3),
    hdop: scaled(ids.hdop, 0.1, 1),
    alarm: alarmOf(eventId, elements.get(eventId)),
  })
}

function percent(value: number | undefined): number | undefined {
  return value !== undefined && value <= 100 ? value : undefined
}

function alarmOf(eventId: number, value: number | undefined): TrackerAlarm | undefined {
  if (!value) return undefined
  const alarm = alarms[eventId]
  return typeof alarm === "object" ? alarm[value] : alarm
}
