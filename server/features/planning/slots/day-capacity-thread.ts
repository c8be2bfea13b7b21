import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import type { TimeSpan } from "../../../../packages/route-optimizer/problem/problem.ts"
import {
  type DayVisit,
  type FittingWindow,
  fittingWindows,
  type HubDay,
  type Travel,
} from "./day-capacity.ts"

export interface DayQuestion {
  day: HubDay
  wanted: DayVisit
  windows: readonly TimeSpan[]
  travel: Travel
}

const run: TaskRunner<DayQuestion, FittingWindow[]> = ({ day, wanted, windows, travel }) =>
  fittingWindows(day, wanted, windows, travel)

export default run
