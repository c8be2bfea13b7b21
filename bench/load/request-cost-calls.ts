import { aDataType, aFlow, aRecord, aTask, aUser, type Person } from "#samples/builders.ts"
import { aDeviceKey } from "#samples/location-builders.ts"
import { bareTables, insertPointsText, insertTasksText, updateTaskText } from "./bare-writes.ts"
import type { Bench } from "./harness.ts"
import { seedTasks, settle } from "./seed-tasks.ts"

export interface Call {
  name: string
  requests: number
  request: {
    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
    headers: Record<string, string>
    /** Sent in turn, each once where a call changes what it names. */
    paths: readonly string[]
    /** JSON texts that are sent in turn. */
    bodies?: readonly string[]
  }
  /** One statement that reads or writes the same rows. `number` counts the calls. */
  bare(number: number): { text: string; values: unknown[] }
}

const api = "/api/v3"
const inputs = ["siteName", "phone", "street", "postcode", "city", "floor", "notes", "contact"]

/** Seeds an organization and returns the calls, in the order in which they are made. */
export async function prepareCalls(bench: Bench, taskCount: number): Promise<Call[]> {
  const { sql, tokenOf } = bench
  const { org, hubs, workers } = await seedTasks(sql, taskCount)
  const [hub, worker] = [hubs[0], workers[0]]
  if (!hub || !worker) throw new Error("the organization has no hub or worker")
  const pages = [
    {
      id: "page0",
      title: "Order",
      components: inputs.map((id) => ({
        id,
        component: "input",
        type: "String",
        title: id,
        required: id === "siteName",
      })),
    },
  ]
  const flow = await aFlow(sql, { org, pages })
  const type = await aDataType(sql, { org })
  const records = await Promise.all(
    Array.from({ length: 500 }, async (_unused, index) => {
      const { id } = await aRecord(sql, { org, type, hub, values: { note: `Note ${index}` } })
      return id
    }),
  )
  const phones = await Promise.all(
    Array.from({ length: 50 }, () => aUser(sql, { org, role: "field user", hubs: [hub] })),
  )
  const keys = await Promise.all(phones.map((person) => aDeviceKey(sql, { org, person })))
  const fresh = (count: number, assignee: Person[]) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await aTask(sql, { org, hub, flow, assignee })
        return id
      }),
    )
  const [changed, assigned, done, deleted] = [
    await fresh(2_000, [worker]),
    await fresh(1_000, []),
    await fresh(1_500, [worker]),
    await fresh(1_000, []),
  ]
  await settle(sql)
  const session = await sql.reserve()
  await session.unsafe(bareTables)
  session.release()

  const headers = { authorization: `Bearer ${await tokenOf(org.owner)}` }
  const asWorker = { authorization: `Bearer ${await tokenOf(worker)}` }
  const organization = org.id
  const [{ number = 0 } = {}] = await sql<
    { number: number }[]
  >`select number from organizations where id = ${org.id}`
  const order = (index: number) => ({
    flow: flow.name,
    hubId: hub.id,
    refId: `order-${index}`,
    ...Object.fromEntries(inputs.map((id) => [id, `${id} ${index}`])),
  })
  const many = <T>(count: number, of: (index: number) => T) =>
    Array.from({ length: count }, (_unused, index) => of(index))
  const read = (
    name: string,
    path: string | string[],
    text: string,
    values: unknown[] = [],
    more: Partial<Call["request"]> = {},
  ): Call => ({
    name: `GET ${name}`,
    requests: 1_500,
    request: { headers, paths: [path].flat().map((each) => `${api}${each}`), ...more },
    bare: () => ({ text, values: [organization, ...values] }),
  })
  const write = (
    name: string,
    requests: number,
    paths: string[],
    bodies: unknown[],
    bare: Call["bare"],
    more: Partial<Call["request"]> = {},
  ): Call => {
    const [method] = name.split(" ")
    return {
      name,
      requests,
      request: {
        method: method as "POST",
        headers,
        paths: paths.map((path) => `${api}${path}`),
        ...(bodies.length > 0 ? { bodies: bodies.map((body) => JSON.stringify(body)) } : {}),
        ...more,
      },
      bare,
    }
  }
  const columns =
    'id, hub_id, flow_id, flow, status, title, content, label, assignee, assigned_by, assigned_time, start_time, end_time, created_time, updated_time, created_by, created_from, done_by, done_time, order_index, ref_id, parent_id, lng, lat, "values", attributes'
  const tasks = `select ${columns} from tasks where organization_id = $1`
  const newest = "order by created_time desc, id desc limit 20"
  const text = JSON.stringify(order(0))
  const insertTask = (count: number) => (index: number) => ({
    text: insertTasksText(count),
    values: [organization, `new-${count}-${index}`, hub.id, flow.id, flow.name, text],
  })
  const updateTask = (index: number) => ({
    text: updateTaskText,
    values: [
      organization,
      changed[index % changed.length],
      '{"siteName":"Changed"}',
      `h-${performance.now()}`,
    ],
  })
  const start = Date.now() - 7_200_000
  const time = (index: number) => new Date(start + index * 1_000)
  const position = (index: number) => ({
    email: phones[index % phones.length]?.email,
    lat: 48 + index / 100_000,
    lon: 11,
    createdTime: time(index).toISOString().replace("Z", "+00:00"),
  })
  let second = start / 1_000
  const insertPoints = (count: number) => () => {
    second += 1
    return { text: insertPointsText(count), values: [number, second] }
  }
  return [
    read("/tasks?limit=20", "/tasks?limit=20", `${tasks} ${newest}`),
    read("/tasks by status", "/tasks?status=DONE&limit=20", `${tasks} and status = 'DONE' ${newest}`),
    read(
      "/tasks by hub and status",
      `/tasks?hubId=${hub.id}&status=ONGOING&limit=20`,
      `${tasks} and hub_id = $2 and status = 'ONGOING' ${newest}`,
      [hub.id],
    ),
    read(
      "/tasks of a day",
      `/tasks?timeBy=startTime&timeFrom=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}%2000:00:00&limit=20`,
      `${tasks} and start_time > now() - interval '1 day' ${newest}`,
    ),
    read(
      "/tasks of a phone",
      "/tasks?status=ONGOING&limit=20",
      `${tasks} and assignee && $2 and status = 'ONGOING' ${newest}`,
      [[worker.email]],
      { headers: asWorker },
    ),
    read(
      "/tasks by words",
      "/tasks?q=harbour%2019&limit=20",
      `${tasks} and title ilike '%harbour%' ${newest}`,
    ),
    read(
      "/task/{id}",
      changed.map((id) => `/task/${id}`),
      `${tasks} and id = $2`,
      [changed[7]],
    ),
    write("POST /task", 900, ["/task"], many(1_500, order), insertTask(1)),
    write(
      "PATCH /task/{id}",
      900,
      changed.map((id) => `/task/${id}`),
      [],
      updateTask,
      { method: "PATCH", bodies: many(1, () => JSON.stringify({ siteName: "Changed" })) },
    ),
    write(
      "PUT /task/{id}/assign",
      600,
      assigned.map((id) => `/task/${id}/assign`),
      [],
      updateTask,
      { method: "PUT", bodies: many(1, () => JSON.stringify({ assignee: [worker.email] })) },
    ),
    write(
      "PATCH /task/{id} to DONE",
      900,
      done.map((id) => `/task/${id}`),
      [],
      updateTask,
      { method: "PATCH", headers: asWorker, bodies: many(1, () => JSON.stringify({ status: "DONE" })) },
    ),
    write(
      "DELETE /task/{id}",
      600,
      deleted.map((id) => `/task/${id}`),
      [],
      (index) => ({
        text: "delete from bare.tasks where organization_id = $1 and id = $2",
        values: [organization, deleted[index]],
      }),
      { method: "DELETE" },
    ),
    write(
      "PUT /tasks/upsert",
      600,
      ["/tasks/upsert"],
      many(1_000, (index) => ({ ...order(index), siteName: "Again" })),
      updateTask,
    ),
    write("POST /tasks/bulk (100)", 30, ["/tasks/bulk"], [{ tasks: many(100, order) }], insertTask(100)),
    read("/hubs", "/hubs", "select * from hubs where organization_id = $1 order by name limit 20"),
    read("/hub/{id}", `/hub/${hub.id}`, "select * from hubs where organization_id = $1 and id = $2", [
      hub.id,
    ]),
    read("/flows", "/flows", "select * from flows where organization_id = $1 order by order_index limit 20"),
    read("/flow/{id}", `/flow/${flow.id}`, "select * from flows where organization_id = $1 and id = $2", [
      flow.id,
    ]),
    read("/users", "/users", "select * from users where organization_id = $1 order by name limit 20"),
    read("/user", "/user", "select * from users where organization_id = $1 and id = $2", [org.owner.id]),
    read("/roles", "/roles", "select * from roles where organization_id = $1 limit 20"),
    read(
      "/data",
      `/data?dataTypeId=${type.id}&limit=20`,
      "select * from data_records where organization_id = $1 and data_type_id = $2 order by created_time desc, id desc limit 20",
      [type.id],
    ),
    read(
      "/data/{id}",
      records.map((id) => `/data/${id}`),
      "select * from data_records where organization_id = $1 and id = $2",
      [records[3]],
    ),
    write(
      "POST /data",
      600,
      ["/data"],
      many(1_500, (index) => ({ dataTypeId: type.id, hubId: hub.id, dataId: `new-${index}`, note: "n" })),
      (index) => ({
        text: 'insert into bare.data_records (organization_id, id, data_type_id, hub_id, data_id, "values", created_time, updated_time) values ($1, $2, $3, $4, $2, $5, now(), now())',
        values: [organization, `n-${index}`, type.id, hub.id, '{"note":"n"}'],
      }),
    ),
    read("/vehicles", "/vehicles", "select * from vehicles where organization_id = $1 limit 20"),
    read(
      "/data-version",
      `/data-version?key=tasks_${hub.id}`,
      "select max(updated_time) from hubs where organization_id = $1",
    ),
    read(
      "/events/feed",
      "/events/feed?limit=20",
      "select * from domain_events where organization_id = $1 order by xid, number limit 20",
    ),
    write("POST /location-history", 3_000, ["/location-history"], many(4_000, position), insertPoints(1)),
    write(
      "POST /location-history/bulk (100)",
      60,
      ["/location-history/bulk"],
      many(80, (batch) => ({
        location_histories: many(100, (index) => ({
          ...position(batch * 100 + index),
          email: phones[batch % 50]?.email,
        })),
      })),
      insertPoints(100),
    ),
    read("/positions", "/positions", "select * from person_positions where organization_id = $1"),
    read(
      "/location-histories",
      `/location-histories?email=${phones[0]?.email}&limit=20`,
      "select * from location_points where organization_number = $2 and $1 <> '' order by recorded_at desc limit 20",
      [number],
    ),
    write(
      "POST /device/owntracks",
      1_500,
      ["/device/owntracks"],
      many(2_000, (index) => ({
        _type: "location",
        lat: 48.2,
        lon: 11 + index / 100_000,
        tst: Math.floor(time(index * 3).getTime() / 1_000),
        vel: 72,
        acc: 5,
        batt: 77,
        tid: "ab",
      })),
      insertPoints(1),
      {
        headers: { authorization: `Basic ${Buffer.from(`phone:${keys[1]?.key}`).toString("base64")}` },
      },
    ),
    write(
      "POST /device/osmand",
      1_500,
      many(
        2_000,
        (index) =>
          `/device/osmand?key=${keys[index % 50]?.key}&lat=48.3&lon=${11 + index / 100_000}&timestamp=${time(index).getTime() + 500}&speed=20&accuracy=5&batt=77`,
      ),
      [],
      insertPoints(1),
      { method: "POST", headers: {} },
    ),
    write(
      "POST /device/overland (10)",
      300,
      ["/device/overland"],
      many(500, (batch) => ({
        locations: many(10, (index) => ({
          type: "Feature",
          geometry: { type: "Point", coordinates: [11 + batch / 1_000, 48.4] },
          properties: {
            timestamp: time(batch * 10 + index).toISOString(),
            speed: 20,
            horizontal_accuracy: 5,
            battery_level: 0.77,
          },
        })),
      })),
      insertPoints(10),
      { headers: { authorization: `Bearer ${keys[2]?.key}` } },
    ),
  ]
}
