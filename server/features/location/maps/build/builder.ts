import type { Pool, Tx } from "#core/database/database.ts"

/**
 * What is derived from an extract: streets, roads, addresses. `app.ts` and the command list the builders; a map is built
 * by running them one after the other in a process of their own, and one transaction then makes the new version
 * current. Until then the old version serves.
 */
export interface MapBuilder {
  /** Shown as the step of a build: "streets". */
  readonly name: string
  /** Its default export is a `RunBuilder`. */
  readonly module: URL
  /** Called in the transaction that makes the version current. The rows of the region's previous version go here. */
  publish?(tx: Tx, version: MapVersion): Promise<void>
  /** Removes what a version left in the database that never became current. */
  discard?(sql: Pool, version: MapVersion): Promise<void>
  /** Called every hour with the current versions: removes what other versions left that are more than a day old. */
  sweep?(sql: Pool, current: readonly MapVersion[]): Promise<void>
  /** Called in the transaction that removes a region: its rows go with it. */
  remove?(tx: Tx, region: string): Promise<void>
}

export interface MapVersion {
  readonly region: string
  /** New for each build. */
  readonly version: string
}

export interface BuildContext extends MapVersion {
  /** The `.osm.pbf` file. */
  readonly extractPath: string
  /** Files that are written here belong to the version: every node keeps a copy of them (`localFile`). */
  readonly folder: string
  /** For builders that load rows. Rows carry the version, so that they are invisible until it is current. */
  readonly databaseUrl: string
  /** Shares from 0 to 1. */
  report(progress: number): void
}

export type RunBuilder = (context: BuildContext) => Promise<BuilderOutput>

/** What is stored with the region and shown under Settings. `map` is what the streets determine. */
export interface BuilderOutput {
  readonly report: Readonly<Record<string, string | number>>
  readonly map?: MapDescription
}

export interface MapDescription {
  readonly attribution: string
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  /** ISO 8601. */
  readonly dataTime: string | null
}
