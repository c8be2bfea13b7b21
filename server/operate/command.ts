import { basename } from "node:path"
import { originOfCommand } from "#core/audit-trail/origin.ts"
import { type Config, ConfigError, configExitCode, readConfig } from "#core/config.ts"
import { createLog, type Log } from "#core/telemetry/log.ts"
import { beginTrace, runInTrace } from "#core/telemetry/trace-context.ts"

export interface CommandContext {
  config: Config
  log: Log
  /** What follows the command on its line. */
  args: string[]
}

/** A refusal that the person at the terminal can act on: its text is all that is printed. */
export class CommandRefusal extends Error {}

/** Runs a command of an operator with the service's own configuration: exit 0, 1 when it failed, 78 for bad configuration. */
export async function runCommand(work: (context: CommandContext) => Promise<void>): Promise<never> {
  try {
    const config = readConfig(process.env)
    const trace = { ...beginTrace(null), origin: originOfCommand(basename(process.argv[1] ?? "", ".ts")) }
    await runInTrace(trace, () => work({ config, log: createLog("warn"), args: process.argv.slice(2) }))
    process.exit(0)
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.problems.join("\n")}\n`)
      process.exit(configExitCode)
    }
    const isForPeople =
      error instanceof CommandRefusal ||
      (error as { code?: unknown }).code?.toString().startsWith("ERR_PARSE_ARGS")
    process.stderr.write(
      `${isForPeople ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
    )
    process.exit(1)
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
