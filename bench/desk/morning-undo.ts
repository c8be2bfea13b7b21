import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Stage } from "../../console/tests/stage.ts"
import type { Company } from "./company.ts"
import type { Effort, Hand } from "./hand.ts"

interface TaskState {
  _id: string
  title: string
  status: string
  assignee: string[]
  orderIndex: number | null
  startTime: string
  endTime: string
}

/** What the morning changes of tasks, by id. */
export async function stateOf({ owner }: Company): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { tasks } = await owner.call<{ tasks: { data: TaskState[] } }>(
      "GET",
      `/tasks?limit=200&page=${page}&sortBy=createdTime`,
    )
    for (const { _id, title, status, assignee, orderIndex, startTime, endTime } of tasks.data)
      if (title !== "Urgent order")
        states.set(_id, JSON.stringify({ status, assignee, orderIndex, startTime, endTime }))
    if (tasks.data.length < 200) return states
  }
}

/** Undoes the newest action again and again, by key, and compares the tasks with those before. */
export async function undoEverything(
  hand: Hand,
  company: Company,
  before: ReadonlyMap<string, string>,
  since: Date,
  report: (title: string, jobs: Record<string, Effort>) => void,
): Promise<void> {
  const { page } = hand
  const open = async () =>
    (
      await company.owner.call<{ data: { isUndoable: boolean; time: string; operation: string }[] }>(
        "GET",
        "/actions?limit=100",
      )
    ).data.filter(
      ({ isUndoable, time, operation }) =>
        isUndoable && new Date(time) >= since && operation !== "undoAction" && operation !== "createTask",
    )
  const undone = page.getByText(/changes? undone/)
  const count = (await open()).length
  await page.keyboard.press("Escape")
  const effort = await hand.job(async () => {
    for (let at = 0; at < count; at += 1) {
      const answered = page.waitForResponse((response) => response.url().includes("/undo"))
      await hand.press("Control+z")
      const response = await answered
      const { data } = (await response.json()) as { data?: { leftAlone: unknown[] } }
      if (data?.leftAlone.length !== 0)
        process.stdout.write(`undo: ${response.status()} ${JSON.stringify(data).slice(0, 1_000)}\n`)
    }
    await undone.last().waitFor()
  })
  report("undone", { [`Ctrl+Z for each of ${count} actions`]: effort })
  const after = await stateOf(company)
  const different = [...before].filter(([id, state]) => after.get(id) !== state)
  process.stdout.write(
    `tasks as before: ${before.size - different.length} of ${before.size}${different
      .slice(0, 3)
      .map(([id, state]) => `\n  ${state}\n  ${after.get(id)}`)
      .join("")}\n`,
  )
}

/** The entries of the morning, as the page shows them and as the command verifies them. */
export async function checkAudit(
  hand: Hand,
  { environment }: Stage,
  { owner }: Company,
  since: Date,
): Promise<void> {
  const { page } = hand
  await page.goto(new URL("/settings/audit", page.url()).href)
  await page.getByRole("row").nth(1).waitFor()
  const { data } = await owner.call<{ data: { data: { time: string; operation: string; via: string }[] } }>(
    "GET",
    "/audit-log?lazyLoad=1&limit=200",
  )
  const counts = new Map<string, number>()
  for (const { time, operation, via } of data.data)
    if (new Date(time) >= since) {
      const key = `${operation} (${via})`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  process.stdout.write(`audit log: ${[...counts].map(([name, count]) => `${name} ${count}`).join(", ")}\n`)
  const verify = new URL("../../server/operate/audit-verify.ts", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [verify], {
    env: { ...process.env, ...environment },
  })
  process.stdout.write(`audit:verify: ${stdout}`)
}
