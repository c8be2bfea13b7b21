/*
 * Phones and dispatchers in a process of their own, so that the memory and the processor time of the process that they
 * call are the server's alone. Its parent sends the scenario; it returns what happened, once or in parts.
 */
import { connect, type Socket } from "node:net"

/** What is played: phones that send each second, and dispatchers who watch. */
export interface LiveOrder {
  address: string
  /** Where each one starts; it moves north a little with each position. */
  phones: readonly Phone[]
  watcherToken: string
  watchers: number
  /** Boxes that the watchers' streams ask for in turn, except for the first one, which gets everything. Default: everything. */
  areas?: readonly string[]
  seconds: number
  /**
   * How often a part is returned: an empty one once all are connected, and the last one of what came after the end. Default:
   * one of everything.
   */
  partSeconds?: number
}

interface Phone {
  token: string
  userId: string
  lat: number
  lon: number
}

/** What happened since the part before. */
export interface LiveOutcome {
  accepted: number
  refused: number
  /** Turns that a phone let pass because its last position was not answered yet. */
  skipped: number
  /** Milliseconds from sending a position to its response. */
  answers: Float64Array
  /** Milliseconds from the response to a position until a watcher has it; below zero when the watcher was first. */
  milliseconds: Float64Array
  /** Positions that were accepted and not seen within seconds by the watcher who reads along. */
  unseen: number
  watcherBytes: number
  /** Processor time of this process. */
  processorSeconds: number
}

/** The first seconds fill caches and connections. */
const warmUpMilliseconds = 5_000
/** Whatever has not been seen for so long was replaced by a newer position. */
const waitMilliseconds = 3_000
const connectionsAtOnce = 200

interface Playing {
  outcome: Pick<LiveOutcome, "accepted" | "refused" | "skipped" | "watcherBytes">
  // Positions of which the response or the event is still to come. Complete entries are deleted: maps that grow to a
  // million entries hold up this process when they are collected.
  accepted: Map<string, number>
  seen: Map<string, number>
  milliseconds: number[]
  answers: number[]
  isCounting: boolean
  cpu: NodeJS.CpuUsage
}

function begin(): Playing {
  return {
    outcome: { accepted: 0, refused: 0, skipped: 0, watcherBytes: 0 },
    accepted: new Map(),
    seen: new Map(),
    milliseconds: [],
    answers: [],
    isCounting: false,
    cpu: process.cpuUsage(),
  }
}

/** Bare sockets, because an HTTP client costs more per request than the server that it is meant to measure. */
async function play(order: LiveOrder, send: (part: LiveOutcome) => void): Promise<void> {
  const playing = begin()
  const sockets: Socket[] = []
  for (let index = 0; index < order.watchers; index += 1) sockets.push(await watch(order, index, playing))
  const phones: Sending[] = []
  for (let from = 0; from < order.phones.length; from += connectionsAtOnce) {
    const some = order.phones.slice(from, from + connectionsAtOnce)
    phones.push(...(await Promise.all(some.map((phone) => answerPhone(order, phone, playing)))))
  }
  sockets.push(...phones.map(({ socket }) => socket))
  if (order.partSeconds) send(takePart(playing, 0))
  const started = performance.now()
  let next = 0
  let nextPart = (order.partSeconds ?? Number.POSITIVE_INFINITY) * 1000
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started
      playing.isCounting = elapsed > warmUpMilliseconds
      for (const due = Math.floor((elapsed / 1000) * phones.length); next < due; next += 1) {
        const phone = phones[next % phones.length]
        if (phone) sendPosition(phone, playing)
      }
      if (elapsed >= order.seconds * 1000) {
        clearInterval(timer)
        resolve()
      } else if (elapsed >= nextPart) {
        nextPart += (order.partSeconds ?? 0) * 1000
        send(takePart(playing, waitMilliseconds))
      }
    }, 5)
  })
  if (order.partSeconds) send(takePart(playing, waitMilliseconds))
  await new Promise((resolve) => setTimeout(resolve, waitMilliseconds))
  send(takePart(playing, 0))
  for (const socket of sockets) socket.destroy()
}

function takePart(playing: Playing, olderThanMilliseconds: number): LiveOutcome {
  const before = performance.now() - olderThanMilliseconds
  for (const [key, at] of playing.seen) if (at <= before) playing.seen.delete(key)
  let unseen = 0
  for (const [key, at] of playing.accepted)
    if (at <= before) {
      playing.accepted.delete(key)
      unseen += 1
    }
  const { user, system } = process.cpuUsage(playing.cpu)
  const part: LiveOutcome = {
    ...playing.outcome,
    unseen,
    milliseconds: Float64Array.from(playing.milliseconds),
    answers: Float64Array.from(playing.answers),
    processorSeconds: (user + system) / 1e6,
  }
  const { accepted, seen, isCounting } = playing
  Object.assign(playing, begin(), { accepted, seen, isCounting })
  return part
}

function open({ address }: LiveOrder): Promise<Socket> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
    socket.on("error", reject)
  })
}

async function watch(order: LiveOrder, index: number, playing: Playing): Promise<Socket> {
  const socket = await open(order)
  let text = ""
  socket.on("data", (part: Buffer) => {
    playing.outcome.watcherBytes += part.length
    // One reads what it gets: parsing it two hundred times would take the processor from the server.
    if (index > 0) return
    text += part.toString("latin1")
    const frames = text.split("\n\n")
    text = frames.pop() ?? ""
    const now = performance.now()
    for (const frame of frames) {
      const position = /"userId":"(\w+)".*?"lat":([\d.]+)/.exec(frame)
      const key = position && `${position[1]} ${position[2]}`
      if (!key) continue
      const at = playing.accepted.get(key)
      if (at === undefined) playing.seen.set(key, now)
      else if (playing.accepted.delete(key)) playing.milliseconds.push(now - at)
    }
  })
  const area = index > 0 ? order.areas?.[index % order.areas.length] : undefined
  const path = `/api/v3/events${area === undefined ? "" : `?bbox=${area}`}`
  const { host } = new URL(order.address)
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${order.watcherToken}\r\naccept: text/event-stream\r\n\r\n`,
  )
  return socket
}

interface Sending extends Phone {
  socket: Socket
  head: string
  /** The position that is not answered yet. */
  waitsFor: string
  sentAt: number
  turn: number
}

async function answerPhone(order: LiveOrder, one: Phone, playing: Playing): Promise<Sending> {
  const socket = await open(order)
  const { host } = new URL(order.address)
  const head = `POST /api/v3/location-history HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${one.token}\r\ncontent-type: application/json\r\ncontent-length: `
  const phone: Sending = { ...one, socket, head, waitsFor: "", sentAt: 0, turn: 0 }
  socket.on("data", (part: Buffer) => {
    const { waitsFor } = phone
    phone.waitsFor = ""
    if (part.toString("latin1", 9, 12) !== "201") {
      playing.outcome.refused += 1
      return
    }
    playing.outcome.accepted += 1
    const now = performance.now()
    const seenAt = playing.seen.get(waitsFor)
    playing.seen.delete(waitsFor)
    if (!playing.isCounting) return
    playing.answers.push(now - phone.sentAt)
    if (seenAt === undefined) playing.accepted.set(waitsFor, now)
    else playing.milliseconds.push(seenAt - now)
  })
  return phone
}

function sendPosition(phone: Sending, { outcome }: Playing): void {
  if (phone.waitsFor !== "") {
    outcome.skipped += 1
    return
  }
  phone.turn += 1
  phone.sentAt = performance.now()
  const lat = Number((phone.lat + phone.turn * 0.0001).toFixed(4))
  phone.waitsFor = `${phone.userId} ${lat}`
  const createdTime = new Date().toISOString().replace("Z", "+00:00")
  const body = JSON.stringify({ lat, lon: phone.lon, speed: 40, createdTime })
  phone.socket.write(`${phone.head}${body.length}\r\n\r\n${body}`)
}

process.once("message", async (order: LiveOrder) => {
  await play(order, (part) => process.send?.(part))
  // The parent closes the connection, which ends this process, after receiving everything.
  process.send?.("done")
})
process.send?.("ready")
