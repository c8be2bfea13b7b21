import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import { DumpError } from "#packages/sql-dumps/dump-error.ts"
import { openDump } from "#packages/sql-dumps/open-dump.ts"
import { type DumpRow, readDump } from "#packages/sql-dumps/read-dump.ts"
import type { OtherRow } from "./reader.ts"
import { createRowFile } from "./row-file.ts"
import type { JsonObject } from "./systems/json.ts"
import { deviceRow, driverRow, geofenceRow, type TraccarCollection, userRow } from "./systems/traccar.ts"

export interface DumpInput {
  /** The dump. */
  path: string
  /** Files that are written: rows while their columns are unknown, and the result. */
  rowsPath: string
  csvPath: string
  collection: TraccarCollection
  maxRows: number
}

export type DumpOutput =
  | { kind: "read"; rowCount: number; emptyCount: number }
  | { kind: "too-many" }
  | { kind: "refused"; reason: string }

const tables = {
  devices: "tc_devices",
  geofences: "tc_geofences",
  drivers: "tc_drivers",
  users: "tc_users",
} as const satisfies Record<TraccarCollection, string>

/** The columns of Traccar's tables that its API names otherwise. */
const apiNames: Readonly<Record<string, string>> = {
  uniqueid: "uniqueId",
  lastupdate: "lastUpdate",
  groupid: "groupId",
  positionid: "positionId",
}

/** Reads a list of Traccar out of a dump of its database into a CSV file. Only what the API shows too is read. */
const run: TaskRunner<DumpInput, DumpOutput> = async (input) => {
  const rows = createRowFile(input.rowsPath)
  try {
    const seen = { count: 0 }
    for await (const entries of rowsOf(input, seen)) {
      await rows.add(entries)
      if (rows.counts.rowCount > input.maxRows) return { kind: "too-many" }
    }
    const table = tables[input.collection]
    if (seen.count === 0)
      throw new DumpError(
        `it has no rows of the table ${table}. Export the database of Traccar as SQL, with its data`,
      )
    const out = createWriteStream(input.csvPath, { mode: 0o600 })
    await rows.writeCsv(out)
    out.end()
    await finished(out)
    return { kind: "read", ...rows.counts }
  } catch (error) {
    if (error instanceof DumpError) return { kind: "refused", reason: error.message }
    throw error
  } finally {
    rows.close()
  }
}

export default run

async function* rowsOf({ path, collection }: DumpInput, seen: { count: number }): AsyncGenerator<OtherRow[]> {
  const table = tables[collection]
  const rowOf = collection === "devices" ? await deviceRows(path) : plain[collection]
  for await (const rows of readDump(openDump(path), new Set([table]))) {
    seen.count += rows.length
    yield rows.map((row) => rowOf(objectOfRow(row)))
  }
}

const plain = { geofences: geofenceRow, drivers: driverRow, users: userRow }

/**
 * Devices with the names of their groups and their last positions. Positions are a table of any size, before or behind
 * the devices: the dump is read once for what devices refer to, and once for that.
 */
async function deviceRows(path: string): Promise<(device: JsonObject) => OtherRow> {
  const wanted = new Set<string>()
  const groups = new Map<string, string>()
  for await (const rows of readDump(openDump(path), new Set(["tc_devices", "tc_groups"])))
    for (const { table, values } of rows) {
      if (table === "tc_groups") groups.set(values.get("id") ?? "", values.get("name") ?? "")
      else if (values.get("positionid")) wanted.add(values.get("positionid") ?? "")
    }
  const positions = new Map<string, JsonObject>()
  for await (const rows of readDump(openDump(path), new Set(["tc_positions"])))
    for (const { values } of rows) {
      const id = values.get("id") ?? ""
      if (!wanted.has(id)) continue
      positions.set(id, { latitude: values.get("latitude"), longitude: values.get("longitude") })
    }
  return (device) =>
    deviceRow(device, positions.get(String(device.positionId)), groups.get(String(device.groupId)))
}

function objectOfRow({ values }: DumpRow): JsonObject {
  return Object.fromEntries([...values].map(([column, value]) => [apiNames[column] ?? column, value]))
}
