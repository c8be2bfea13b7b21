import { readFile } from "node:fs/promises"
import { dirname } from "node:path"

/** Files in one process: each takes a process, a server and a database 1.5 s of processor. */
const maxFiles = { together: 8, inTurn: 5, inBrowser: 2 }

/** What a file needs a process of its own for: hooks of its own, other processes, what it replaces for the whole process. */
const needsOwnProcess = [
  /^(before|after|beforeEach|afterEach)\(/m,
  /\bmock\b|globalThis/,
  /startProcess|startWholeServer|child_process|process\.(on|exit|chdir|kill)/,
]

/** What it needs a server and a database of its own for: settings of its own, another time, jobs and events of everybody. */
const needsOwnServer = [
  /testApp\([\w.]*, /,
  /\bclock\b.{0,20}\bmove\b/,
  /runJobs|run-jobs|jobContext|graphile_worker/,
  /createTestDatabase|databaseUrl|createLiveEvents|app\.live|\.listen\(/,
]

/** A browser and a whole server: two files share them, so that the two processes that run at once have the same to do. */
const needsBrowser = /\bopenStage\(/
/** The demo takes a server for itself, and its pages more time than others. */
const needsOwnBrowser = /\bsampleOperation\(/

/** Test files that share a process, with one server for all of them or one after the other. */
export interface TestGroup {
  files: readonly string[]
  isInTurn: boolean
  hasBrowser: boolean
}

/** Test files by the process that runs them. Those of one domain share it; each makes organizations of its own. */
export async function groupTests(files: readonly string[]): Promise<TestGroup[]> {
  const alone: TestGroup[] = []
  const inBrowser: TestGroup[] = []
  const shared = {
    together: new Map<string, string[]>(),
    inTurn: new Map<string, string[]>(),
    inBrowser: new Map<string, string[]>(),
  }
  for (const file of files) {
    const text = await readFile(file, "utf8")
    const fits = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))
    if (needsOwnBrowser.test(text)) {
      inBrowser.push({ files: [file], isInTurn: false, hasBrowser: true })
      continue
    }
    if (needsBrowser.test(text)) {
      shared.inBrowser.set(dirname(file), [...(shared.inBrowser.get(dirname(file)) ?? []), file])
      continue
    }
    if (/^server\/(testing|operate)\//.test(file) || fits(needsOwnProcess)) {
      alone.push({ files: [file], isInTurn: false, hasBrowser: false })
      continue
    }
    const depth = file.startsWith("server/features/") ? 3 : 2
    const domain = file.split("/").slice(0, depth).join("/")
    const byDomain = fits(needsOwnServer) ? shared.inTurn : shared.together
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), file])
  }
  const parts = (kind: keyof typeof shared) =>
    [...shared[kind].values()].flatMap((group) =>
      Array.from({ length: Math.ceil(group.length / maxFiles[kind]) }, (_, part) => ({
        files: group.slice(part * maxFiles[kind], (part + 1) * maxFiles[kind]),
        isInTurn: kind === "inTurn",
        hasBrowser: kind === "inBrowser",
      })),
    )
  // Those that wait for processes and outages take longest and start first.
  return [...alone, ...parts("inTurn"), ...parts("together"), ...inBrowser, ...parts("inBrowser")]
}
