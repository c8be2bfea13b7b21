import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
}

/** Licences that a product under Apache-2.0 may carry along. A package with a choice needs one of these. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "MIT License",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
  "WTFPL",
  "Zlib",
  "PostgreSQL",
])

/** Used while building or testing: their licence binds who changes them. A font under the OFL may be served along. */
const allowedForBuilding = new Set([...allowed, "MPL-2.0", "OFL-1.1"])
/** What builds the console on a production host, and fonts: used as published. */
const usedAsPublished = /^(lightningcss|@fontsource(-variable)?)\b/

/** Packages whose manifest names no licence, with that of their LICENSE file. */
const named: Record<string, string> = { "png-js": "MIT" }

async function lockedPackages(): Promise<[string, LockedPackage][]> {
  const lock = JSON.parse(await readFile(new URL("../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(lock.packages).filter(([path, { link }]) => path.includes("node_modules/") && !link)
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

/** Names every package whose licence may not come along. Reads the lock file, hence works without a network. */
export async function checkLicences(): Promise<string | undefined> {
  const problems = (await lockedPackages()).flatMap(([path, { license, dev }]) => {
    const name = nameOf(path)
    const stated = license ?? named[name]
    const fits = dev || usedAsPublished.test(name) ? allowedForBuilding : allowed
    const choices = (stated ?? "").replace(/[()]/g, "").split(/ OR /)
    const isFine = choices.some((choice) => choice.split(/ AND /).every((part) => fits.has(part.trim())))
    return isFine ? [] : [`${name}: ${stated ?? "no licence named"}`]
  })
  return problems.length > 0 ? `licences to look at: ${[...new Set(problems)].join("; ")}` : undefined
}

/**
 * Known weaknesses in what is shipped, high ones and worse, as the registry knows them. Without a network there is
 * nothing to compare with, and the check says so instead of failing.
 */
export async function checkAdvisories(): Promise<string | undefined> {
  const result = spawnSync("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], {
    cwd: new URL("../", import.meta.url),
    encoding: "utf8",
    timeout: 30_000,
  })
  try {
    const report = JSON.parse(result.stdout) as {
      vulnerabilities?: Record<string, { severity: string; via: unknown[] }>
      error?: { summary?: string }
    }
    if (!report.vulnerabilities) throw new Error(report.error?.summary ?? "no response")
    const grave = Object.entries(report.vulnerabilities).filter(([, { severity }]) =>
      /high|critical/.test(severity),
    )
    return grave.length > 0
      ? grave.map(([name, { severity }]) => `${name}: ${severity}`).join("\n")
      : undefined
  } catch (error) {
    process.stdout.write(`       advisories could not be asked for (${String(error).slice(0, 120)})\n`)
    return undefined
  }
}
