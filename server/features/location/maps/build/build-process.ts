import { constants, setPriority } from "node:os"
import type { BuildContext, BuilderOutput, RunBuilder } from "./builder.ts"

/** What the parent sends: the builders in their order, and what they all receive. */
export interface BuildOrder {
  readonly builders: readonly { readonly name: string; readonly module: string }[]
  readonly context: Omit<BuildContext, "report">
}

export type BuildMessage =
  | { kind: "progress"; step: string; progress: number }
  | { kind: "done"; outputs: Readonly<Record<string, BuilderOutput>>; cpuSeconds: number; megabytes: number }
  | { kind: "failed"; step: string; message: string; isExpected: boolean }

/** Errors about the file, which the person who chose it can act on. */
const expectedErrors = new Set(["ExtractError", "EmptyExtract", "ArchiveError", "MapFileError"])

// Behind everything else on a busy machine.
setPriority(0, constants.priority.PRIORITY_LOW)

/** The parent is gone: nobody would receive the result. */
process.on("disconnect", () => process.exit(1))

process.once("message", async ({ builders, context }: BuildOrder) => {
  const outputs: Record<string, BuilderOutput> = {}
  let step = ""
  const send = (message: BuildMessage) =>
    new Promise<void>((resolve) => process.send?.(message, () => resolve()))
  try {
    for (const { name, module } of builders) {
      step = name
      await send({ kind: "progress", step, progress: 0 })
      const { default: run }: { default: RunBuilder } = await import(module)
      outputs[name] = await run({
        ...context,
        report: (progress) => void send({ kind: "progress", step: name, progress }),
      })
    }
    const { user, system } = process.cpuUsage()
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
    await send({ kind: "done", outputs, cpuSeconds: (user + system) / 1e6, megabytes })
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    const isExpected = expectedErrors.has(name)
    await send({ kind: "failed", step, message: isExpected ? message : (stack ?? message), isExpected })
  }
  process.exit(0)
})
