import assert from "node:assert/strict"
import { test } from "node:test"
import { aPage, enterAs, openStage } from "../stage.ts"

const people = 5_200
/** As many as the dispatch screen lists. */
const peopleOfDay = 200

// It takes 20 s: main-job.test.ts has a small fleet.
if (process.env.FIELDWAY_LONG)
  test(
    "the live map of a large fleet asks for what is in view, and finds, follows and lists people",
    findInFleet,
  )

async function findInFleet(): Promise<void> {
  const stage = await openStage()
  const { sql, owner } = stage
  const session = await sql.reserve()
  await session.unsafe("set session_replication_role = replica")
  await session`
    insert into users (organization_id, id, account_id, email, name, role_id, status)
    select organization_id, lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, '0'), 'p' || n || '@example.com', 'Driver ' || n, role_id, status
    from users, generate_series(1, ${people}::int) n where users.email = ${owner.email}`
  await session`
    insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time, batch_size,
      recorded_at, received_at, lat, lng, speed, bearing)
    select o.number, u.number, u.organization_id, u.id, u.email, 0, 1, now(), now(), 45 + (u.number::bigint * 7919 % 10000) / 2000.0,
      5 + (u.number::bigint * 104729 % 10000) / 1000.0, 30, 90
    from users u join organizations o on o.id = u.organization_id where u.name like 'Driver %'`
  await session.unsafe("reset session_replication_role; analyze users; analyze person_positions")
  session.release()
  const { context, page, troubles } = await aPage(stage)
  await enterAs(context, stage, owner)
  const asked: URL[] = []
  const streams: URL[] = []
  page.on("request", (request) => {
    const url = new URL(request.url())
    if (url.pathname.startsWith("/api/v3/positions")) asked.push(url)
    if (url.pathname === "/api/v3/events") streams.push(url)
  })
  await page.goto(`${stage.address}/tracking`)
  await page.locator(".map[data-ready=true]").waitFor()
  await page.getByText(new RegExp(`${people.toLocaleString("en")} of .* on the map`)).waitFor()
  await page.getByText("Zoom in to list the people on the map").waitFor()

  const name = `Driver ${people - 7}`
  await page.getByRole("textbox", { name: "Name" }).fill(name)
  await page.getByRole("list", { name: "People" }).getByRole("button", { name }).click()
  await page.getByRole("region", { name }).getByText("Last seen").waitFor()
  await page.getByRole("textbox", { name: "Name" }).fill("")
  const rows = page.getByRole("list", { name: "People" }).getByRole("listitem")
  await rows.first().waitFor()
  assert.ok(Number(await rows.first().getAttribute("aria-setsize")) < people / 4)

  const [mover] = await sql<{ userId: string; number: number }[]>`
    update person_positions newest set lat = newest.lat + 0.0001, speed = 61, recorded_at = now() + interval '1 second',
      xid = pg_current_xact_id()
    from users where users.number = newest.person_number and users.name = ${name} returning newest.user_id, users.number`
  assert.ok(mover)
  await page.getByRole("region", { name }).getByText("61 km/h").waitFor()
  assert.ok(streams.at(-1)?.searchParams.has("bbox") && streams.at(-1)?.searchParams.has("userId"))

  await sql`
    update users set role_id = roles.id from roles
    where users.name like 'Driver %' and roles.organization_id = users.organization_id and roles.name = 'field user'`
  const ofDesk = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === "/api/v3/events" && searchParams.get("userId")?.split(",").length === peopleOfDay
  })
  await page.goto(`${stage.address}/dispatch`)
  await ofDesk
  const ofEverybody = asked.filter(
    ({ pathname, search }) => pathname === "/api/v3/positions" && search === "",
  )
  assert.deepEqual([ofEverybody, troubles], [[], []])
  await context.close()
}
