/**
 * `npm run simulate -- --seed N --days D [--hours H] [--bug NAME] [--steps 3,17,40] [--bugs]`: simulated working days of a
 * small company against the real service, compared with a plain model. Ends with one line and code 0, or 1 where
 * something did not hold. `--steps` takes only these steps of the seed; `--bug` plants one of the mistakes of `bugs.ts`.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { bugs } from "./bugs.ts"
import { deliveryDay } from "./delivery-day/day.ts"
import { linesOf } from "./delivery-day/report.ts"
import { simulate } from "./run.ts"
import { shrink } from "./shrink.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string" },
    hours: { type: "string" },
    bug: { type: "string" },
    bugs: { type: "boolean", default: false },
    steps: { type: "string" },
    shrink: { type: "string", default: "20" },
    deliveries: { type: "boolean", default: false },
    visits: { type: "string", default: "600" },
    vehicles: { type: "string", default: "40" },
    orders: { type: "string", default: "60" },
    cancellations: { type: "string", default: "20" },
    breakdowns: { type: "string", default: "3" },
    map: { type: "string" },
    seconds: { type: "string" },
    reserve: { type: "string", default: "60" },
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

if (values.deliveries) await runDeliveries()
else if (values.bugs) for (const { name, file } of bugs) write(`${name}  ${file}`)
else if (values.bug !== undefined && process.env.FIELDWAY_BUG === undefined) runWithBug(values.bug)
else await run()

/** The same command again, in a process that loads the mistake. */
function runWithBug(name: string): void {
  if (!bugs.some((bug) => bug.name === name)) refuse(`There is no bug ${name}. --bugs lists them`)
  const child = spawnSync(
    process.execPath,
    ["--import", join(import.meta.dirname, "plant-bug.ts"), import.meta.filename, ...process.argv.slice(2)],
    { stdio: "inherit", env: { ...process.env, FIELDWAY_BUG: name } },
  )
  process.exitCode = child.status ?? 1
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
  const order = { seed: values.seed, hours, ...(steps ? { only: steps } : {}) }
  const outcome = await simulate(order)
  const { failure } = outcome
  if (failure) {
    write(`seed ${order.seed}, step ${failure.step}: ${failure.message}`)
    const small = await shrink(order, outcome, Number(values.shrink))
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
