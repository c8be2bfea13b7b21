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
  capacity: Record<string, { min: number | string; max: number | string }>
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
      capacity: {},
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
    capacity: vehicle.capacity,
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
  }
}
