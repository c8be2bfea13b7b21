import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { type NotedBlock, verifyAuditTrail } from "#core/audit-trail/verify-chain.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { findByIdOrName } from "./find-organization.ts"
import { openDatabase } from "./open-database.ts"

const usage = `usage: npm run audit:verify [-- --organization <id or name>] [--earlier <file with earlier output>]`

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({
      args,
      options: { organization: { type: "string" }, earlier: { type: "string" } },
    })
    if (args.includes("--help")) throw new CommandRefusal(usage)
    const noted =
      values.earlier === undefined
        ? new Map<string, NotedBlock>()
        : readNoted(await readFile(values.earlier, "utf8"))
    const database = await openDatabase(config, log)
    try {
      const { sql } = database
      const organizations = values.organization
        ? [await findByIdOrName(sql, values.organization)]
        : await sql<{ id: string; name: string }[]>`select id, name from organizations order by id`
      let broken = 0
      for (const { id, name } of organizations) {
        const { rows, blocks, head, broken: first } = await verifyAuditTrail(sql, id, noted.get(id))
        if (first) {
          broken += 1
          const what = first.key === undefined ? "" : `, entry ${first.key}`
          say(`${id} ${name}: BROKEN at block ${first.block}${what}: ${first.reason}`)
        } else if (head) {
          say(`${id} ${name}: ${rows} entries in ${blocks} blocks, up to block ${head.number} ${head.hash}`)
        } else say(`${id} ${name}: nothing is sealed yet`)
      }
      if (broken > 0) throw new CommandRefusal(`${broken} of ${organizations.length} audit trails are broken`)
    } finally {
      await database.close()
    }
  })

/** The last block of each organization in output of this command; of several, the last one. */
function readNoted(output: string): Map<string, NotedBlock> {
  const lines = output.matchAll(/^([0-9a-f]{24}) .* up to block (\d+) ([0-9a-f]{64})$/gm)
  return new Map([...lines].map(([, id = "", number, hash = ""]) => [id, { number: Number(number), hash }]))
}
