import { readFile } from "node:fs/promises"

/** Files in one process: each takes a process, a server and a database 1.5 s of processor. */
const maxFiles = { together: 8, inTurn: 5 }

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

/** Test files that share a process, with one server for all of them or one after the other. */
export interface TestGroup {
  files: readonly string[]
  isInTurn: boolean
}

/** Test files by the process that runs them. Those of one domain share it; each makes organizations of its own. */
export async function groupTests(files: readonly string[]): Promise<TestGroup[]> {
  const alone: TestGroup[] = []
  const shared = { together: new Map<string, string[]>(), inTurn: new Map<string, string[]>() }
  for (const file of files) {
    const text = await readFile(file, "utf8")
    const fits = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))
    if (/^(console\/tests|server\/(testing|operate))\//.test(file) || fits(needsOwnProcess)) {
      alone.push({ files: [file], isInTurn: false })
      continue
    }
    const depth = file.startsWith("server/features/") ? 3 : 2
    const domain = file.split("/").slice(0, depth).join("/")
    const byDomain = fits(needsOwnServer) ? shared.inTurn : shared.together
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), file])
  }
  const parts = (kind: "together" | "inTurn") =>
    [...shared[kind].values()].flatMap((group) =>
      Array.from({ length: Math.ceil(group.length / maxFiles[kind]) }, (_, part) => ({
        files: group.slice(part * maxFiles[kind], (part + 1) * maxFiles[kind]),
        isInTurn: kind === "inTurn",
      })),
    )
  // Those that wait for processes and outages take longest and start first.
  return [...alone, ...parts("inTurn"), ...parts("together")]
}
