import type { NewVehicle, Vehicle } from "./vehicles.queries.ts"

/** A vehicle as its form holds it: numbers may be empty while they are typed. */
export interface VehicleDraft {
  hubId: string | null
  name: string
  assignee: string | null
  speed: number | string
  fixedCost: number | string
  tags: string[]
  oddEven: string
  workFrom: string
  workTo: string
  workDays: number | string
  breakFrom: string
  breakTo: string
  breakMinutes: number | string
  weekdays: string[]
  daysOff: string[]
  capacity: Record<string, { min: number | string; max: number | string }>
  startCoordinate: string
  endCoordinate: string
  maxDuration: number | string
  maxKilometers: number | string
  maxOvertime: number | string
  costs: Record<CostName, number | string>
  co2PerKilometer: number | string
  skills: { name: string; validFrom: string; validUntil: string }[]
}

const costNames = ["day", "hour", "overtimeHour", "kilometer"] as const
export type CostName = (typeof costNames)[number]

const noTerms = {
  startCoordinate: "",
  endCoordinate: "",
  maxDuration: "",
  maxKilometers: "",
  maxOvertime: "",
  costs: { day: "", hour: "", overtimeHour: "", kilometer: "" },
  co2PerKilometer: "",
  skills: [],
}

export function draftOf(vehicle: Vehicle | undefined, hubId: string | null): VehicleDraft {
  if (!vehicle)
    return {
      hubId,
      name: "",
      assignee: null,
      speed: 40,
      fixedCost: 0,
      tags: [],
      oddEven: "any",
      workFrom: "08:00",
      workTo: "17:00",
      workDays: 0,
      breakFrom: "",
      breakTo: "",
      breakMinutes: "",
      weekdays: [],
      daysOff: [],
      capacity: {},
      ...noTerms,
    }
  const { workingTime, breakTime } = vehicle
  return {
    hubId: vehicle.hubId,
    name: vehicle.name,
    assignee: vehicle.assignee,
    speed: vehicle.speed,
    fixedCost: vehicle.fixedCost,
    tags: vehicle.tags,
    oddEven: vehicle.oddEven ?? "any",
    workFrom: workingTime.startTime.slice(0, 5),
    workTo: workingTime.endTime.slice(0, 5),
    workDays: workingTime.multiday,
    breakFrom: breakTime.startTime?.slice(0, 5) ?? "",
    breakTo: breakTime.endTime?.slice(0, 5) ?? "",
    breakMinutes: vehicle.breakMinutes ?? "",
    weekdays: (vehicle.workDays ?? []).map(String),
    daysOff: vehicle.daysOff ?? [],
    capacity: vehicle.capacity,
    startCoordinate: vehicle.startCoordinate ?? "",
    endCoordinate: vehicle.endCoordinate ?? "",
    maxDuration: vehicle.maxDuration ?? "",
    maxKilometers: vehicle.maxDistance === null ? "" : vehicle.maxDistance / 1000,
    maxOvertime: vehicle.maxOvertime ?? "",
    costs: { ...noTerms.costs, ...vehicle.costs },
    co2PerKilometer: vehicle.co2PerKilometer ?? "",
    skills: (vehicle.skills ?? []).map(({ name, validFrom = "", validUntil = "" }) => ({
      name,
      validFrom,
      validUntil,
    })),
  }
}

export function bodyOf(draft: VehicleDraft): NewVehicle {
  const capacity = Object.entries(draft.capacity).flatMap(([name, { min, max }]) =>
    max === "" ? [] : [[name, { min: Number(min), max: Number(max) }] as const],
  )
  return {
    hubId: draft.hubId ?? "",
    name: draft.name.trim(),
    assignee: draft.assignee,
    speed: Number(draft.speed),
    fixedCost: Number(draft.fixedCost),
    tags: draft.tags,
    oddEven: draft.oddEven === "any" ? null : draft.oddEven,
    workingTime: { startTime: draft.workFrom, endTime: draft.workTo, multiday: Number(draft.workDays) },
    breakTime: { startTime: draft.breakFrom || null, endTime: draft.breakTo || null },
    capacity: Object.fromEntries(capacity),
    ...termsOf(draft),
  }
}

/** Empty fields are sent as null, which removes what was there. */
function termsOf(draft: VehicleDraft) {
  const number = (value: number | string, factor = 1) =>
    value === "" ? null : Math.round(Number(value) * factor * 1000) / 1000
  const costs = costNames.flatMap((name) =>
    draft.costs[name] === "" ? [] : [[name, Number(draft.costs[name])] as const],
  )
  const skills = draft.skills.filter(({ name }) => name.trim() !== "")
  return {
    startCoordinate: draft.startCoordinate.trim() || null,
    endCoordinate: draft.endCoordinate.trim() || null,
    maxDuration: number(draft.maxDuration),
    maxDistance: number(draft.maxKilometers, 1000),
    maxOvertime: number(draft.maxOvertime),
    breakMinutes: number(draft.breakMinutes),
    workDays: draft.weekdays.length > 0 ? draft.weekdays.map(Number) : null,
    daysOff: draft.daysOff.length > 0 ? draft.daysOff : null,
    costs: costs.length > 0 ? Object.fromEntries(costs) : null,
    co2PerKilometer: number(draft.co2PerKilometer),
    skills:
      skills.length === 0
        ? null
        : skills.map(({ name, validFrom, validUntil }) => ({
            name: name.trim(),
            ...(validFrom ? { validFrom } : {}),
            ...(validUntil ? { validUntil } : {}),
          })),
  }
}
