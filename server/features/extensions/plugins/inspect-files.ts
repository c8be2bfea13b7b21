import type { Objects } from "#core/objects/objects.ts"
import { ownedState } from "#core/owned-state.ts"
import { runInThread, ThreadStopped, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { pluginErrors } from "./errors.ts"
import type { InspectInput, InspectOutput } from "./inspect-thread.ts"

const inspecting: ThreadTask<InspectInput, InspectOutput> = {
  name: "reading the script",
  module: new URL("./inspect-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 20,
}

/** What a script and an icon are. @throws the refusal of a script that nobody can parse within bounds */
export async function inspectFiles(
  organizationId: string,
  script: string,
  icon?: string,
): Promise<InspectOutput> {
  try {
    return await runInThread(inspecting, { script, icon }, { organizationId })
  } catch (error) {
    if (!(error instanceof ThreadStopped)) throw error
    const problem = error.reason === "fault" ? "is not valid JavaScript" : "takes too long to read"
    throw pluginErrors.badScript({ fields: { resourceFile: [problem] }, cause: error })
  }
}

const maxCached = 1_000
const kindsOf = ownedState((_objects: Objects) => new Map<string, InspectOutput["script"]>())

/** Whether a stored script is a module, which a page loads by another tag. Stored scripts never change. */
export async function isModule(
  objects: Objects,
  { organizationId, scriptKey }: { organizationId: string; scriptKey: string },
  script: string,
): Promise<boolean> {
  const kinds = kindsOf(objects)
  const cached = kinds.get(scriptKey)
  if (cached !== undefined) return cached === "module"
  const { script: kind } = await inspectFiles(organizationId, script)
  if (kinds.size >= maxCached) kinds.clear()
  kinds.set(scriptKey, kind)
  return kind === "module"
}
