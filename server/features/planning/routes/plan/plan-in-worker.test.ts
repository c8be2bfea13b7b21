import assert from "node:assert/strict"
import { test } from "node:test"
import { planRoutes, UnplannableError } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { aDayOfSixty } from "../../../../../packages/route-optimizer/problem/example-problems.ts"
import type { PlanProblem } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { PlanJob, PlanProgress } from "./plan-in-worker.ts"
import { planInWorker } from "./plan-in-worker.ts"

const organizationId = "5ad9f1c0e4b0a1b2c3d4e5f6"

function job(problem: PlanProblem, rounds: number): PlanJob {
  return {
    kind: "routes",
    seed: 5,
    budget: { rounds },
    request: {
      problem,
      points: [],
      autoSplit: "none",
      autoMerge: false,
      clustering: "none",
      dayStart: "last visit",
    },
  }
}

test("a thread plans what the same seed plans here", async () => {
  const sixty = job(aDayOfSixty(), 500)
  const outcome = await planInWorker(sixty, { organizationId })
  assert.ok(outcome.kind === "routes" && sixty.kind === "routes")
  assert.deepEqual(outcome.planned.plan, planRoutes(sixty.request, sixty).plan)
})

test("a cancelled run reports on its way and keeps its best plan", async () => {
  const stop = new AbortController()
  const reports: PlanProgress[] = []
  const outcome = await planInWorker(job(aDayOfSixty(), 1e12), {
    organizationId,
    signal: stop.signal,
    onProgress: (progress) => {
      reports.push(progress)
      if (reports.length === 2) stop.abort()
    },
  })
  assert.ok(outcome.kind === "routes")
  assert.equal(outcome.planned.evaluation.dropped, 0)
  assert.deepEqual(reports[0]?.plan?.dropped, [])
  assert.ok((reports[1]?.cost ?? Number.POSITIVE_INFINITY) <= (reports[0]?.cost ?? 0))
})

test("a run that is cancelled before it starts still gives a whole plan", async () => {
  const outcome = await planInWorker(job(aDayOfSixty(), 1e12), {
    organizationId,
    signal: AbortSignal.abort(),
  })
  assert.ok(outcome.kind === "routes")
  assert.equal(outcome.planned.evaluation.dropped, 0)
})

test("a problem that makes no sense is refused across the thread", async () => {
  await assert.rejects(
    planInWorker(job({ ...aDayOfSixty(), vehicles: [] }, 10), { organizationId }),
    UnplannableError,
  )
})
