import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { isHarmlessSvg, parsesAsModule, parsesAsScript } from "./check-files.ts"

export interface InspectInput {
  script: string
  icon: string | undefined
}

export interface InspectOutput {
  /** `none`: it is not JavaScript. */
  script: "script" | "module" | "none"
  isIconHarmless: boolean
}

/** Parses what somebody uploaded. A script that breaks the parser takes this thread along and nothing else. */
const run: TaskRunner<InspectInput, InspectOutput> = ({ script, icon }) => ({
  script: kindOf(script),
  isIconHarmless: icon === undefined || isHarmlessSvg(icon),
})

export default run

function kindOf(text: string): InspectOutput["script"] {
  if (text.trim() === "") return "none"
  if (parsesAsScript(text)) return "script"
  return parsesAsModule(text) ? "module" : "none"
}
