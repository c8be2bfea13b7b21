/*
 * What planning costs everybody else, and what a change by hand costs: the API's 99th percentile with and without
 * a plan of 1,000 visits being made, and one moved stop against making the plan.
 * Run: node bench/routes.ts [seconds of planning]
 */
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { moveVisits } from "../server/features/planning/routes/adjust/move-visits.ts"
import { makePlan } from "../server/features/planning/routes/plan/make-plan.ts"
import { readRun } from "../server/features/planning/routes/plan/read-run.ts"
import { medianMilliseconds, printRatio, startBench } from "./load/harness.ts"

const seconds = Number(process.argv[2] ?? 25)
const visitCount = 1000
const bench = await startBench()
try {
  const { sql, app } = bench
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const tasks = []
  for (let count = 0; count < 100; count += 1) tasks.push(await aTask(sql, { org, hub, flow }))
  const token = await bench.tokenOf(org.owner)
  let seed = 7
  const draw = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  const body = {
    hubId: hub.id,
    visits: Array.from({ length: visitCount }, (_, index) => ({
      id: `v${index}`,
      name: `Visit ${index}`,
      address: `Street ${index}`,
      coordinate: `${(52 + draw() * 0.4).toFixed(5)},${(4.1 + draw() * 0.5).toFixed(5)}`,
      visitTime: 5,
      capacity: { weight: Math.ceil(draw() * 50) },
    })),
    vehicles: Array.from({ length: 60 }, (_, index) => ({
      id: `van${index}`,
      name: `Van ${index}`,
      speed: 30,
      capacity: { weight: { min: 0, max: 1000 } },
      workingTime: { startTime: "08:00", endTime: "17:00" },
    })),
    configuration: { returnToHub: true },
    seconds,
  }
  // One request in flight: the question is how long somebody waits, not how much the machine can take.
  const reading = { path: tasks.map(({ id }) => `/api/v3/task/${id}`), token, connections: 1, requests: 600 }
  const calm = await bench.load(reading)
  const planning = fetch(`${bench.address}/api/v3/routing`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then((reply) => reply.json() as Promise<{ data: { summary: { routedVisits: number } } }>)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const busy = await bench.load(reading)
  if (calm.refused + busy.refused > 0) throw new Error("a response was not 2xx")
  const start = performance.now()
  const response = await planning
  process.stdout.write(
    `the plan with ${response.data.summary.routedVisits} visits came ${((performance.now() - start) / 1000).toFixed(1)} s after the measurement\n`,
  )
  printRatio({
    name: "others' 99th percentile while a plan of 1,000 visits is made",
    measured: busy.p99Milliseconds,
    base: calm.p99Milliseconds,
    unit: "ms",
    atMost: 2,
  })

  const caller = await app.identify({ headers: { authorization: `Bearer ${token}` } } as never)
  if (!caller) throw new Error("nobody is signed in")
  const { input } = await readRun(sql, caller, body as never, { now: app.clock.now(), hasRoadService: false })
  const { routing } = await makePlan(
    { ...input, seconds: Math.min(seconds, 5) },
    {
      organizationId: caller.organizationId,
      roads: undefined,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  )
  const [from, to] = routing.routing.filter(({ trips }) => trips.length > 3)
  const stop = from?.trips.find((node) => !node.isHub)
  if (!to || !stop) throw new Error("the plan has no stop to move")
  const move = { visitId: stop.visitId, vehicleId: to.vehicleId, position: 1 }
  const moving = await medianMilliseconds(() => moveVisits(input, routing, [move], { roads: undefined }))
  printRatio({
    name: "moving one stop of a plan of 1,000",
    measured: moving,
    // What such a plan is given when nobody says otherwise, see make-plan.ts.
    base: 1000 + 30 * visitCount,
    unit: "ms",
    atMost: 0.001,
  })
} finally {
  await bench.close()
}
