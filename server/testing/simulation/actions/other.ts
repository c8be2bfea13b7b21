import { type Action, aPlanner, during, type Step } from "../step.ts"
import { must } from "../violation.ts"
import { aPlace, placesOf, wireSecond } from "./field.ts"

const sendPositions: Action = {
  name: "a phone sends positions, some of them again",
  weight: during(6, 20, 8),
  async run(step) {
    const { random, world, company } = step
    const worker = random.pick(company.workers)
    const known = placesOf(step, worker.email)
    const now = world.clock.now().epochMilliseconds
    const sent = Array.from({ length: random.integer(1, 6) }, () => {
      const seconds = Math.floor(now / 1000) - random.integer(0, 3000)
      const time = wireSecond(seconds)
      const place = known.get(time) ?? aPlace(random, 38, -9)
      known.set(time, place)
      return { email: worker.email, ...place, createdTime: time }
    })
    // What was sent before is sent again, as a phone does that had no response.
    for (const [createdTime, place] of random.some([...known], 2))
      sent.push({ email: worker.email, ...place, createdTime })
    const send = () =>
      world.persist(random, company.org.owner, (calls) =>
        calls.post("/location-history/bulk", { location_histories: sent }),
      )
    const replies = random.chance(0.3) ? [await send(), await send()] : [await send()]
    for (const reply of replies) {
      must(reply.statusCode === 201, "valid positions are stored", reply.body.slice(0, 300))
      must(reply.json().failed === 0, "valid positions are stored", reply.body.slice(0, 300))
    }
  },
}

const createRecord: Action = {
  name: "create a record",
  weight: during(7, 18, 4),
  async run(step) {
    const { random, world, model, company } = step
    const { planner, hubId } = aPlanner(step)
    const dataId = `customer-${step.index}`
    const note = `note ${random.integer(1, 5)}`
    const body = { dataTypeId: company.dataTypeId, hubId, dataId, note }
    const reply = await world.persist(random, planner, (calls) => calls.post("/data", body))
    // A repeated call meets the record that the first one created: its key exists.
    const isRepeated = reply.json().failedCode === "data-031"
    must(
      isRepeated || [200, 201].includes(reply.statusCode),
      "a valid record is created",
      reply.body.slice(0, 300),
    )
    const id = isRepeated ? await idOf(step, dataId) : (reply.json().data._id as string)
    model.records.set(id, { id, dataId, note, hubId, isDeleted: false })
  },
}

async function idOf({ random, world, company }: Step, dataId: string): Promise<string> {
  const reply = await world.ask(random, company.org.owner, (calls) =>
    calls.get(`/data?dataTypeId=${company.dataTypeId}&limit=1000`),
  )
  const found = (reply.json().data.data as { _id: string; dataId: string }[]).find(
    (record) => record.dataId === dataId,
  )
  must(found !== undefined, "a record whose key exists is listed", dataId)
  return found?._id ?? ""
}

const changeRecord: Action = {
  name: "change a record",
  weight: during(7, 18, 4),
  async run({ random, world, model, company, index }) {
    const records = model.liveRecords()
    if (records.length === 0) return
    const record = random.pick(records)
    const { owner } = company.org
    const note = `changed ${index}`
    const reply = await world.persist(random, owner, (calls) =>
      calls.patch(`/data/${record.id}`, { dataTypeId: company.dataTypeId, note }),
    )
    must(reply.statusCode === 200, "a record can be changed", reply.body.slice(0, 300))
    record.note = note
  },
}

const deleteRecord: Action = {
  name: "delete a record",
  weight: during(7, 18, 2),
  async run({ random, world, model, company }) {
    const records = model.liveRecords()
    if (records.length === 0) return
    const record = random.pick(records)
    const reply = await world.persist(random, company.org.owner, (calls) =>
      calls.delete(`/data/${record.id}`),
    )
    must([200, 404].includes(reply.statusCode), "a record can be deleted", reply.body.slice(0, 300))
    record.isDeleted = true
  },
}

const restartNode: Action = {
  name: "a node is replaced",
  weight: () => 1,
  run: ({ random, world }) => world.restart(random),
}

const receiverMood: Action = {
  name: "the receiver of webhooks is away, forgetful or well again",
  weight: () => 2,
  async run({ random, world }) {
    const { mood } = world.receiver
    world.receiver.mood = mood === "well" ? random.pick(["away", "forgetful"] as const) : "well"
  },
}

const takePermission: Action = {
  name: "a permission is taken, and given back",
  weight: during(6, 20, 2),
  async run(step) {
    const { random, world, model, company } = step
    const clerk = company.members.find(({ part }) => part === "clerk")
    const task = model.liveTasks().find(({ hubId }) => clerk?.hubIds.includes(hubId))
    if (!clerk || !task) return
    const { owner } = company.org
    const set = async (permissionList: string[]) => {
      const role = (await world.ask(random, owner, (calls) => calls.get(`/role/${clerk.roleId}`))).json().data
      const reply = await world.persist(random, owner, (calls) =>
        calls.put(`/role/${clerk.roleId}`, { name: role.name, permissionList }),
      )
      must(reply.statusCode === 200, "a role can be changed", reply.body.slice(0, 300))
    }
    const statusOf = async () =>
      (await world.ask(random, clerk, (calls) => calls.get(`/task/${task.id}`))).statusCode
    await set(["view/data"])
    for (let tries = 0; tries < 3; tries += 1)
      must((await statusOf()) === 403, "a permission that was taken is gone on every node at once", task.id)
    await set(["view/task", "view/data"])
    for (let tries = 0; tries < 3; tries += 1)
      must((await statusOf()) === 200, "a permission that was given is there on every node at once", task.id)
  },
}

export const otherActions: readonly Action[] = [
  sendPositions,
  createRecord,
  changeRecord,
  deleteRecord,
  restartNode,
  receiverMood,
  takePermission,
]
