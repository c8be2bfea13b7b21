/*
 * Lists of tasks at 1,000 and at 1,000,000 tasks of one organization, through the whole route.
 * Run: node bench/tasks.ts [tasks] [part of a name]
 */
import { aUser, type Person } from "#samples/builders.ts"
import { type Bench, medianMilliseconds, printRatio, startBench } from "./load/harness.ts"
import { type SeededTasks, seedTasks, settle } from "./load/seed-tasks.ts"

const large = Number(process.argv[2] ?? 1_000_000)
const only = process.argv[3] ?? ""

const bench = await startBench()
try {
  const few = await seedTasks(bench.sql, 1_000)
  const many = await seedTasks(bench.sql, large)
  await settle(bench.sql)
  await lists(bench, few, many)
} finally {
  await bench.close()
}

async function lists(bench: Bench, few: SeededTasks, many: SeededTasks): Promise<void> {
  const [oneHubFew, oneHubMany] = [await oneHub(bench, few), await oneHub(bench, many)]
  const day = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 19).replace("T", " ")
  const lastPage = (seeded: SeededTasks, back: number) => Math.max(1, Math.ceil(seeded.count / 20) - back)
  type Make = (seeded: SeededTasks) => string
  const cases: [name: string, query: Make, who?: "hub" | "worker"][] = [
    ["unfiltered", () => ""],
    ["by hub", (seeded) => `hubId=${seeded.hubs[3]?.id}`],
    ["by status ONGOING", () => "status=ONGOING"],
    ["by status UNASSIGNED", () => "status=UNASSIGNED"],
    ["by flow", (seeded) => `flow=${seeded.flows[2]?.name}`],
    [
      "by hub, status and flow",
      (seeded) => `hubId=${seeded.hubs[3]?.id}&status=DONE&flowId=${seeded.flows[2]?.id}`,
    ],
    ["by hub, sorted by startTime", (seeded) => `hubId=${seeded.hubs[3]?.id}&sortBy=startTime`],
    ["by status UNASSIGNED, sorted by endTime asc", () => "status=UNASSIGNED&sortBy=endTime&sortOrder=asc"],
    ["by assignee", (seeded) => `assignee=${seeded.workers[4]?.email}`],
    ["by doneBy", (seeded) => `doneBy=${seeded.workers[4]?.email}`],
    ["by created day range (20,000)", () => `timeBy=createdTime&timeFrom=${ago(13.8)}`],
    ["by done day and hub", (seeded) => `timeBy=doneTime&timeFrom=${ago(10)}&hubId=${seeded.hubs[3]?.id}`],
    [
      "by start day, status, sorted by orderIndex",
      () => `timeBy=startTime&timeFrom=${ago(10)}&status=DONE&sortBy=orderIndex`,
    ],
    ["active", () => "active=true"],
    ["isVisit", () => "isVisit=true"],
    ["by routing result", () => "routingResultId=000000000000000000000001"],
    ["by words", () => "q=urgent"],
    ["by created day range, sorted by title", () => `timeBy=createdTime&timeFrom=${ago(13.8)}&sortBy=title`],
    ...["createdTime", "updatedTime", "startTime", "endTime", "doneTime", "orderIndex"].flatMap(
      (field): [string, Make][] => [
        [`sorted by ${field} desc`, () => `sortBy=${field}`],
        [`sorted by ${field} asc`, () => `sortBy=${field}&sortOrder=asc`],
      ],
    ),
    ["page 100", (seeded) => `page=${Math.min(100, lastPage(seeded, 0))}`],
    ["last page", (seeded) => `page=${lastPage(seeded, 0)}`],
    ["the page 99 before the last", (seeded) => `page=${lastPage(seeded, 99)}`],
    ["page 100 of a hub", (seeded) => `page=${seeded === few ? 5 : 100}&hubId=${seeded.hubs[3]?.id}`],
    ["page 100 of status DONE", (seeded) => `page=${Math.min(40, lastPage(seeded, 0))}&status=DONE`],
    ["unfiltered, caller with one hub", () => "", "hub"],
    ["by status, caller with one hub", () => "status=DONE", "hub"],
    ["sorted by startTime, caller with one hub", () => "sortBy=startTime", "hub"],
    ["unfiltered, worker who sees their own", () => "", "worker"],
    ["by status, worker who sees their own", () => "status=ONGOING", "worker"],
    [
      "sorted by orderIndex, worker who sees their own",
      () => "status=ONGOING&sortBy=orderIndex&sortOrder=asc",
      "worker",
    ],
    ["cursor, second page", () => "lazyLoad=1&limit=20"],
  ]
  for (const [name, query, who = "owner"] of cases.filter(([name]) => name.includes(only))) {
    const callers = {
      owner: [few.org.owner, many.org.owner],
      hub: [oneHubFew, oneHubMany],
      worker: [few.workers[3], many.workers[3]],
    }[who] as [Person, Person]
    const totals: number[] = []
    const sides = [few, many].map(async (seeded, index) => {
      const token = await bench.tokenOf(callers[index] as Person)
      const ask = async () => {
        const url = `/api/v3/tasks?${query(seeded).replaceAll(" ", "%20")}`
        const reply = await bench.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
        if (reply.statusCode !== 200) throw new Error(`${name}: ${reply.body}`)
        return reply.json()
      }
      totals[index] = (await ask()).tasks.total
      return ask
    })
    const [askFew, askMany] = await Promise.all(sides)
    if (!askFew || !askMany) continue
    const times = { few: [] as number[], many: [] as number[] }
    for (let round = 0; round < 3; round += 1) {
      times.few.push(await medianMilliseconds(askFew, { rounds: 7, warmUp: 1 }))
      times.many.push(await medianMilliseconds(askMany, { rounds: 7, warmUp: 1 }))
    }
    printRatio({
      name: `${name} (${totals[1]} of ${many.count})`,
      measured: Math.min(...times.many),
      base: Math.min(...times.few),
      unit: "ms",
      atMost: 3,
    })
  }
}

function oneHub(bench: Bench, seeded: SeededTasks): Promise<Person> {
  const hub = seeded.hubs[3]
  return aUser(bench.sql, {
    org: seeded.org,
    hubs: hub ? [hub] : [],
    permissions: ["view/task"],
  })
}
