import { AppError as Refusal } from "#core/errors.ts"
import { isLoad } from "#shared/load.ts"
import { vehicleErrors } from "./errors.ts"
import type { BreakTime, VehiclePatch, WorkingTime } from "./schemas.ts"
import { termProblem } from "./terms.ts"

interface Problem {
  code: string
  field: string
  text: string
}

/** Everything that can be judged of a vehicle by itself. Throws all problems at once, with the code of the first. */
export function checkVehicle(vehicle: VehiclePatch): void {
  const problems = [...problemsOf(vehicle)]
  const [first] = problems
  if (!first) return
  throw new Refusal(400, `${vehicleErrors.module}-${first.code}`, `${first.field} ${first.text}`, {
    fields: Object.fromEntries(problems.map(({ field, text }) => [field, [text]])),
  })
}

function* problemsOf(vehicle: VehiclePatch): Generator<Problem> {
  const { name, oddEven, workingTime, breakTime, capacity } = vehicle
  if (name !== undefined && name.trim() === "") yield { code: "001", field: "name", text: "is required" }
  if (oddEven && oddEven !== "odd" && oddEven !== "even")
    yield { code: "017", field: "oddEven", text: "must be odd, even or null" }
  if (workingTime && !isOrdered(workingTime))
    yield {
      code: "018",
      field: "workingTime",
      text: "must start before it ends; multiday adds days to the end",
    }
  if (breakTime && !isBreak(breakTime))
    yield { code: "018", field: "breakTime", text: "must start before it ends" }
  const problem = termProblem(vehicle)
  if (problem) yield { code: "013", ...problem }
  for (const [measure, { min, max }] of Object.entries(capacity ?? {}))
    if (!isLoad(min) || !isLoad(max) || min >= max)
      yield {
        code: "009",
        field: `capacity.${measure}`,
        text: "needs min below max, both 0 or more with six decimals at most",
      }
}

function isOrdered({ startTime, endTime, multiday = 0 }: WorkingTime): boolean {
  return minutesOf(startTime) < minutesOf(endTime) + multiday * 1440
}

/** Whether a break fits the working hours is judged when routes are planned, not here. */
function isBreak({ startTime, endTime }: BreakTime): boolean {
  if (!startTime && !endTime) return true
  return Boolean(startTime && endTime && minutesOf(startTime) < minutesOf(endTime))
}

/** Minutes since midnight, seconds as a fraction. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
  return hours * 60 + minutes + seconds / 60
}

/** Trimmed, without empty ones and doubles; letters keep their case, because rules compare them exactly. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))]
}
