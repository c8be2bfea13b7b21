import { messageIdOf } from "../services/mail-server.ts"
import { placesOf, wireSecond } from "./actions/field.ts"
import { read } from "./checks.ts"
import { type Member, messageCost } from "./company.ts"
import { emailOfPhone } from "./model.ts"
import type { Step } from "./step.ts"
import { must, mustMatch } from "./violation.ts"

/** Stock, hours and positions of the field add up to what was acknowledged. */
export async function checkField(step: Step): Promise<void> {
  await checkStock(step)
  await checkHours(step)
  await checkTracks(step)
  await checkMessages(step, false)
}

async function checkStock(step: Step): Promise<void> {
  const { model, company } = step
  const owner = company.members[0] as Member
  const levels = (await read(step, owner, "/stock?limit=1000")).json().data as {
    holderId: string
    quantity: number
  }[]
  mustMatch(
    levels
      .filter(({ quantity }) => quantity !== 0)
      .map(({ holderId, quantity }) => `${holderId} ${quantity}`),
    [...model.stock].filter(([, quantity]) => quantity !== 0).map(([id, quantity]) => `${id} ${quantity}`),
    "stock is what was received, less what was taken",
  )
  const [item] = (await read(step, owner, "/stock-items")).json().data
  const total = [...model.stock.values()].reduce((sum, quantity) => sum + quantity, 0)
  must(item.total === total, "the total of an item is the sum of its stock", [item.total, total])
  const missing = (await read(step, owner, "/stock-movements?isMissing=true&limit=1000")).json().data as {
    missing: number
  }[]
  must(
    missing.reduce((sum, movement) => sum + movement.missing, 0) === model.missingParts,
    "parts that were used and not in stock are listed",
    [missing.length, model.missingParts],
  )
}

async function checkHours(step: Step): Promise<void> {
  const { model, company, world } = step
  const now = Math.floor(world.clock.now().epochMilliseconds / 1000)
  const bound = (time: Temporal.Instant) => encodeURIComponent(time.toString().slice(0, 19).replace("T", " "))
  const from = bound(company.scheduledFrom.subtract({ hours: 1 }))
  const to = bound(world.clock.now().add({ hours: 1 }))
  const reply = await read(step, company.members[0] as Member, `/attendance?timeFrom=${from}&timeTo=${to}`)
  const found = reply.json().data as {
    email: string
    sessions: number
    workedMinutes: number
    finishTime: string | null
  }[]
  const expected = [...model.sessions].filter(([, sessions]) => sessions.length > 0)
  mustMatch(
    found.map(({ email, sessions, finishTime }) => `${email} ${sessions} ${finishTime === null}`),
    expected.map(([email, sessions]) => `${email} ${sessions.length} ${sessions.at(-1)?.finish === null}`),
    "the sessions of work are those that phones began",
  )
  for (const [email, sessions] of expected) {
    const seconds = sessions.reduce((sum, { start, finish }) => sum + (finish ?? now) - start, 0)
    const minutes = found.find((person) => person.email === email)?.workedMinutes ?? -1
    must(Math.abs(minutes - Math.max(0, seconds / 60)) <= 1, "hours add up to the sessions of work", [
      email,
      minutes,
      seconds / 60,
    ])
  }
}

/** Each acknowledged position is stored once, however often it was sent. */
async function checkTracks(step: Step): Promise<void> {
  const { model, company, world, random } = step
  const person = random.pick([...company.workers, company.tracked.driver])
  const known = placesOf(step, person.email)
  // Sessions have a record of their own, and phones may send the place of their start and finish again as a point.
  const bounds = (model.sessions.get(person.email) ?? []).flatMap(({ start, finish }) => [
    start,
    finish ?? start,
  ])
  const ends = new Set(bounds.map(wireSecond))
  const times: string[] = []
  for (let page = 1; ; page += 1) {
    const reply = await world.ask(random, company.org.owner, (calls) =>
      calls.get(`/location-histories?email=${encodeURIComponent(person.email)}&limit=100&page=${page}`),
    )
    must(reply.statusCode === 200, "a valid list is answered", reply.body.slice(0, 200))
    const { data } = reply.json().tasks as { data: { createdTime: string }[] }
    times.push(...data.map(({ createdTime }) => createdTime))
    if (data.length < 100) break
  }
  const listed = (all: Iterable<string>) => [...all].filter((time) => !ends.has(time))
  mustMatch(listed(times), listed(known.keys()), "each acknowledged position is stored once")
}

/** A mail whose receipt was lost may come again, with its id; each customer of a finished task gets one. */
function checkMails({ model, world }: Step, isComplete: boolean): void {
  const sent = new Map<string, string>()
  for (const mail of world.mails.received) {
    const recipient = /^To: .*?([\w.]+@customer\.example)/im.exec(mail)?.[1]
    if (recipient) sent.set(messageIdOf(mail), recipient)
  }
  const expected = [...model.messages.values()].map(emailOfPhone)
  if (isComplete) mustMatch(sent.values(), expected, "the customer of a finished task gets a mail")
  else
    must(sent.size <= expected.length, "nobody gets a mail about what did not happen", [
      sent.size,
      expected.length,
    ])
}

/** The customer of a finished task is notified once; each message is in the log, and its cost adds up. */
export async function checkMessages(step: Step, isComplete: boolean): Promise<void> {
  const { model, company, world } = step
  const sent = world.provider.received.map(({ to, reference }) => ({ to, reference }))
  must(new Set(sent.map(({ reference }) => reference)).size === sent.length, "a message is sent once", sent)
  const expected = [...model.messages.values()]
  if (isComplete)
    mustMatch(
      sent.map(({ to }) => to),
      expected,
      "the customer of a finished task is notified",
    )
  else
    must(sent.length <= expected.length, "nobody is notified of what did not happen", [
      sent.length,
      expected.length,
    ])
  checkMails(step, isComplete)
  if (!isComplete) return
  const owner = company.members[0] as Member
  const channels = (await read(step, owner, "/customer-message-channels")).json().data
  const channel = channels.find(({ kind }: { kind: string }) => kind === "sms")
  const cost = Math.round(expected.length * messageCost * 100)
  must(
    channel.month.messages === expected.length && Math.round(channel.month.cost * 100) === cost,
    "the cost of messages adds up",
    [channel.month, expected.length],
  )
}
