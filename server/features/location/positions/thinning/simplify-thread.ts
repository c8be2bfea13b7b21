import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { type SimplifiedTrack, type SimplifyOptions, simplifyTrack } from "../track/simplify.ts"
import type { Track } from "../track/track.ts"

export interface SimplifyInput {
  track: Track
  options: SimplifyOptions
}

const run: TaskRunner<SimplifyInput, SimplifiedTrack> = ({ track, options }) => simplifyTrack(track, options)

export default run
