import assert from "node:assert/strict"
import type { Organization } from "#samples/builders.ts"
import type { TestApp } from "#testing/test-app.ts"
import { generateScheduledTasks } from "./jobs.ts"

/*
 * What the tests of runs share. The tests of one file have one clock, which they only move forward: each
 * takes place in a year of its own, and schedules of earlier tests have ended by then.
 */
export const at = Temporal.Instant.from

export function tick({ jobContext }: TestApp): Promise<void> {
  return Promise.resolve(generateScheduledTasks.handle(jobContext(), {}))
}

export interface MadeTask {
  startTime: string
  endTime: string
  createdFrom: string
  status: string
  [key: string]: unknown
}

export async function tasksOf({ as }: TestApp, org: Organization): Promise<MadeTask[]> {
  const reply = await as(org.owner).get("/tasks?sortBy=startTime&sortOrder=asc&limit=1000")
  return reply.json().tasks.data
}

export async function startsOf(server: TestApp, org: Organization): Promise<string[]> {
  return (await tasksOf(server, org)).map((task) => task.startTime.slice(0, 16).replace("T", " "))
}

export async function runsOf({ as }: TestApp, org: Organization, scheduleId: string) {
  const reply = await as(org.owner).get(`/task/schedule/${scheduleId}/runs`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json().runs.data as {
    occurrence: string | null
    status: string
    message: string[]
    taskId: string | null
    failedCode?: string
  }[]
}

export function yearOf(year: number, times: readonly string[], more: Record<string, unknown> = {}) {
  const schedules = [{ time: times }]
  return { periode: "daily", startTime: `${year}-01-01`, endTime: `${year}-12-31`, schedules, ...more }
}
