import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import pLimit from "p-limit"
import { bugs } from "./bugs.ts"

const folder = import.meta.dirname

/** Runs the command with these arguments in a process that loads a mistake. Returns its exit code. */
export async function runPlanted(
  name: string,
  options: readonly string[],
  write: (line: string) => void,
): Promise<number> {
  const child = spawn(
    process.execPath,
    ["--import", join(folder, "plant-bug.ts"), join(folder, "simulate.ts"), ...options],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        NODE_COMPILE_CACHE: join(folder, "../../../node_modules/.cache/fieldway"),
        ...process.env,
        FIELDWAY_BUG: name,
      },
    },
  )
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)))
  for await (const line of createInterface(child.stdout)) write(line)
  return ended
}

/** Every mistake in turn, with a row for each: what found it, and when. Returns whether all were found. */
export async function findBugs(seed: string, hours: number, write: (line: string) => void): Promise<boolean> {
  const limit = pLimit(availableParallelism())
  let found = 0
  await Promise.all(
    bugs.map(({ name }) =>
      limit(async () => {
        const lines: string[] = []
        const started = performance.now()
        const options = ["--seed", seed, "--hours", String(hours), "--bug", name]
        const code = await runPlanted(name, options, (line) => lines.push(line))
        const step = /^seed .*?, step (\d+): /.exec(lines[0] ?? "")?.[1] ?? ""
        const rule = /: failed, (.*)$/.exec(lines.at(-1) ?? "")?.[1]
        // A run that broke down by itself found nothing.
        const isFound = code === 1 && rule !== undefined && !rule.startsWith("unexpected: ")
        if (isFound) found += 1
        write(
          `| \`${name}\` | ${isFound ? rule : `not found: ${lines.at(-1) ?? `exit code ${code}`}`} | ${step} | ${Math.round((performance.now() - started) / 1000)} s |`,
        )
      }),
    ),
  )
  write(`seed ${seed}: ${found} of ${bugs.length} mistakes found`)
  return found === bugs.length
}
