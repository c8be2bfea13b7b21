import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import { createObjects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { readDescription } from "./isolation/description.ts"
import {
  digestStatement,
  makeThrowAway,
  removeThrowAway,
  secretsOf,
  type ThrowAway,
} from "./isolation/throw-away.ts"
import { type Pair, tryCall, type Verdict } from "./isolation/try-calls.ts"
import { tryEvents, tryFile } from "./isolation/try-events-and-files.ts"
import { openDatabase } from "./open-database.ts"

/**
 * Makes two organizations on a running installation, tries every call of its description as a member of one with
 * the ids of the other, and removes both. Real tenants are not touched, and no mail leaves.
 */
export async function checkIsolation(config: Config, log: Log, address: string): Promise<Verdict[]> {
  const calls = await readDescription(address)
  const database = await openDatabase(config, log)
  const objects = await createObjects(config)
  const made: ThrowAway[] = []
  try {
    const { sql } = database
    const make = async (word: "intruder" | "victim") => {
      const org = await makeThrowAway(sql, word)
      made.push(org)
      return org
    }
    const [intruder, victim] = [await make("intruder"), await make("victim")]
    const verdicts: Verdict[] = []
    const statement = await digestStatement(sql, victim)
    const [first] = await sql.unsafe<{ digest: string }[]>(statement)
    const secrets = await secretsOf(sql, victim)
    const pair: Pair = { intruder, victim, secrets, digest: first?.digest ?? "", digestStatement: statement }
    for (const call of calls) verdicts.push(await tryCall(sql, address, call, pair))
    verdicts.push(await tryFile(sql, address, config, objects, intruder, victim))
    verdicts.push(await tryEvents(sql, address, intruder, victim))
    return verdicts
  } finally {
    for (const org of made) await removeThrowAway(database.sql, objects, org)
    await database.close()
  }
}

/** The table that people read. */
export function showVerdicts(verdicts: readonly Verdict[]): string {
  const width = (pick: (verdict: Verdict) => string) => Math.max(...verdicts.map((each) => pick(each).length))
  const [calls, tries] = [width((each) => each.call), width((each) => each.tried)]
  const lines = verdicts.map(
    ({ call, tried, status, isIsolated, note }) =>
      `${isIsolated ? "ok  " : "LEAK"}  ${call.padEnd(calls)}  ${tried.padEnd(tries)}  ${status ?? "   "}  ${note}`,
  )
  const leaks = verdicts.filter(({ isIsolated }) => !isIsolated).length
  return [...lines, "", `${verdicts.length} calls, ${leaks} not isolated`].join("\n")
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({ args, options: { url: { type: "string" }, json: { type: "boolean" } } })
    const address = trimEndOf(values.url ?? `http://${config.host}:${config.port}`, "/")
    const verdicts = await checkIsolation(config, log, address)
    say(values.json ? JSON.stringify(verdicts, null, 2) : showVerdicts(verdicts))
    if (verdicts.some(({ isIsolated }) => !isIsolated))
      throw new CommandRefusal(
        "One organization can read or change another. Take the service offline and report it",
      )
  })
