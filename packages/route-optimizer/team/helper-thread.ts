import { workerData } from "node:worker_threads"
import { solve } from "../solve.ts"
import { colleagueAt } from "./colleague.ts"
import type { HelperData } from "./helper.ts"
import { processorMilliseconds } from "./processor-time.ts"

const { problem, seed, milliseconds, start, countsProcessorTime, port, stopFlag } = workerData as HelperData
solve(problem, {
  seed,
  budget: { milliseconds },
  colleague: colleagueAt(port),
  shouldStop: () => Atomics.load(stopFlag, 0) === 1,
  ...(start ? { start } : {}),
  ...(countsProcessorTime ? { clock: processorMilliseconds } : {}),
})
port.close()
