import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"

const pages = [{ id: "page0", components: [{ id: "proof", component: "photo" }] }]

async function aDelivery({ sql, as }: TestApp) {
  const org = await anOrganization(sql)
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const driver = await aUser(sql, { org, hubs: [hub], role: "field user" })
  const task = await aTask(sql, { org, hub, flow, assignee: [driver] })
  const { url } = (await as(org.owner).expect(200).post(`/task/${task.id}/tracking-link`)).json().data
  return { org, driver, task, path: new URL(url).pathname }
}

test("the page shows no file of another organization, none that is no upload, and none that the writer may not read", async (t) => {
  const server = await testApp(t)
  const { app, sql } = server
  const other = await anOrganization(sql)
  for (const [writer, statuses] of [
    ["driver", [200, 404, 404, 404, 404]],
    ["owner", [200, 200, 404, 404, 404]],
  ] as const) {
    const { path, task, org, driver } = await aDelivery(server)
    const unseen = await aTask(sql, { org, hub: await aHub(sql, { org }) })
    const photoOf = (of: { id: string }) => `${org.id}/2031/05/04/1_${of.id}_0_proof.png`
    const keys = [
      `${other.id}/2031/05/04/1_photo.png`,
      `${org.id}/exports/all.xlsx`,
      `${org.id}/private/a.zip`,
      photoOf(unseen),
      photoOf(task),
    ]
    for (const key of keys) await app.objects.put(key, Buffer.from(key))
    const values = Object.fromEntries(keys.map((key, place) => [`proof_${place}_url`, app.links.plain(key)]))
    await sql`
      update tasks set status = 'DONE', done_time = now(), "values" = ${json(sql, values)},
        updated_by = ${(writer === "driver" ? driver : org.owner).email}
      where id = ${task.id}`
    const shown = await Promise.all(keys.map((_, place) => app.inject({ url: `${path}/files/${place}` })))
    assert.deepEqual(
      shown.map(({ statusCode }) => statusCode),
      statuses,
      writer,
    )
    const bodies = writer === "driver" ? [photoOf(task)] : [photoOf(unseen), photoOf(task)]
    assert.deepEqual(
      shown.slice(0, bodies.length).map(({ body }) => body),
      bodies,
    )
  }
})
