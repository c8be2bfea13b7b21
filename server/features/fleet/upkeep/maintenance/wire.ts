import { toT1 } from "#shared/wire-time.ts"
import { toHours, toKilometers } from "../meters/wire.ts"
import type { EntryRow } from "./entries.ts"
import type { PlanRow } from "./queries.ts"

const orNull = (value: number | null, convert: (value: number) => number) =>
  value === null ? null : convert(value)

export function toWirePlan(row: PlanRow) {
  return {
    _id: row.id,
    vehicleId: row.vehicleId,
    equipmentId: row.equipmentId,
    subject: row.subject,
    hubId: row.hubId,
    name: row.name,
    everyKilometers: orNull(row.everyMeters, toKilometers),
    everyHours: orNull(row.everySeconds, toHours),
    everyDays: row.everyDays,
    remindKilometers: toKilometers(row.remindMeters),
    remindHours: toHours(row.remindSeconds),
    remindDays: row.remindDays,
    doneOn: row.doneOn,
    doneKilometers: toKilometers(row.doneMeters),
    doneHours: toHours(row.doneSeconds),
    leftKilometers: orNull(row.leftMeters, toKilometers),
    leftHours: orNull(row.leftSeconds, toHours),
    leftDays: row.leftDays,
    state: row.state,
    flowId: row.flowId,
    taskId: row.taskId,
    taskProblem: row.taskProblem,
    isActive: row.isActive,
  }
}

export function toWireEntry({ id, odometerMeters, engineSeconds, createdTime, ...row }: EntryRow) {
  return {
    _id: id,
    ...row,
    odometerKilometers: orNull(odometerMeters, toKilometers),
    engineHours: orNull(engineSeconds, toHours),
    createdTime: toT1(createdTime),
  }
}
