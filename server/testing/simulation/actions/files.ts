import { read, type WireTask } from "../checks.ts"
import { hoursOfSchedule, type Member } from "../company.ts"
import { type Action, aPlanner, during, type Step } from "../step.ts"
import { must } from "../violation.ts"

/** A file that a planner uploads: its valid rows become tasks, each once, whatever fails while it is worked on. */
const importTasks: Action = {
  name: "import tasks from a spreadsheet, some rows of which are invalid",
  weight: during(6, 18, 3),
  async run(step) {
    const { random, world, company, model, index } = step
    const { planner, hubId } = aPlanner(step)
    const rows = Array.from({ length: random.integer(1, 12) }, (_, place) => ({
      isValid: random.chance(0.8),
      refId: `row-${index}-${place}`,
      phone: null,
      siteName: `Imported ${index}.${place}`,
      boxes: random.integer(0, 9),
    }))
    const content = `ID;Site;Boxes\n${rows.map(({ refId, siteName, boxes, isValid }) => `${refId};${siteName};${isValid ? boxes : "many"}`).join("\n")}\n`
    const { id: flowId } = company.flow
    const upload = await world.ask(random, planner, (calls) =>
      calls.upload("/data/import", {
        file: { filename: "orders.csv", content },
        type: "task",
        flowId,
        hubId,
      }),
    )
    must(upload.statusCode === 200, "a spreadsheet can be uploaded", upload.body.slice(0, 300))
    await world.runQueue(random, 0.4)
    for (const { refId, siteName, boxes, isValid } of rows) {
      const found = await tasksOfRef(step, refId)
      must(found.length === (isValid ? 1 : 0), "each valid row of an import becomes one task", [
        refId,
        isValid,
        found.length,
        upload.json().data,
      ])
      const [task] = found
      if (!task) continue
      model.add({
        ...{
          id: task._id,
          hubId,
          status: "UNASSIGNED",
          assignee: [],
          siteName,
          boxes,
          city: null,
          note: null,
        },
        ...{ refId, phone: null, startTime: String(task.startTime), isDeleted: false },
      })
    }
  },
}

async function tasksOfRef(step: Step, refId: string): Promise<WireTask[]> {
  const reply = await read(step, step.company.members[0] as Member, `/tasks?refId=${refId}`)
  return reply.json().tasks.data
}

export const fileActions: readonly Action[] = [importTasks]

/** Tasks that the schedule has made since the last look: one for each of its times, which the model now has too. */
export async function adoptScheduled(step: Step): Promise<void> {
  const { world, model, company, random } = step
  await world.runNamed("task-schedules.generate", {})
  await world.runQueue(random)
  const reply = await read(step, company.members[0] as Member, "/tasks?q=Patrol&limit=1000")
  const found = reply.json().tasks.data as WireTask[]
  for (const task of found) {
    if (model.tasks.has(task._id)) continue
    model.add({
      ...{
        id: task._id,
        hubId: task.hubId,
        status: "UNASSIGNED",
        assignee: [],
        siteName: "Patrol",
        boxes: null,
      },
      ...{
        city: null,
        note: null,
        phone: null,
        refId: null,
        startTime: String(task.startTime),
        isDeleted: false,
      },
    })
    model.scheduled.add(task._id)
  }
  const dueBy = (time: Temporal.Instant) => timesBetween(company.scheduledFrom, time)
  const due = dueBy(world.clock.now())
  const dueBefore = model.latestTime ? dueBy(model.latestTime) : due
  const made = model.scheduled.size
  must(due <= made && made <= Math.max(due, dueBefore), "a schedule makes one task at each of its times", [
    made,
    due,
    dueBefore,
  ])
}

function timesBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  let count = 0
  for (
    let time = from.round({ smallestUnit: "hour", roundingMode: "ceil" });
    Temporal.Instant.compare(time, to) <= 0;
    time = time.add({ hours: 1 })
  ) {
    const isAfter = Temporal.Instant.compare(time, from) > 0
    if (isAfter && hoursOfSchedule.includes(time.toZonedDateTimeISO("UTC").hour)) count += 1
  }
  return count
}
