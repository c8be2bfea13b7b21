import assert from "node:assert/strict"
import { test } from "node:test"
import { aUser, type Person } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { recorderOf } from "./recorder.ts"
import { fingerprintOf, type NewPoint } from "./store-points.ts"

const minutesAgo = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("Z", "+00:00")

test("positions of many phones that arrive together share commits, and a refused one costs no other", async (t) => {
  const first = await testOrganization(t)
  const second = await testOrganization(t)
  const phones = await Promise.all(
    [first, second].flatMap(({ sql, org, as }) =>
      Array.from({ length: 30 }, async () => ({
        as: as(await aUser(sql, { org, role: "field user" })),
      })),
    ),
  )
  const replies = await Promise.all(
    phones.flatMap(({ as }, index) => {
      const point = { lat: 10 + index / 100, lon: 20, createdTime: minutesAgo(5) }
      // The second one is a copy, the third one is refused.
      return [point, point, { ...point, lat: 200 }].map((body) => as.post("/location-history", body))
    }),
  )
  assert.deepEqual(
    replies.map(({ statusCode }) => statusCode),
    phones.flatMap(() => [201, 201, 400]),
  )
  for (const { sql, org } of [first, second]) {
    const [stored] = await sql<{ points: number; commits: number; people: number }[]>`
      select count(*) as points, count(distinct xmin::text) as commits, count(distinct person_number) as people
      from location_points where organization_number = (select number from organizations where id = ${org.id})`
    assert.deepEqual([stored?.points, stored?.people], [30, 30])
    assert.ok((stored?.commits ?? 30) <= 15, `${stored?.commits} commits`)
  }
})

test("points that the database refuses are refused alone, though they share a statement", async (t) => {
  const { app, sql, org } = await testOrganization(t)
  const people = await Promise.all(Array.from({ length: 5 }, () => aUser(sql, { org, role: "field user" })))
  const numbers = await sql<{ id: string; number: number; organizationNumber: number }[]>`
    select users.id, users.number, organizations.number as organization_number from users
    join organizations on organizations.id = users.organization_id where organization_id = ${org.id}`
  const organizationNumber = numbers[0]?.organizationNumber ?? 0
  const pointOf = ({ id, email }: Person, index: number): NewPoint => ({
    person: { number: numbers.find((row) => row.id === id)?.number ?? 0, userId: id, email },
    ...{ recordedAt: Date.now() - 60_000, lat: index, lng: 5, fingerprint: fingerprintOf("test", index, 5) },
    ...{ createdBy: null, distance: null, duration: null, accuracy: null, altitude: null, bearing: null },
    ...{
      battery: null,
      charging: null,
      source: null,
      event: null,
      taskId: null,
      attributes: null,
      extra: null,
    },
    // More than the column holds.
    ...{ speed: index === 2 ? 1e300 : 50, distanceToDestination: null },
  })
  const tenant = { organizationId: org.id, organizationNumber }
  const outcomes = await Promise.allSettled(
    people.map((person, index) =>
      recorderOf(app.sql).record(tenant, [pointOf(person, index + 1)], Date.now()),
    ),
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"],
  )
  const [stored] = await sql<{ points: number }[]>`
    select count(*) as points from location_points where organization_number = ${organizationNumber}`
  assert.equal(stored?.points, 4)
})
