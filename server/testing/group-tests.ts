import { readFile } from "node:fs/promises"

/** Files in one process: each takes a process, a server and a database 1.5 s of processor. */
const maxFiles = { together: 14, inTurn: 8, inBrowser: 2 }

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

/** Test files by the process that runs them. Those that share one make organizations of their own. */
export async function groupTests(files: readonly string[]): Promise<TestGroup[]> {
  const alone: TestGroup[] = []
  const ownBrowser: TestGroup[] = []
  const shared: Record<keyof typeof maxFiles, string[]> = { together: [], inTurn: [], inBrowser: [] }
  for (const file of files) {
    const text = await readFile(file, "utf8")
    const fits = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))
    if (needsOwnBrowser.test(text)) ownBrowser.push({ files: [file], isInTurn: false, hasBrowser: true })
    else if (needsBrowser.test(text)) shared.inBrowser.push(file)
    else if (/^server\/(testing|operate)\//.test(file) || fits(needsOwnProcess))
      alone.push({ files: [file], isInTurn: false, hasBrowser: false })
    else shared[fits(needsOwnServer) ? "inTurn" : "together"].push(file)
  }
  const parts = (kind: keyof typeof maxFiles) =>
    Array.from({ length: Math.ceil(shared[kind].length / maxFiles[kind]) }, (_, part) => ({
      files: shared[kind].slice(part * maxFiles[kind], (part + 1) * maxFiles[kind]),
      isInTurn: kind === "inTurn",
      hasBrowser: kind === "inBrowser",
    }))
  // Those that wait for processes and outages take longest and start first.
  return [...alone, ...parts("inTurn"), ...parts("together"), ...ownBrowser, ...parts("inBrowser")]
}
