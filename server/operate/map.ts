import { mkdir, mkdtemp, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import { connect, inTransaction } from "#core/database/database.ts"
import { refusePooler } from "#core/database/direct-database.ts"
import { migrate } from "#core/database/migrate.ts"
import { runningEmbeddedUrl } from "#core/embedded/embedded-postgres.ts"
import { createObjects } from "#core/objects/objects.ts"
import { downloadOutbound } from "#core/outbound/outbound-file.ts"
import type { Log } from "#core/telemetry/log.ts"
import {
  buildRegion,
  endBuild,
  insertBuild,
  isRegionName,
  listRegions,
  MapFileError,
  mapBuilders,
  newBuildId,
  regionNameOf,
  removeMapRegion,
} from "../features/location/maps/index.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { type OpenDatabase, openAlone } from "./open-database.ts"

const usage = `npm run map -- --file region.osm.pbf [--name NAME]
npm run map -- --file tiles.pmtiles --style style.json [--name NAME]
npm run map -- --url https://… [--name NAME]
npm run map -- --list
npm run map -- --remove NAME`

const options = {
  file: { type: "string" },
  url: { type: "string" },
  name: { type: "string" },
  style: { type: "string" },
  list: { type: "boolean" },
  remove: { type: "string" },
} as const

export interface MapCommand {
  readonly file?: string
  readonly url?: string
  readonly name?: string
  readonly style?: string
}

const maxDownloadBytes = 8 * 1024 ** 3
const downloadMilliseconds = 4 * 3_600_000

/** Builds a map with the service running, stopped or not yet started. The old map serves until the new one is complete. */
export async function buildMapFrom(
  config: Config,
  log: Log,
  command: MapCommand,
  print: (line: string) => void,
) {
  const source = command.file ?? command.url ?? ""
  const region = command.name ?? regionNameOf(decodeURIComponent(URL.parse(source)?.pathname ?? source))
  if (!isRegionName(region))
    throw new CommandRefusal("--name: use a-z, 0-9 and single hyphens, at most 40 characters")
  if (command.file !== undefined && !(await stat(command.file).catch(() => undefined))?.isFile())
    throw new CommandRefusal(`--file: there is no file ${command.file}`)
  const database = await openForMaps(config, log)
  const folder = await temporaryFolder(config.dataDir)
  const buildId = newBuildId()
  try {
    const { sql, url } = database
    await insertBuild(sql, { id: buildId, region, source: shownSource(command), requestedBy: "npm run map" })
    const path = command.file ?? (await download(config, source, folder, print))
    const built = await buildRegion(
      {
        sql,
        databaseUrl: url,
        objects: await createObjects(config),
        dataDir: config.dataDir,
        builders: mapBuilders,
        onProgress: progressLines(print),
      },
      {
        buildId,
        region,
        path,
        source: shownSource(command),
        ...(command.style ? { stylePath: command.style } : {}),
      },
    )
    if (!built) throw new CommandRefusal("The build was cancelled")
    return { region, ...built }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    await endBuild(database.sql, buildId, "failed", message.slice(0, 500))
    throw error instanceof MapFileError ? new CommandRefusal(message) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
    await database.close()
  }
}

const shownSource = ({ file, url }: MapCommand) => url ?? file?.split("/").at(-1) ?? ""

async function temporaryFolder(dataDir: string): Promise<string> {
  const root = join(dataDir, "map-builds")
  await mkdir(root, { recursive: true })
  return mkdtemp(join(root, "download-"))
}

async function download(config: Config, url: string, folder: string, print: (line: string) => void) {
  const path = join(folder, "source")
  print(`downloading ${url}`)
  const request = { url, path, maxBytes: maxDownloadBytes, timeoutMilliseconds: downloadMilliseconds }
  await downloadOutbound(request, config.webhookAllow).catch((error) => {
    throw new MapFileError(`The file could not be downloaded: ${(error as Error).message}`, { cause: error })
  })
  return path
}

function progressLines(print: (line: string) => void) {
  let last = ""
  return (step: string, progress: number) => {
    const line = `${step}: ${Math.floor(progress * 10) * 10} %`
    if (line !== last) print(line)
    last = line
  }
}

/** The database of the running service, or the service's own one, created if it is not there yet. */
async function openForMaps(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl) await refusePooler(config.databaseUrl)
  const running = config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir))
  const database = running ? openRunning(running) : await openAlone(config, log)
  await migrate(database.sql)
  return database
}

function openRunning(url: string): OpenDatabase {
  const sql = connect(url, { max: 3, applicationName: "fieldway-map", statementTimeoutMilliseconds: 0 })
  return { sql, url, close: () => sql.end({ timeout: 5 }) }
}

async function list(config: Config, log: Log): Promise<void> {
  const database = await openForMaps(config, log)
  try {
    for (const { name, files, builtAt, source } of await listRegions(database.sql)) {
      const bytes = Object.values(files).reduce((sum, size) => sum + size, 0)
      say(
        `${name}  ${(bytes / 1024 ** 2).toFixed(1)} MB  built ${builtAt.toString({ smallestUnit: "second" })} from ${source}`,
      )
    }
  } finally {
    await database.close()
  }
}

async function remove(config: Config, log: Log, name: string): Promise<void> {
  const database = await openForMaps(config, log)
  try {
    const version = await inTransaction(database.sql, (tx) => removeMapRegion(tx, name))
    if (version === undefined) throw new CommandRefusal(`--remove: there is no map ${name}`)
  } finally {
    await database.close()
  }
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({ args, options })
    if (values.list) return list(config, log)
    if (values.remove !== undefined) return remove(config, log, values.remove)
    if ((values.file === undefined) === (values.url === undefined)) throw new CommandRefusal(usage)
    const built = await buildMapFrom(config, log, values, say)
    const report = Object.entries(built.report).map(([name, counts]) => `${name} ${JSON.stringify(counts)}`)
    say(
      `${built.region} is ready: ${report.join(", ")}; ${built.cpuSeconds.toFixed(1)} s of CPU time, ${built.megabytes} MB`,
    )
  })
