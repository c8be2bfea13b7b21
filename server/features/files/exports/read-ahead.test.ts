import assert from "node:assert/strict"
import { test } from "node:test"
import { createTestDatabase } from "#testing/test-database.ts"
import { readAhead } from "./read-ahead.ts"

test("reading ahead gives every batch once, and lets go of the cursor when its reader stops", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const numbers: number[] = []
  await sql.begin(async (tx) => {
    for await (const rows of readAhead(
      tx<{ n: number }[]>`select n from generate_series(1, 2500) n`.cursor(1000),
    ))
      numbers.push(...rows.map(({ n }) => n))
  })
  assert.deepEqual(
    numbers,
    Array.from({ length: 2500 }, (_, index) => index + 1),
  )
  for (const count of [0, 7, 1000, 1008, 2000]) {
    const batches = await sql.begin((tx) =>
      Array.fromAsync(
        readAhead(tx<{ n: number }[]>`select n from generate_series(1, ${count}::int) n`.cursor(1000)),
      ),
    )
    assert.equal(batches.flat().length, count)
  }
  await sql.begin(async (tx) => {
    for await (const rows of readAhead(
      tx<{ n: number }[]>`select n from generate_series(1, 90000) n`.cursor(100),
    )) {
      assert.equal(rows.length, 100)
      break
    }
    const [one] = await tx<{ one: number }[]>`select 1 as one`
    assert.equal(one?.one, 1)
  })
})
