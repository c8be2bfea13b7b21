/**
 * `npm run simulate -- --seed N --days D [--hours H] [--bug NAME] [--steps 3,17,40] [--bugs [--run]]`: simulated working
 * days of a small company against the real service, compared with a plain model. Ends with one line and code 0, or 1 where
 * something did not hold. `--steps` takes only these steps of the seed; `--bug` plants one of the mistakes of `bugs.ts`.
 */
import { parseArgs } from "node:util"
import { serverVariable, startTestServer } from "../test-database.ts"
import { bugs } from "./bugs.ts"
import { deliveryDay } from "./delivery-day/day.ts"
import { linesOf } from "./delivery-day/report.ts"
import { simulate } from "./run.ts"
import { findBugs, runPlanted } from "./run-bugs.ts"
import { shrink } from "./shrink.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string" },
    hours: { type: "string" },
    bug: { type: "string" },
    bugs: { type: "boolean", default: false },
    run: { type: "boolean", default: false },
    steps: { type: "string" },
    shrink: { type: "string" },
    deliveries: { type: "boolean", default: false },
    visits: { type: "string", default: "600" },
    vehicles: { type: "string", default: "40" },
    orders: { type: "string", default: "60" },
    cancellations: { type: "string", default: "20" },
    breakdowns: { type: "string", default: "3" },
    map: { type: "string" },
    seconds: { type: "string" },
    reserve: { type: "string", default: "150" },
  },
})

const write = (line: string) => process.stdout.write(`${line}\n`)

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

/** Steps in the report of a failure. */
const shownSteps = 40

const hours = Number(values.hours ?? Number(values.days ?? "1") * 24)
if (!(hours > 0)) refuse("--days and --hours must be numbers above 0")

const isPlanted = process.env.FIELDWAY_BUG !== undefined
if (values.bugs && !values.run) for (const { name, file } of bugs) write(`${name}  ${file}`)
else if (values.deliveries) await withServer(runDeliveries)
else if (values.bugs)
  await withServer(async () => {
    if (!(await findBugs(values.seed, hours, write))) process.exitCode = 1
  })
else if (values.bug !== undefined && !isPlanted) {
  const { bug } = values
  if (!bugs.some(({ name }) => name === bug)) refuse(`There is no bug ${bug}. --bugs lists them`)
  process.exitCode = await runPlanted(bug, process.argv.slice(2), write)
} else await withServer(run)

/** All runs of this command share one PostgreSQL. */
async function withServer(work: () => Promise<void>): Promise<void> {
  if (process.env[serverVariable] !== undefined) return work()
  const server = await startTestServer()
  process.env[serverVariable] = server.url
  try {
    await work()
  } finally {
    await server.stop()
  }
}

/** A day of planned routes that adapt: what was promised, what changed, and how far people drove. */
async function runDeliveries(): Promise<void> {
  const { seed, visits, vehicles, orders, cancellations, breakdowns, map, seconds, reserve } = values
  const report = await deliveryDay({
    ...{ seed, map, visits: Number(visits), vehicles: Number(vehicles), newOrders: Number(orders) },
    ...{ cancellations: Number(cancellations), breakdowns: Number(breakdowns), reserve: Number(reserve) },
    ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
  })
  for (const line of linesOf(report)) write(line)
}

async function run(): Promise<void> {
  const steps = values.steps === undefined ? undefined : new Set(values.steps.split(",").map(Number))
  const order = { seed: values.seed, hours, ...(steps ? { only: steps, checkEachStep: true } : {}) }
  const outcome = await simulate(order)
  const { failure } = outcome
  if (failure) {
    write(`seed ${order.seed}, step ${failure.step}: ${failure.message}`)
    // Somebody who plants a mistake knows its place.
    const small = await shrink(order, outcome, Number(values.shrink ?? (isPlanted ? "0" : "20")))
    write(
      `with fewer steps: npm run simulate -- --seed ${order.seed} --hours ${hours} --steps ${small.steps.join(",")}`,
    )
    const { log } = small.outcome
    if (log.length > shownSteps) write(`  … ${log.length - shownSteps} steps before`)
    for (const line of log.slice(-shownSteps)) write(`  ${line}`)
    write(`  ${small.outcome.failure?.message ?? ""}`)
    process.exitCode = 1
  }
  write(
    `seed ${order.seed}: ${outcome.taken.length} steps, ${outcome.operations} operations, ${outcome.faults} faults, ${outcome.checks} checks: ${failure ? `failed, ${failure.rule}` : "everything holds"}`,
  )
}
