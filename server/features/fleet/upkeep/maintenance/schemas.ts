import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])
const Kilometers = (description: string) =>
  Type.Optional(Type.Union([Type.Number({ minimum: 1, maximum: 1_000_000 }), Type.Null()], { description }))
const Hours = (description: string) =>
  Type.Optional(Type.Union([Type.Number({ minimum: 1, maximum: 100_000 }), Type.Null()], { description }))
const DayText = Type.String({ format: "date", examples: ["2026-11-23"] })

const planFields = {
  name: Type.String({ minLength: 1, maxLength: 200, examples: ["Oil change"] }),
  everyKilometers: Kilometers("At least one interval is needed; the first that is reached counts"),
  everyHours: Hours("Engine hours"),
  everyDays: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 7_300 }), Type.Null()])),
  remindKilometers: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000_000, description: "Due soon from so much before; default 0" }),
  ),
  remindHours: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
  remindDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 7_300 })),
  flowId: Type.Optional(
    Type.Union([IdSchema("flow"), Type.Null()], {
      description: "Once it is due soon, a task of this flow is created; finishing it is the maintenance",
    }),
  ),
  isActive: Type.Optional(Type.Boolean()),
}
const doneFields = {
  doneOn: Type.Optional(DayText),
  odometerKilometers: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10_000_000, description: "Default: what the vehicle shows now" }),
  ),
  engineHours: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
}
const subjectFields = {
  vehicleId: Type.Optional(IdSchema("vehicle")),
  equipmentId: Type.Optional(IdSchema("equipment")),
}

export const PlanBody = Type.Object(
  { ...subjectFields, ...planFields, ...doneFields },
  { title: "MaintenancePlanInput", description: "Of a vehicle or of equipment; equipment has days only" },
)
export type PlanInput = Static<typeof PlanBody>

export const PlanChange = Type.Object(planFields, { title: "MaintenancePlanChange" })
export type PlanChange = Static<typeof PlanChange>

export const EntryBody = Type.Object(
  {
    ...subjectFields,
    planId: Type.Optional(IdSchema("maintenance-plan")),
    name: Type.Optional(Type.String({ maxLength: 200, description: "Default: the name of the plan" })),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    cost: Type.Optional(Type.Number({ minimum: 0, maximum: 999_999_999, multipleOf: 0.01 })),
    ...doneFields,
  },
  { title: "MaintenanceEntryInput", description: "Work of a plan, or other work at a vehicle or equipment" },
)
export type EntryInput = Static<typeof EntryBody>

export const PlanSchema = Type.Object(
  {
    _id: IdSchema("maintenance-plan"),
    vehicleId: NullableText,
    equipmentId: NullableText,
    subject: Type.String({ description: "Name of the vehicle or equipment" }),
    hubId: Type.String(),
    name: Type.String(),
    everyKilometers: NullableNumber,
    everyHours: NullableNumber,
    everyDays: NullableNumber,
    remindKilometers: Type.Number(),
    remindHours: Type.Number(),
    remindDays: Type.Integer(),
    doneOn: Type.String(),
    doneKilometers: Type.Number(),
    doneHours: Type.Number(),
    leftKilometers: Type.Union([Type.Number(), Type.Null()], { description: "Negative: overdue by so much" }),
    leftHours: NullableNumber,
    leftDays: NullableNumber,
    state: Type.String({ enum: ["ok", "soon", "overdue"] }),
    flowId: NullableText,
    taskId: Type.Union([Type.String(), Type.Null()], {
      description: "The task that was created for what is due",
    }),
    taskProblem: Type.Union([Type.String(), Type.Null()], { description: "Why no task could be created" }),
    isActive: Type.Boolean(),
  },
  { title: "MaintenancePlan" },
)

export const EntrySchema = Type.Object(
  {
    _id: IdSchema("maintenance-entry"),
    vehicleId: NullableText,
    equipmentId: NullableText,
    planId: NullableText,
    taskId: NullableText,
    name: Type.String(),
    note: NullableText,
    doneOn: Type.String(),
    odometerKilometers: NullableNumber,
    engineHours: NullableNumber,
    cost: NullableNumber,
    createdBy: Type.String(),
    createdTime: Type.String(),
  },
  { title: "MaintenanceEntry" },
)
