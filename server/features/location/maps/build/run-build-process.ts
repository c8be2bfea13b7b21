import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { BuildMessage, BuildOrder } from "./build-process.ts"
import type { BuildContext, BuilderOutput, MapBuilder } from "./builder.ts"

export interface BuildResult {
  readonly outputs: Readonly<Record<string, BuilderOutput>>
  readonly cpuSeconds: number
  readonly megabytes: number
}

/** The file cannot become a map, for a reason that a person can act on. */
export class MapFileError extends Error {
  override readonly name = "MapFileError"
}

/** Of the heap; coordinates and tables of a build are outside it. */
const maxHeapMegabytes = 4_096

/** Runs builders in a process of low priority. Aborting kills it; the parent's end ends it too. */
export function runBuildProcess(
  builders: readonly MapBuilder[],
  context: Omit<BuildContext, "report">,
  options: { signal: AbortSignal | undefined; onProgress(step: string, progress: number): void },
): Promise<BuildResult> {
  options.signal?.throwIfAborted()
  const child = fork(fileURLToPath(new URL("build-process.ts", import.meta.url)), [], {
    execArgv: [`--max-old-space-size=${maxHeapMegabytes}`, "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  return new Promise((resolve, reject) => {
    const kill = () => child.kill("SIGKILL")
    options.signal?.addEventListener("abort", kill)
    let result: BuildResult | undefined
    let failure: Error | undefined
    child.on("message", (message: BuildMessage) => {
      if (message.kind === "progress") options.onProgress(message.step, message.progress)
      else if (message.kind === "done") result = message
      else
        failure = message.isExpected
          ? new MapFileError(message.message)
          : new Error(`building ${message.step} failed: ${message.message}`)
    })
    child.on("error", (error) => {
      failure ??= error
    })
    child.on("close", (code, signal) => {
      options.signal?.removeEventListener("abort", kill)
      if (options.signal?.aborted)
        reject(new Error("the build was stopped", { cause: options.signal.reason }))
      else if (result) resolve(result)
      else reject(failure ?? new Error(`the build ended with ${signal ?? code}, possibly for lack of memory`))
    })
    const order: BuildOrder = {
      builders: builders.map(({ name, module }) => ({ name, module: module.href })),
      context,
    }
    child.send(order)
  })
}
