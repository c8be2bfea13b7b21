/*
 * Phones and dispatchers in a process of their own, so that the memory and the processor time of the process that they
 * call are the server's alone. Its parent sends the scenario; it returns the outcome.
 */
import { connect, type Socket } from "node:net"

/** What is played: phones that send each second, and dispatchers who watch. */
export interface LiveOrder {
  address: string
  phones: readonly { token: string; userId: string }[]
  watcherToken: string
  watchers: number
  seconds: number
}

export interface LiveOutcome {
  accepted: number
  refused: number
  /** Turns that a phone let pass because its last position was not answered yet. */
  skipped: number
  /** Milliseconds from the response to a position until a watcher has it; below zero when the watcher was first. */
  milliseconds: Float64Array
  /** Positions that were accepted and never seen by the watcher who reads along. */
  unseen: number
  watcherBytes: number
}

/** Bare sockets, because an HTTP client costs more per request than the server that it is meant to measure. */
async function play(order: LiveOrder): Promise<LiveOutcome> {
  const { hostname, port, host } = new URL(order.address)
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
      socket.once("error", reject)
    })
  // Positions of which the response or the event is still to come. Complete entries are deleted: maps that grow to a
  // million entries hold up this process when they are collected.
  const accepted = new Map<string, number>()
  const seen = new Map<string, number>()
  const milliseconds: number[] = []
  const sockets: Socket[] = []
  const outcome = { accepted: 0, refused: 0, skipped: 0, watcherBytes: 0 }
  let isCounting = false

  for (let index = 0; index < order.watchers; index++) {
    const socket = await open()
    sockets.push(socket)
    let text = ""
    socket.on("data", (part: Buffer) => {
      outcome.watcherBytes += part.length
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
        const at = accepted.get(key)
        if (at === undefined) seen.set(key, now)
        else if (accepted.delete(key)) milliseconds.push(now - at)
      }
    })
    socket.write(
      `GET /api/v3/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${order.watcherToken}\r\naccept: text/event-stream\r\n\r\n`,
    )
  }

  const phones = await Promise.all(
    order.phones.map(async ({ token, userId }, index) => {
      const socket = await open()
      sockets.push(socket)
      const phone = { socket, token, userId, index, waitsFor: "", turn: 0 }
      socket.on("data", (part: Buffer) => {
        const status = part.toString("latin1", 9, 12)
        if (status === "201") {
          outcome.accepted += 1
          const now = performance.now()
          const seenAt = seen.get(phone.waitsFor)
          seen.delete(phone.waitsFor)
          if (isCounting && seenAt !== undefined) milliseconds.push(seenAt - now)
          else if (isCounting) accepted.set(phone.waitsFor, now)
        } else outcome.refused += 1
        phone.waitsFor = ""
      })
      return phone
    }),
  )
  const send = (phone: (typeof phones)[number]) => {
    if (phone.waitsFor !== "") {
      outcome.skipped += 1
      return
    }
    phone.turn += 1
    const lat = Number((40 + phone.index * 0.01 + phone.turn * 0.0001).toFixed(4))
    phone.waitsFor = `${phone.userId} ${lat}`
    const body = JSON.stringify({
      lat,
      lon: 5.5,
      speed: 40,
      createdTime: new Date().toISOString().replace("Z", "+00:00"),
    })
    phone.socket.write(
      `POST /api/v3/location-history HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${phone.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  }
  const started = performance.now()
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started
      // The first seconds fill caches and connections.
      isCounting = elapsed > 5_000
      for (const due = Math.floor((elapsed / 1000) * phones.length); sent < due; sent++) {
        const phone = phones[sent % phones.length]
        if (phone) send(phone)
      }
      if (elapsed < order.seconds * 1000) return
      clearInterval(timer)
      resolve()
    }, 5)
  })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (const socket of sockets) socket.destroy()
  return { ...outcome, milliseconds: Float64Array.from(milliseconds), unseen: accepted.size }
}

process.once("message", async (order: LiveOrder) => {
  // The parent closes the connection, which ends this process, after receiving the response.
  process.send?.(await play(order))
})
process.send?.("ready")
