import { createHash } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import { createObjects, type Objects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { deleteOrganizationPositions } from "../features/location/positions/index.ts"
import { deleteOrganization } from "../features/organization/organizations/index.ts"
import { releaseMembers } from "../features/people/users/index.ts"
import { version } from "../version.ts"
import { countRows, ownRows, tenantTables } from "./archive/tenant-tables.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { findByIdOrName } from "./find-organization.ts"
import { openDatabase } from "./open-database.ts"

/** What was removed, counted before; what is left, counted after. */
export interface DeletionProof {
  organization: { id: string; name: string }
  deletedTime: string
  version: string
  /** Rows by table. Location points and sessions are among them. */
  removedRows: Record<string, number>
  removedAccounts: number
  removedFiles: number
  /** SHA-256 over the sorted keys of the removed files, one a line. */
  removedFilesSha256: string
  leftRows: Record<string, number>
  leftFiles: number
}

/**
 * Deletes an organization for good: every row in every table, its files, and the accounts that belong to nobody
 * else. `confirmation` must be its name, letter by letter. Backups made before still hold it.
 */
export async function deleteWithProof(
  config: Config,
  log: Log,
  wanted: string,
  confirmation: string,
): Promise<DeletionProof> {
  const database = await openDatabase(config, log)
  try {
    const { sql } = database
    const organization = await findByIdOrName(sql, wanted)
    if (confirmation !== organization.name)
      throw new CommandRefusal(`To delete it, add --confirm "${organization.name}". Nothing was deleted`)
    const objects = await createObjects(config)
    const files = await keysOf(objects, organization.id)
    const counted = await sql.begin(async (tx) => {
      await tx`select 1 from organizations where id = ${organization.id} for update`
      const removedRows = await countRows(tx, organization)
      const accounts = async () =>
        (await tx<{ count: number }[]>`select count(*) as count from accounts`)[0]?.count ?? 0
      const before = await accounts()
      // The service leaves points to a job of the night; a proof wants them gone now.
      for (const table of await tenantTables(tx))
        if (table.key === "organization_number")
          await tx.unsafe(`delete from "${table.name}" where ${ownRows(table, organization)}`)
      await deleteOrganization(tx, organization.id, [deleteOrganizationPositions, releaseMembers])
      return { removedRows, removedAccounts: before - (await accounts()) }
    })
    await objects.removeUnder(organization.id)
    return {
      organization: { id: organization.id, name: organization.name },
      deletedTime: Temporal.Now.instant().toString(),
      version,
      ...counted,
      removedFiles: files.length,
      removedFilesSha256: createHash("sha256").update(files.join("\n")).digest("hex"),
      leftRows: await countRows(sql, organization),
      leftFiles: (await keysOf(objects, organization.id)).length,
    }
  } finally {
    await database.close()
  }
}

async function keysOf(objects: Objects, organizationId: string): Promise<string[]> {
  return (await Array.fromAsync(objects.list(organizationId))).toSorted()
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { confirm: { type: "string" }, proof: { type: "string" } },
    })
    const wanted = positionals[0]
    if (wanted === undefined)
      throw new CommandRefusal(
        'npm run organization:delete -- <id or name> --confirm "<its name>" [--proof <file>]',
      )
    const proof = await deleteWithProof(config, log, wanted, values.confirm ?? "")
    const text = `${JSON.stringify(proof, null, 2)}\n`
    if (values.proof) await writeFile(values.proof, text)
    say(text)
    if (Object.keys(proof.leftRows).length > 0 || proof.leftFiles > 0)
      throw new CommandRefusal(
        "Some rows or files are left because they were written during the deletion. Report the counts of this command to your administrator",
      )
  })
