import { addressGroup } from "#core/address-group.ts"
import type { App } from "#core/http/types.ts"
import { codeMakerOf, readCode } from "./code.ts"

/** Codes that did not exist, per address and hour: 2^50 codes cannot be searched at this rate. */
const maxMissesPerHour = 100

/** What a short code of any kind belongs to. Misses of all kinds are counted together. */
export async function lookUpCode<Found>(
  { sql, limiter }: Pick<App, "sql" | "limiter">,
  address: string,
  text: string,
  find: (hash: Buffer) => Promise<Found | undefined>,
): Promise<Found | undefined | "tooMany"> {
  const misses = `tracking-miss:${addressGroup(address)}`
  if (!(await limiter.hasRoom(misses, maxMissesPerHour, 3600))) return "tooMany"
  const code = readCode(text)
  const found = code === undefined ? undefined : await find((await codeMakerOf(sql)).hashOf(code))
  if (found === undefined) await limiter.take(misses, maxMissesPerHour, 3600)
  return found
}
