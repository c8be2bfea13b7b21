import assert from "node:assert/strict"
import { test } from "node:test"
import { isPlanFact, type PlanWarning, planWarning, planWarnings, readPlanWarning } from "./plan-warnings.ts"

test("every warning is read back from its text, with the values in it", () => {
  for (const key of Object.keys(planWarnings) as PlanWarning[]) {
    const names = [...planWarnings[key].matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
    const values = Object.fromEntries(names.map((name, index) => [name, `${index + 1}.5,7; 8 (9)`]))
    assert.deepEqual(readPlanWarning(planWarning(key, values)), { key, values })
  }
  assert.equal(readPlanWarning("Something else"), undefined)
  assert.equal(isPlanFact("Road times, map of 2026-01-01, at your own speeds"), true)
  assert.equal(isPlanFact("Great-circle distances: the plan has more than 3000 places"), false)
})
