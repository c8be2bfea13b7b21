import { connect } from "#core/database/database.ts"
import { buildAddressIndex } from "#packages/addresses/index.ts"
import { openExtract } from "#packages/osm-extract/index.ts"
import {
  discardAddresses,
  loadAddresses,
  publishAddresses,
  readCountries,
  removeAddresses,
  sweepAddresses,
} from "../../places/index.ts"
import type { MapBuilder, RunBuilder } from "./builder.ts"

/** Addresses, places and points of interest, as rows. */
const runAddresses: RunBuilder = async ({ extractPath, databaseUrl, region, version, report }) => {
  const extract = await openExtract(extractPath)
  const sql = connect(databaseUrl, {
    max: 2,
    applicationName: "fieldway-map",
    statementTimeoutMilliseconds: 0,
  })
  try {
    const index = await buildAddressIndex(extract, await readCountries())
    report(0.2)
    await loadAddresses(sql, { region, version }, index, report)
    return { report: { ...index.report } }
  } finally {
    await sql.end({ timeout: 5 })
    await extract.close()
  }
}

export default runAddresses

export const addressesBuilder: MapBuilder = {
  name: "addresses",
  module: new URL(import.meta.url),
  publish: publishAddresses,
  discard: discardAddresses,
  sweep: sweepAddresses,
  remove: removeAddresses,
}
