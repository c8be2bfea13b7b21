import { readFile } from "node:fs/promises"

const maxFiles = 8

/**
 * What a file needs a process, a server and a database of its own for: hooks and settings of its own, another time, jobs
 * and events of everybody, other processes, what it replaces for the whole process.
 */
const needsOwnProcess = [
  /^(before|after|beforeEach|afterEach)\(/m,
  /testApp\([\w.]*, /,
  /\bclock\b.{0,20}\bmove\b|\bmock\b|globalThis/,
  /runJobs|run-jobs|jobContext|graphile_worker/,
  /createTestDatabase|databaseUrl|createLiveEvents|app\.live/,
  /startProcess|startWholeServer|child_process|process\.(env|on|exit|chdir|kill)|\.listen\(/,
]

/**
 * Test files by the process that runs them. Starting one with a server and a database takes 1.5 s of processor, so files
 * of one domain share it, as the tests of a file do: each makes organizations of its own.
 */
export async function groupTests(files: readonly string[]): Promise<string[][]> {
  const alone: string[][] = []
  const byDomain = new Map<string, string[]>()
  for (const file of files) {
    const text = await readFile(file, "utf8")
    const isAlone =
      /^(console\/tests|server\/(testing|operate))\//.test(file) ||
      needsOwnProcess.some((pattern) => pattern.test(text))
    const domain = file
      .split("/")
      .slice(0, file.startsWith("server/features/") ? 3 : 2)
      .join("/")
    if (isAlone) alone.push([file])
    else byDomain.set(domain, [...(byDomain.get(domain) ?? []), file])
  }
  const shared = [...byDomain.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxFiles) }, (_, part) =>
      group.slice(part * maxFiles, (part + 1) * maxFiles),
    ),
  )
  // Those that wait for processes and outages take longest and start first.
  return [...alone, ...shared]
}
