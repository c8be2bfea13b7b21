import type { AppError } from "#core/errors.ts"
import { AppError as Refusal } from "#core/errors.ts"
import { isLoad } from "#shared/load.ts"
import { vehicleErrors } from "./errors.ts"
import type { BreakTime, Capacity, VehiclePatch, WorkingTime } from "./schemas.ts"
import { termProblem } from "./terms.ts"

/** Everything that can be judged of a vehicle by itself. Throws the first problem. */
export function checkVehicle(vehicle: VehiclePatch): void {
  if (vehicle.name !== undefined && vehicle.name.trim() === "") throw refuse("001", "name", "is required")
  if (vehicle.oddEven && vehicle.oddEven !== "odd" && vehicle.oddEven !== "even")
    throw refuse("017", "oddEven", "must be odd, even or null")
  if (vehicle.workingTime) checkWorkingTime(vehicle.workingTime)
  if (vehicle.breakTime) checkBreak(vehicle.breakTime)
  const problem = termProblem(vehicle)
  if (problem) throw refuse("013", problem.field, problem.text)
  for (const [name, bounds] of Object.entries(vehicle.capacity ?? {})) checkCapacity(name, bounds)
}

function checkWorkingTime({ startTime, endTime, multiday = 0 }: WorkingTime): void {
  if (minutesOf(startTime) >= minutesOf(endTime) + multiday * 1440)
    throw refuse("018", "workingTime", "must start before it ends; multiday adds days to the end")
}

/** Whether a break fits the working hours is judged when routes are planned, not here. */
function checkBreak({ startTime, endTime }: BreakTime): void {
  if (!startTime && !endTime) return
  if (!startTime || !endTime || minutesOf(startTime) >= minutesOf(endTime))
    throw refuse("018", "breakTime", "must start before it ends")
}

function checkCapacity(name: string, { min, max }: Capacity[string]): void {
  if (!isLoad(min) || !isLoad(max) || min >= max)
    throw refuse("009", `capacity.${name}`, "needs min below max, both 0 or more with six decimals at most")
}

/** Minutes since midnight, seconds as a fraction. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
  return hours * 60 + minutes + seconds / 60
}

function refuse(code: string, field: string, text: string): AppError {
  return new Refusal(400, `${vehicleErrors.module}-${code}`, `${field} ${text}`, {
    fields: { [field]: [text] },
  })
}

/** Trimmed, without empty ones and doubles; letters keep their case, because rules compare them exactly. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))]
}
