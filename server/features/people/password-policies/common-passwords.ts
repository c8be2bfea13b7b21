import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { lazy } from "#core/owned-state.ts"

const commonPasswords = lazy(load)

/**
 * Whether a password is among the 49,233 most common ones, in any spelling of upper and lower case, and with or without
 * symbols around it. The list is read at the first password that somebody chooses; of it stay 64 bits of a hash for each,
 * 400 kB in all.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const known = await commonPasswords()
  const lower = password.normalize("NFKC").toLowerCase().trim()
  return [lower, withoutSymbolsAround(lower)].some((text) => text !== "" && has(known, fingerprint(text)))
}

async function load(): Promise<BigUint64Array> {
  const place = new URL("../src/passwords.json", import.meta.resolve("@zxcvbn-ts/language-common"))
  const list: unknown = JSON.parse(await readFile(place, "utf8"))
  if (!Array.isArray(list)) throw new Error("the list of common passwords is not a list")
  return BigUint64Array.from(list, (text) => fingerprint(String(text).toLowerCase())).sort()
}

function fingerprint(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigUInt64LE()
}

function has(sorted: BigUint64Array, wanted: bigint): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0n) < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted
}

function withoutSymbolsAround(text: string): string {
  const characters = [...text]
  const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)
  const first = characters.findIndex(isWord)
  return first < 0 ? "" : characters.slice(first, characters.findLastIndex(isWord) + 1).join("")
}

const shortestWord = 4
const leastRest = 6

/** Whether little is left of a password without words about the person, such as name, e-mail and organization. */
export function isAboutPerson(password: string, about: readonly string[]): boolean {
  const words = about
    .flatMap((text) =>
      text
        .normalize("NFKC")
        .toLowerCase()
        .split(/[^\p{L}\p{N}]/u),
    )
    .filter((word) => [...word].length >= shortestWord)
    .toSorted((one, other) => other.length - one.length)
  const lower = password.normalize("NFKC").toLowerCase()
  let rest = lower
  for (const word of words) rest = rest.replaceAll(word, "")
  return rest !== lower && [...rest.replace(/[^\p{L}\p{N}]/gu, "")].length < leastRest
}
