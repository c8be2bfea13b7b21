import { basename } from "node:path"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Config } from "#core/config.ts"
import { inTransaction, type Pool, type Sql, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { send } from "#core/jobs/define-job.ts"
import { isOperatorOrganization } from "../../organization/organizations/index.ts"
import { buildMap, buildQueue, mapBuilders } from "./build/build-job.ts"
import { mapErrors } from "./errors.ts"
import { endBuild, insertBuild, removeRegion } from "./queries.ts"

const namePattern = /^[a-z0-9](?:-?[a-z0-9]){0,39}$/

export const isRegionName = (name: string) => namePattern.test(name)

/** A name from that of a file: `South America (2026).osm.pbf` becomes `south-america-2026`. */
export function regionNameOf(file: string): string {
  const plain = basename(file)
    .replace(/\.(osm\.pbf|pbf|pmtiles)$/i, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
  return plain.replace(/^-|-$/g, "").slice(0, 40).replace(/-$/, "") || "map"
}

export async function mayManageMaps(sql: Sql, config: Config, caller: Caller): Promise<boolean> {
  if (config.mapsAdmin) return config.mapsAdmin.includes(caller.organizationId)
  return isOperatorOrganization(sql, caller.organizationId)
}

export async function checkMayManage(sql: Sql, config: Config, caller: Caller): Promise<void> {
  if (!(await mayManageMaps(sql, config, caller))) throw mapErrors.forbidden()
}

export interface RequestedBuild {
  readonly id: string
  readonly region: string
  readonly source: string
  readonly sourceKey?: string
  readonly fingerprint?: string
  readonly requestedBy: string
}

/** Stores a build and enqueues its job. */
export async function requestBuild(tx: Tx, build: RequestedBuild): Promise<void> {
  await insertBuild(tx, build)
  await send(tx, buildMap, { buildId: build.id }, { queue: buildQueue })
}

export async function requestBuildBy(
  sql: Pool,
  caller: Caller,
  address: string,
  build: Omit<RequestedBuild, "requestedBy">,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await requestBuild(tx, { ...build, requestedBy: caller.email })
    await audit(tx, actorOf(caller, address), {
      action: "map.build",
      targetType: "Map",
      targetId: build.id,
      targetName: build.region,
      after: { source: build.source },
    })
  })
}

/** Removes a region with everything that was derived from it; returns the version that was current. */
export async function removeMapRegion(tx: Tx, name: string): Promise<string | undefined> {
  const version = await removeRegion(tx, name)
  if (version !== undefined) for (const builder of mapBuilders) await builder.remove?.(tx, name)
  return version
}

export async function removeMap(sql: Pool, caller: Caller, address: string, name: string): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const version = await removeMapRegion(tx, name)
    if (version === undefined) throw mapErrors.notFound()
    await audit(tx, actorOf(caller, address), { action: "map.delete", targetType: "Map", targetName: name })
  })
}

export async function cancelBuild(sql: Pool, caller: Caller, address: string, id: string): Promise<void> {
  await inTransaction(sql, async (tx) => {
    if (!(await endBuild(tx, id, "cancelled"))) throw mapErrors.buildNotFound()
    await audit(tx, actorOf(caller, address), { action: "map.cancel", targetType: "Map", targetId: id })
  })
}

export const newBuildId = () => newId<"map-build">()
