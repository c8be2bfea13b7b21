import assert from "node:assert/strict"
import { test } from "node:test"
import { systemCaller } from "#core/access/system-caller.ts"
import type { Pool } from "#core/database/database.ts"
import { aDataType, aHub, anOrganization, type Organization } from "#samples/builders.ts"
import { createTestDatabase } from "#testing/test-database.ts"
import { depotFields } from "../fixtures/depots.ts"
import { countByRange } from "./count-range.ts"
import type { FieldFilter } from "./dynamic-filter.ts"
import { indexNotedRecords } from "./index-records.ts"

type Type = Awaited<ReturnType<typeof aDataType>>
type Range = { gte?: number; lte?: number; equals?: number[] }

/** Records with the values 0 to 11, three of each, in either hub and in none. */
async function addRecords(sql: Pool, org: Organization, type: Type, hubs: readonly string[]): Promise<void> {
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, created_time, updated_time)
    select ${org.id}, left(md5(${type.id} || n), 24), ${type.id}, (${[...hubs, null]}::text[])[1 + n / 3 % 3], 'N' || n, '{}',
      jsonb_build_object('crates', n / 3, 'contractEnd', 5), now(), now()
    from generate_series(0, 35) n`
}

test("the number of records in a range is that of a plain count, for each caller and hub, whatever is indexed", async (t) => {
  const { sql, drop } = await createTestDatabase()
  t.after(drop)
  const [org, stranger] = [await anOrganization(sql), await anOrganization(sql)]
  const [one, two] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const options = { fields: depotFields }
  const [type, other] = [await aDataType(sql, { org, ...options }), await aDataType(sql, { org, ...options })]
  const foreign = await aDataType(sql, { org: stranger, ...options })
  await addRecords(sql, org, type, [one.id, two.id])
  await addRecords(sql, org, other, [one.id, two.id])
  await addRecords(sql, stranger, foreign, [])
  const ranges: Range[] = [
    ...[1, 2, 4.5, 5, 9, 11].flatMap((bound) => [{ gte: bound }, { lte: bound }]),
    { gte: 4, lte: 4 },
    { gte: 3, lte: 8 },
    { gte: 8, lte: 3 },
    { gte: -1, lte: 99 },
    { equals: [7] },
    { equals: [7, 7, 9, 99] },
  ]
  const check = async (state: string) => {
    const records = await sql<{ hubId: string | null; value: number }[]>`
      select hub_id, (ordered->>'crates')::float8 as value from data_records where data_type_id = ${type.id}`
    for (const range of ranges)
      for (const hubs of ["all" as const, [], [one.id], [two.id, one.id]])
        for (const hubId of [undefined, ...(hubs === "all" ? [one.id] : hubs)]) {
          const { gte = -Infinity, lte = Infinity, equals } = range
          const expected = records.filter(
            (record) =>
              record.value >= gte &&
              record.value <= lte &&
              (equals?.includes(record.value) ?? true) &&
              (hubId === undefined || record.hubId === hubId) &&
              (hubs === "all" || hubs.some((id) => id === record.hubId) || record.hubId === null),
          )
          const caller = { ...systemCaller(org.id, { email: "", name: "" }), hubs }
          const counted = await countByRange(sql, caller, type, hubId, filtersOf(range))
          assert.equal(counted, expected.length, `${state} ${JSON.stringify({ range, hubs, hubId })}`)
        }
  }
  await check("noted")
  // Buckets of two or three values, so that few records make many.
  const index = async (id: string) => {
    while (await indexNotedRecords(sql, id, { fresh: 8, full: 10 }));
  }
  await index(stranger.id)
  await index(org.id)
  await check("indexed")
  await sql`
    update data_records set hub_id = ${two.id}, ordered = '{"crates":4}', data_id = data_id || '+'
    where organization_id = ${org.id} and data_type_id = ${type.id} and (ordered->>'crates')::float8 in (3, 8)`
  await sql`
    delete from data_records where organization_id = ${org.id} and data_type_id = ${type.id} and (ordered->>'crates')::float8 in (0, 7)`
  await check("changed since")
  await index(org.id)
  await check("indexed again")
  const caller = systemCaller(org.id, { email: "", name: "" })
  const unordered = [[], filtersOf({ equals: [4], gte: 1 }), filtersOf({ gte: 1, equals: [4] })]
  for (const filters of unordered)
    assert.equal(await countByRange(sql, caller, type, undefined, filters), undefined)
})

function filtersOf(range: Range): FieldFilter[] {
  const field = { id: "crates" } as FieldFilter["field"]
  return Object.entries(range).map(([operator, value]) => ({
    ...{ field, operator: operator as FieldFilter["operator"] },
    values: [value].flat(),
  }))
}
