import { enableCompileCache } from "node:module"
import { buildMissingConsole } from "./build-console.ts"
import { compileCacheFolder } from "./compile-cache.ts"
import { type Config, ConfigError, configExitCode, readConfig } from "./core/config.ts"
import type { RunningFieldway } from "./start.ts"
import { version } from "./version.ts"

// Where the folder cannot be written, nothing is kept.
enableCompileCache(compileCacheFolder)

/** After this long a shutdown is forced: what is still running is cut off, and repeats at the next start. */
const shutdownMilliseconds = 9_500
/** How long a collector may take for the reason why the process ends. */
const lastLogMilliseconds = 1_000

async function main(): Promise<void> {
  const config = configOrExit()
  const [{ createTelemetry }, { startFieldway }] = await Promise.all([
    import("./core/telemetry/telemetry.ts"),
    import("./start.ts"),
  ])
  const telemetry = createTelemetry(config, version)
  const { log } = telemetry
  process.on("uncaughtException", async (error) => {
    log.fatal({ err: error }, "unhandled error; shutting down")
    setTimeout(() => process.exit(1), lastLogMilliseconds)
    await telemetry.close()
    process.exit(1)
  })
  let running: RunningFieldway | undefined
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, "stopping")
    setTimeout(() => process.exit(0), shutdownMilliseconds + config.drainSeconds * 1000).unref()
    await running?.close()
    process.exit(0)
  }
  process.on("SIGTERM", () => void stop("SIGTERM"))
  process.on("SIGINT", () => void stop("SIGINT"))
  try {
    if (config.role === "all" || config.role === "api") await buildMissingConsole()
    running = await startFieldway({ config, telemetry })
  } catch (error) {
    exitWith(error)
    return
  }
  if (isStopping) await running.close()
  greet(config, running)
}

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return exitWith(error)
  }
}

function exitWith(error: unknown): never {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    process.exit(configExitCode)
  }
  process.stderr.write(
    `Fieldway could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exit((error as { code?: unknown }).code === "EADDRINUSE" ? configExitCode : 1)
}

/** For the person at the terminal; the log lines are for machines. */
function greet(config: Config, running: RunningFieldway): void {
  if (running.firstOwner?.generatedPassword)
    process.stdout.write(
      `First owner: ${running.firstOwner.email}  password: ${running.firstOwner.generatedPassword}  (shown once)\n`,
    )
  const where = config.isPublicUrlGiven ? config.publicUrl : running.address
  process.stdout.write(`Fieldway is ready: open ${where}\n`)
}

await main()
