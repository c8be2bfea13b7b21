import { read } from "./checks.ts"
import type { Member } from "./company.ts"
import type { Step } from "./step.ts"
import { must } from "./violation.ts"

interface Row {
  values: Record<string, number | null>
  tasks: Record<string, string>
}

const counts = ["created", "planned", "finished", "onTime", "late"]
const dimensions = ["day", "week", "weekday", "hour", "person", "hub", "flow"]

/** The figures of a report add up to their total, and each is the number of tasks in the list that it leads to. */
export async function checkReports(step: Step): Promise<void> {
  const { world, random, company, model } = step
  const owner = company.members[0] as Member
  for (const name of ["insight.backfill-rollups", "insight.fold-rollups"]) await world.runNamed(name, {})
  const today = world.clock.now().toZonedDateTimeISO("UTC").toPlainDate()
  const range = `from=${today.subtract({ days: 40 })}&until=${today.add({ days: 10 })}`
  const groupBy = random.pick(dimensions)
  const path = `/reports/figures?${range}&metrics=${counts.join()}&groupBy=${groupBy}&limit=1000`
  const { data } = (await read(step, owner, path)).json() as {
    data: { isComplete: boolean; total: Row; rows: Row[] }
  }
  must(data.isComplete, "a report is complete when the queue is empty", path)
  const finished = model.liveTasks().filter(({ status }) => status === "DONE").length
  must(data.total.values.finished === finished, "a report counts what was finished", [
    data.total.values.finished,
    finished,
  ])
  must(data.total.values.created === model.liveTasks().length, "a report counts what was created", [
    data.total.values.created,
    model.liveTasks().length,
  ])
  for (const metric of counts) {
    const sum = data.rows.reduce((sofar, row) => sofar + (row.values[metric] ?? 0), 0)
    must(sum === (data.total.values[metric] ?? 0), "the figures of a report add up to its total", [
      groupBy,
      metric,
      sum,
      data.total.values[metric],
    ])
  }
  for (const row of random.some([data.total, ...data.rows], 3))
    for (const [metric, query] of Object.entries(row.tasks)) {
      const { total } = (await read(step, owner, `/tasks?${query}&limit=1`)).json().tasks as { total: number }
      must(total === (row.values[metric] ?? 0), "a figure of a report is the number of tasks in its list", [
        metric,
        query,
        total,
        row.values,
      ])
    }
}
