import assert from "node:assert/strict"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { findTravel } from "./travel.ts"

/** A road service and a geocoder of ours, as mean as the test wants them. */
let roadResponse: (request: URL, reply: ServerResponse) => void = () => undefined
const asked: URL[] = []
const service = createServer((request: IncomingMessage, reply: ServerResponse) => {
  const url = new URL(request.url ?? "/", "http://service.test")
  asked.push(url)
  reply.setHeader("content-type", "application/json")
  if (url.pathname === "/search") {
    const isKnown = url.searchParams.get("q") === "Dam 1"
    reply.end(JSON.stringify(isKnown ? [{ lat: "52.37", lon: "4.89", display_name: "Dam" }] : []))
  } else roadResponse(url, reply)
}).listen(0)
await new Promise((resolve) => service.once("listening", resolve))
after(() => service.close())
const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`

/** Every way takes 500 m and 100 s, except where `cell` says otherwise. */
function table(cell: (row: number, column: number) => unknown = () => 500) {
  return (url: URL, reply: ServerResponse) => {
    const count = (name: string) => url.searchParams.get(name)?.split(";").length ?? 0
    const rows = (value: (row: number, column: number) => unknown) =>
      Array.from({ length: count("sources") }, (_, row) =>
        Array.from({ length: count("destinations") }, (_, column) => value(row, column)),
      )
    reply.end(JSON.stringify({ code: "Ok", distances: rows(cell), durations: rows(() => 100) }))
  }
}

const start = () => testApp(undefined, { ROUTING_URL: address, GEOCODER_URL: address })

test("a road service gives distances and times, and is not asked twice for what it said", async () => {
  const { sql, as } = await start()
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 10, lng: 10 })
  const plan = async (avoidToll: boolean) => {
    const reply = await as(org.owner)
      .expect(200)
      .post("/routing", {
        hubId: hub.id,
        visits: ["10.01,10", "10.02,10"].map((coordinate, index) => ({
          id: `v${index}`,
          name: "V",
          address: "A",
          coordinate,
        })),
        vehicles: [{ id: "1", name: "Van" }],
        configuration: { autoSpeed: true, avoidToll },
      })
    return reply.json().data
  }
  roadResponse = table()
  const { result, warnings } = await plan(false)
  const [, first] = result.routing[0].trips
  assert.deepEqual(
    [first.distance, first.travelTime, result.routing[0].speed, warnings],
    [500, 2, "auto", undefined],
  )
  const before = asked.length
  await plan(false)
  assert.equal(asked.length, before)
  roadResponse = (url, reply) =>
    url.searchParams.has("exclude")
      ? reply.end(JSON.stringify({ code: "InvalidValue" }))
      : table()(url, reply)
  assert.deepEqual((await plan(true)).warnings, [
    "avoidToll has no effect: the road service does not offer it",
  ])
})

test("where the road service fails or finds no route, great-circle distances are used and counted in a warning", async () => {
  const { sql, as } = await start()
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 20, lng: 20 })
  let place = 0
  const plan = async () => {
    place++
    const reply = await as(org.owner)
      .expect(200)
      .post("/routing", {
        hubId: hub.id,
        visits: [1, 2].map((index) => ({
          id: `v${index}`,
          name: "V",
          address: "A",
          coordinate: `20.0${index},20.${place}`,
        })),
        vehicles: [{ id: "1", name: "Van" }],
        seconds: 0,
      })
    const { data } = reply.json()
    assert.equal(data.summary.routedVisits, 2)
    return data.warnings[0] as string
  }
  roadResponse = (_url, reply) => reply.end("<html>")
  assert.match(await plan(), /^Great-circle distances are used for 6 of 6 legs, .*failed/)
  roadResponse = table(() => -5)
  assert.match(await plan(), /6 of 6 legs, .*invalid distance or time/)
  roadResponse = (_url, reply) => reply.destroy()
  assert.match(await plan(), /6 of 6 legs, .*failed/)
  roadResponse = table((row, column) => (row < column ? null : 700))
  assert.match(await plan(), /3 of 6 legs, .*found no route/)
})

test("a road service that is slow is not waited for, one response or all of them, and the result says so", async () => {
  const settings = { autoSpeed: true, avoidToll: false, defaultSpeed: 36 }
  const { signal } = new AbortController()
  const waiting: ServerResponse[] = []
  after(() => {
    for (const reply of waiting) reply.destroy()
  })
  roadResponse = (_url, reply) => waiting.push(reply)
  const places = (count: number, lng: number): [number, number][] =>
    Array.from({ length: count }, (_, index) => [lng, 40 + index / 1000])
  const hung = await findTravel(places(3, 40), settings, address, signal, {
    timeoutMilliseconds: 30,
    planMilliseconds: 60_000,
  })
  assert.match(
    hung.warnings[0] ?? "",
    /^Great-circle distances are used for 6 of 6 legs, .*it failed: .*timeout/,
  )
  assert.equal(
    hung.matrices?.distances.every((meters, at) => at % 4 === 0 || meters > 0),
    true,
  )
  // Each response in time, but all of them not: what came is used.
  let responses = 0
  roadResponse = (url, reply) => {
    if (++responses <= 2) table()(url, reply)
    else waiting.push(reply)
  }
  const part = await findTravel(places(120, 41), settings, address, signal, {
    timeoutMilliseconds: 60_000,
    planMilliseconds: 300,
  })
  const ways = 120 * 119
  const known = Number(/for (\d+) of/.exec(part.warnings[0] ?? "")?.[1])
  assert.match(part.warnings[0] ?? "", /it took more than 0.3 s/)
  assert.ok(known > 0 && known < ways, part.warnings.join(" "))
})

test("the profile of the plan goes to the road service, whose lines are drawn, or straight ones in their place", async () => {
  const { sql, as } = await start()
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 50, lng: 50 })
  roadResponse = table()
  const before = asked.length
  const { _id } = (
    await as(org.owner).post("/routing", {
      hubId: hub.id,
      visits: [{ id: "v", name: "V", address: "A", coordinate: "50.01,50" }],
      vehicles: [{ id: "1", name: "Bike" }],
      configuration: { roadProfile: "cycling" },
    })
  ).json().data
  assert.ok(asked.slice(before).every(({ pathname }) => pathname.startsWith("/table/v1/cycling/")))
  const lines = async () => (await as(org.owner).get(`/result/${_id}/lines`)).json()
  const coordinates = [
    [50, 50],
    [50.005, 50.002],
    [50, 50.01],
  ]
  roadResponse = (url, reply) => {
    assert.match(url.pathname, /^\/route\/v1\/cycling\/50,50;50,50.01$/)
    reply.end(JSON.stringify({ code: "Ok", routes: [{ geometry: { coordinates } }] }))
  }
  assert.deepEqual(await lines(), {
    status: true,
    data: [{ vehicleId: "1", isRoad: true, coordinates }],
    warnings: [],
  })
  roadResponse = (_url, reply) => reply.end('{"code":"Ok","routes":[{"geometry":{"coordinates":[["x"]]}}]}')
  const straight = await lines()
  assert.deepEqual(straight.data[0], {
    vehicleId: "1",
    isRoad: false,
    coordinates: [
      [50, 50],
      [50, 50.01],
    ],
  })
  assert.match(straight.warnings[0], /^Straight lines for 1 vehicles: .*without a line/)
})

test("addresses become positions, each by itself", async () => {
  const { sql, as } = await start()
  const org = await anOrganization(sql)
  const geocode = async (body: object) => (await as(org.owner).post("/geocode", body)).json()
  const found = await geocode({ address: ["Dam 1", "Nowhere 9"] })
  assert.deepEqual(
    [found.success, found.totalSuccess, found.totalFailed, found.data],
    [true, 1, 1, [{ address: "Dam 1", coordinate: [52.37, 4.89], engine: "nominatim" }]],
  )
  assert.equal(found.failed[0].failedCode, "route-041")
  const far = await geocode({ address: ["Dam 1"], hubCoordinate: "10,10", radius: 1000 })
  assert.deepEqual([far.success, far.failed[0].message], [false, "The match is too far from the hub"])
})

test("an order chosen by hand gets new times, and somebody on the way gets an order", async () => {
  const app = await start()
  const { sql, as } = app
  roadResponse = table()
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org, lat: 30, lng: 30 })
  const trips = [
    { visitId: `hub-${hub.id}`, isHub: true, coordinate: "30,30", visitTime: 0 },
    {
      visitId: "a",
      coordinate: "30.01,30",
      visitTime: 10,
      timeWindow: { startTime: "09:00", endTime: null },
      travelTime: null,
    },
    { visitId: "b", coordinate: "30.02,30", visitTime: 5, distance: null },
  ]
  const reply = await as(org.owner)
    .expect(200)
    .post("/route-calculate", {
      trips,
      speed: 30,
      workingTime: { startTime: "08:00", endTime: "17:00" },
    })
  assert.deepEqual(
    reply
      .json()
      .trips.map(({ order, eta, etd, distance, travelTime, waitingTime }: Record<string, unknown>) => [
        order,
        eta,
        etd,
        distance,
        travelTime,
        waitingTime,
      ]),
    [
      [0, "08:00:00", "08:59:00", 0, 0, 59],
      [1, "09:00:00", "09:10:00", 500, 1, 0],
      [2, "09:11:00", "09:16:00", 500, 1, 0],
    ],
  )
  roadResponse = (_url, response) => response.destroy()
  const driver = await aUser(sql, { org, hubs: [hub], permissions: ["do/task", "task/reorder", "view/task"] })
  const tasks = [
    await aTask(sql, { org, hub, assignee: [driver] }),
    await aTask(sql, { org, hub, assignee: [driver] }),
  ]
  const ordered = await as(driver)
    .expect(200)
    .post("/reorder-visits", {
      currentCoordinate: "31,31",
      visits: [...tasks, { id: "f".repeat(24) }].map(({ id }, index) => ({
        id: `taskId-${id}`,
        name: "V",
        address: "A",
        coordinate: `31.0${5 - index},31`,
        visitTime: "5",
      })),
    })
  const { data } = ordered.json()
  assert.deepEqual(
    data.map(({ _id, status }: { _id: string; status: boolean }) => [_id, status]),
    [
      ["f".repeat(24), false],
      [tasks[1]?.id, true],
      [tasks[0]?.id, true],
    ],
  )
  assert.match(String(data[1].orderIndex), /^\d{10}2$/)
})
