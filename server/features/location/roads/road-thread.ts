import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { type RoadData, type RoadJob, type RoadOutput, runRoadJob } from "./road-jobs.ts"

/** Road jobs that would hold up the other requests of this process. */
const run: TaskRunner<{ data: RoadData; job: RoadJob }, RoadOutput> = ({ data, job }, { transfer }) => {
  const output = runRoadJob(data, job)
  if (output.kind === "table")
    transfer.push(output.costs.buffer as ArrayBuffer, output.lengths.buffer as ArrayBuffer)
  return output
}

export default run
