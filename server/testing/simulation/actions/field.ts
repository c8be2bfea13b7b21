import {
  host,
  TestDevice,
  teltonikaLogin,
  teltonikaPacket,
} from "../../../features/location/trackers/tracker-device.fixture.ts"
import type { Member } from "../company.ts"
import type { Random } from "../random.ts"
import { type Action, during, once, type Step } from "../step.ts"
import { must } from "../violation.ts"

type Places = Map<string, { lat: number; lon: number }>

export const wireSecond = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")

/** A place within a degree, with five decimals: sums of fractions would have more. */
export function aPlace(random: Random, south: number, west: number): { lat: number; lon: number } {
  const within = (degree: number) => (degree * 100_000 + random.integer(0, 99_999)) / 100_000
  return { lat: within(south), lon: within(west) }
}

/** Known positions of a person, by second. */
export function placesOf({ model }: Pick<Step, "model">, email: string): Places {
  const known: Places = model.positions.get(email) ?? new Map()
  model.positions.set(email, known)
  return known
}

/** Phones say when work begins and ends; a break is an end and a beginning. */
const attend: Action = {
  name: "somebody begins or ends work, and the phone says so twice",
  weight: during(6, 20, 5),
  async run(step) {
    const { random, world, model, company } = step
    const worker = random.pick(company.workers)
    const sessions = model.sessions.get(worker.email) ?? []
    model.sessions.set(worker.email, sessions)
    const last = sessions.at(-1)
    const now = Math.floor(world.clock.now().epochMilliseconds / 1000)
    const places = placesOf(step, worker.email)
    const place = aPlace(random, 38, -9)
    // The clock may have been set back.
    if (now <= Math.max(last?.start ?? 0, last?.finish ?? 0) || places.has(wireSecond(now))) return
    const isOpen = last !== undefined && last.finish === null
    const entry = { ...place, [isOpen ? "finishTime" : "startTime"]: wireSecond(now) }
    const send = () =>
      world.persist(random, worker, (calls) =>
        calls.post("/location-history/bulk", { location_histories: [entry] }),
      )
    for (const reply of random.chance(0.5) ? [await send(), await send()] : [await send()])
      must(
        reply.statusCode === 201 && reply.json().failed === 0,
        "the beginning and the end of work are stored",
        reply.body.slice(0, 300),
      )
    if (isOpen) last.finish = now
    else sessions.push({ start: now, finish: null })
    places.set(wireSecond(now), place)
  },
}

/** A device sends what it kept until the server acknowledges it. Some connections end before that. */
const track: Action = {
  name: "a tracker sends what it kept, over connections that break",
  weight: () => 4,
  async run(step) {
    const { random, world, company } = step
    const { driver, imei } = company.tracked
    const now = Math.floor(world.clock.now().epochMilliseconds / 1000)
    const places = placesOf(step, driver.email)
    const records = new Map<number, { lat: number; lon: number }>()
    for (let count = random.integer(1, 8); count > 0; count -= 1) {
      const time = now - random.integer(0, 600)
      const known = places.get(wireSecond(time))
      const place = aPlace(random, 40, -8)
      records.set(time, known ?? place)
    }
    const packet = teltonikaPacket(
      [...records].map(([time, { lat, lon }]) => ({ time: time * 1000, latitude: lat, longitude: lon })),
    )
    const isAcknowledged = async () => {
      const device = await TestDevice.connect(world.trackers.portOf("teltonika"))
      try {
        device.send(teltonikaLogin(imei))
        if ((await device.receive(1)) !== "01") return false
        const cut = random.chance(0.3) ? random.integer(1, packet.length) : packet.length
        device.send(packet.subarray(0, cut))
        if (cut < packet.length) return false
        if (random.chance(0.2)) return false
        return Number.parseInt(await device.receive(4), 16) === records.size
      } finally {
        device.end()
      }
    }
    await world.withFault(random, async () => {
      for (let tries = 0; !(await isAcknowledged()); tries += 1) {
        must(tries < 20, "a tracker's packet is acknowledged", [host, records.size])
        if (tries === 3) world.faults.end()
      }
    })
    for (const [time, place] of records) places.set(wireSecond(time), place)
  },
}

/** Parts come in, go to vans and are counted; several people may take the last ones at the same time. */
const moveStock: Action = {
  name: "parts are received, moved, taken by several people at the same time, or counted",
  weight: during(6, 20, 4),
  async run(step) {
    const { random, world, model, company } = step
    const { owner } = company.org
    const { itemId, holders } = company.parts
    const [from, to] = random.some(holders, 2)
    if (!from || !to) return
    const inStock = (id: string) => model.stock.get(id) ?? 0
    const move = (body: object) => {
      const key = once(step)
      return world.persist(random, owner, (calls) => calls.post("/stock-movement", { itemId, ...body }, key))
    }
    const moved = (statusCode: number, isPossible: boolean, details: unknown) =>
      must(statusCode === (isPossible ? 201 : 409), "as many parts can be taken as there are", details)
    const quantity = random.integer(1, 9)
    const kind = random.pick(["receipt", "transfer", "issue", "count"] as const)
    if (kind === "receipt") {
      const reply = await move({ kind, quantity, to: to.holder })
      moved(reply.statusCode, true, reply.body)
      model.stock.set(to.id, inStock(to.id) + quantity)
    } else if (kind === "count") {
      const reply = await move({ kind, quantity, to: to.holder })
      moved(reply.statusCode, true, reply.body)
      model.stock.set(to.id, quantity)
    } else if (kind === "transfer") {
      const reply = await move({ kind, quantity, from: from.holder, to: to.holder })
      const isPossible = inStock(from.id) >= quantity
      moved(reply.statusCode, isPossible, [reply.body, inStock(from.id), quantity])
      if (!isPossible) return
      model.stock.set(from.id, inStock(from.id) - quantity)
      model.stock.set(to.id, inStock(to.id) + quantity)
    } else {
      const issue = { itemId, kind, quantity, from: from.holder }
      const replies = await Promise.all(
        [1, 2, 3].map(() => world.ask(random, owner, (calls) => calls.post("/stock-movement", issue))),
      )
      const taken = replies.filter(({ statusCode }) => statusCode === 201).length
      const possible = Math.min(3, Math.floor(inStock(from.id) / quantity))
      must(taken === possible, "as many parts can be taken as there are", [
        inStock(from.id),
        quantity,
        replies.map(({ body }) => body.slice(0, 120)),
      ])
      model.stock.set(from.id, inStock(from.id) - taken * quantity)
    }
  },
}

/** What a worker writes about parts when a task is finished. */
export function someParts({ random, company }: Step): { parts?: { title: string; qty: number }[] } {
  return random.chance(0.5) ? { parts: [{ title: company.parts.name, qty: random.integer(1, 4) }] } : {}
}

/** The van of a worker, if there is one, has less by what a finished task used, and never less than nothing. */
export function takeParts({ model, company }: Step, worker: Member, parts: readonly { qty: number }[]): void {
  const van = company.parts.holders.find(({ email }) => email === worker.email)
  const used = parts.reduce((sum, { qty }) => sum + qty, 0)
  const inStock = van ? (model.stock.get(van.id) ?? 0) : 0
  if (van) model.stock.set(van.id, Math.max(0, inStock - used))
  model.missingParts += Math.max(0, used - inStock)
}

const provider: Action = {
  name: "the provider of short messages, or the mail server, refuses the next ones",
  weight: () => 1,
  async run({ random, world }) {
    if (random.chance(0.5)) {
      const refusals = Array.from({ length: random.integer(1, 3) }, () => true)
      world.mails.hooks.isRefused = () => refusals.pop() ?? false
      return
    }
    const { failures } = world.provider
    failures.push(...Array.from({ length: random.integer(1, 3) }, () => random.pick([429, 500, 503])))
    // A job must succeed within its tries.
    failures.splice(3)
  },
}

export const fieldActions: readonly Action[] = [attend, track, moveStock, provider]
