import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Objects } from "#core/objects/objects.ts"

/** Maps belong to no organization, yet keys of the object store start with an id of one. */
export const installationFolder = "000000000000000000000000"

/** Files of a version that this resource itself reads. */
export const streetsFile = "streets.pmtiles"
export const styleFile = "style.json"
/** Files of roads: see `packages/road-network`. */
export const networkFile = "roads.network"
export const profileFile = (mode: string) => `roads.${mode}`

/** Sizes by name. */
export type MapFiles = Readonly<Record<string, number>>

export function mapKey(region: string, version: string, file: string): string {
  return `${installationFolder}/maps/${region}/${version}/${file}`
}

export function sourceKey(buildId: string, file: string): string {
  return `${installationFolder}/map-sources/${buildId}/${file}`
}

/** Stores every file of a folder under a version. Nothing refers to them until the version is current. */
export async function storeFiles(
  objects: Objects,
  region: string,
  version: string,
  folder: string,
): Promise<MapFiles> {
  const files: Record<string, number> = {}
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(folder, entry.name)
    files[entry.name] = (await stat(path)).size
    await objects.put(mapKey(region, version, entry.name), createReadStream(path))
  }
  return files
}
