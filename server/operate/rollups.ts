import { parseArgs } from "node:util"
import { verifyRollups } from "#features/insight/rollups/index.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { findByIdOrName } from "./find-organization.ts"
import { openDatabase } from "./open-database.ts"

const usage = `usage: npm run rollups -- --verify [--organization <id or name>]
       npm run rollups -- --repair [--organization <id or name>]`

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({
      args,
      options: {
        verify: { type: "boolean" },
        repair: { type: "boolean" },
        organization: { type: "string" },
        help: { type: "boolean" },
      },
    })
    if (values.help || (!values.verify && !values.repair)) throw new CommandRefusal(usage)
    const repair = values.repair ?? false
    const database = await openDatabase(config, log)
    try {
      const { sql } = database
      const organizations = values.organization
        ? [await findByIdOrName(sql, values.organization)]
        : await sql<{ id: string; name: string }[]>`select id, name from organizations order by id`
      let wrong = 0
      for (const { id, name } of organizations) {
        const { hours, differences } = await verifyRollups(sql, id, { now: Temporal.Now.instant(), repair })
        const [first] = differences
        const found = first
          ? `${differences.length} ${differences.length === 1 ? "difference" : "differences"}, the first in ${first.facet} by ${first.grain} at ${first.at}${repair ? ": counted again" : ""}`
          : "match the tasks, ratings and sessions"
        say(`${id} ${name}: ${hours} hours, ${found}`)
        if (first) wrong += 1
      }
      if (wrong > 0 && !repair)
        throw new CommandRefusal(
          `${wrong} of ${organizations.length} organizations have wrong numbers. Run with --repair`,
        )
    } finally {
      await database.close()
    }
  })
