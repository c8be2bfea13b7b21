import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { testOrganization } from "#testing/test-app.ts"
import { reportScheduleJobs, sendReport } from "./jobs.ts"
import { nextTime } from "./next-time.ts"
import { pageOf } from "./report-page.ts"

const due = reportScheduleJobs.find(({ name }) => name === "insight.due-reports")

test("a report is mailed with its files once for each time, with what its owner may see", async (t) => {
  const { sql, as, jobContext, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, hubs: [hub], permissions: ["view/dashboard", "view/task"] })
  const colleague = await aUser(sql, { org, hubs: [other], permissions: ["view/dashboard", "view/task"] })
  const doneTime = Temporal.Now.instant().subtract({ hours: 24 })
  for (const place of [hub, hub, other])
    await aTask(sql, {
      org,
      hub: place,
      status: "DONE",
      startTime: doneTime,
      doneTime,
      createdTime: doneTime,
    })
  const input = {
    ...{ name: "On time", metrics: "finished,onTimeRate", groupBy: "hub", period: "last90Days" },
    ...{
      every: "day",
      time: "07:00",
      files: ["csv", "pdf", "xlsx"],
      recipients: [colleague.id, org.owner.id],
    },
    page: "/reports?report=onTime",
  }
  const made = (await as(planner).expect(201).post("/report-schedule", input)).json().data
  assert.ok(made.nextTime > new Date().toISOString().slice(0, 10))
  await as(colleague).expect(404).get(`/report-schedules/${made._id}`)
  assert.deepEqual((await as(colleague).expect(200).get("/report-schedules")).json().data, [])
  assert.equal((await as(org.owner).get("/report-schedules")).json().data.length, 1)
  await as(planner)
    .expect(400)
    .post("/report-schedule", { ...input, metrics: "nonsense" })
  const foreign = { ...input, recipients: ["6a01c0ffee5de0b4a7710c05"] }
  assert.equal(
    (await as(planner).expect(400).post("/report-schedule", foreign)).json().failedCode,
    "rpsch-002",
  )

  const at = Temporal.Now.instant().subtract({ minutes: 1 })
  await sql`update report_schedules set next_at = ${at} where organization_id = ${org.id}`
  for (const _twice of [1, 2]) await due?.handle(jobContext(), {})
  const queued = await sql<{ payload: Parameters<typeof sendReport.handle>[1] }[]>`
    select payload from graphile_worker._private_jobs where payload->>'scheduleId' = ${made._id}`
  assert.equal(queued.length, 1, "queued once")
  for (const { payload } of [...queued, ...queued]) await sendReport.handle(jobContext(), payload)
  const mails = await sql<{ recipient: string; subject: string; text: string; attachmentIds: string[] }[]>`
    select recipient, subject, text, attachment_ids from mails where organization_id = ${org.id} order by recipient`
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    [colleague.email, org.owner.email].toSorted(),
    "sent once",
  )
  assert.match(mails[0]?.text ?? "", /\/reports\?report=onTime/)
  const files = await sql<{ name: string; content: Buffer }[]>`
    select name, content from mail_attachments where organization_id = ${org.id} order by name`
  const [csv, pdf, xlsx] = files.map(({ content }) => content)
  assert.match(csv?.toString() ?? "", /Hub,Finished,On-time rate\r?\n[^\n]*,2,1\r?\nTotal,2,1/)
  assert.equal(pdf?.subarray(0, 5).toString(), "%PDF-")
  assert.equal(xlsx?.subarray(0, 2).toString(), "PK")
  const [sent] = (await as(planner).get("/report-schedules")).json().data
  assert.ok(sent.sentTime !== null && sent.nextTime > sent.sentTime)

  await as(org.owner)
    .expect(200)
    .put(`/report-schedule/${made._id}`, { ...input, isActive: false })
  assert.equal((await as(planner).get("/report-schedules")).json().data[0].nextTime, null)
  await as(colleague).expect(404).delete(`/report-schedule/${made._id}`)
  await as(planner).expect(200).delete(`/report-schedule/${made._id}`)
})

test("a schedule without a page leads to the report that has its figures", () => {
  const settings = { every: "day", time: "07:00", files: [], recipients: [], period: "lastWeek" } as const
  const page = (more: { metrics: string; groupBy?: string; person?: string }) =>
    pageOf({ ...settings, files: [], recipients: [], ...more })
  assert.equal(
    page({ metrics: "kilometers,cost", groupBy: "vehicle,day" }),
    "/reports?report=distances&period=lastWeek&groupBy=vehicle&metric=kilometers",
  )
  assert.match(
    page({ metrics: "late", person: "one@example.org" }),
    /report=onTime.*&person=one%40example.org$/,
  )
})

test("the next time is local, also where clocks change and months are short", () => {
  const next = (rhythm: Omit<Parameters<typeof nextTime>[0], "time">, time: string, after: string) =>
    nextTime({ ...rhythm, time }, "Europe/Berlin", Temporal.Instant.from(after)).toString()
  assert.equal(next({ every: "day" }, "07:00", "2031-05-07T05:00:00Z"), "2031-05-08T05:00:00Z")
  assert.equal(next({ every: "day" }, "02:30", "2031-03-29T12:00:00Z"), "2031-03-30T01:30:00Z")
  assert.equal(next({ every: "week", weekday: 1 }, "07:00", "2031-05-07T05:00:00Z"), "2031-05-12T05:00:00Z")
  assert.equal(next({ every: "month", day: 31 }, "07:00", "2031-02-01T00:00:00Z"), "2031-02-28T06:00:00Z")
})
