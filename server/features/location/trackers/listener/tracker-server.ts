import { createServer, type Server, type Socket } from "node:net"
import type { Log } from "#core/telemetry/log.ts"
import type { Metrics } from "#core/telemetry/metrics.ts"
import {
  type ProtocolName,
  TrackerFormatError,
  type TrackerProtocol,
  trackerProtocols,
} from "#packages/tracker-protocols/index.ts"
import { unknownDevices } from "../record/note-unknown-devices.ts"
import type { Contact, TrackerContext } from "../record/record-messages.ts"
import { KeyedBuckets } from "./buckets.ts"
import { ConnectionEnded, TrackerConnection } from "./connection.ts"
import { type DatagramListener, listenForDatagrams } from "./datagrams.ts"
import { handleContact } from "./handle-contact.ts"
import { addressKey, defaultLimits, type ListenerLimits } from "./limits.ts"
import { OpenConnections } from "./open-connections.ts"

export interface TrackerPort {
  protocol: ProtocolName
  port: number
}

export interface TrackerServerOptions extends TrackerContext {
  host: string
  ports: readonly TrackerPort[]
  maxConnections: number
  limits?: Partial<ListenerLimits>
  log: Log
  metrics: Metrics
}

export interface TrackerServer {
  /** Where it listens; with port 0 the one that was free. */
  ports: readonly TrackerPort[]
  /** Finishes what is being stored and ends all connections. */
  close(): Promise<void>
}

/** Listens on one port per protocol, for connections and, where the protocol has them, for datagrams. */
export async function startTrackerServer(options: TrackerServerOptions): Promise<TrackerServer> {
  const limits = { ...defaultLimits, maxConnections: options.maxConnections, ...options.limits }
  const reception = createReception(options, limits)
  const ports: TrackerPort[] = []
  const open: (() => Promise<void>)[] = []
  const close = async () => {
    await Promise.all(open.splice(0).map((end) => end()))
    await reception.end()
  }
  try {
    for (const { protocol: name, port } of options.ports) {
      const protocol = trackerProtocols[name]
      const server = createServer((socket) => reception.accept(socket, protocol))
      const actual = await listen(server, options.host, port)
      open.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
      if (protocol.transports.includes("udp")) {
        const datagrams = await reception.listenForDatagrams(protocol, options.host, actual)
        open.push(() => datagrams.close())
      }
      ports.push({ protocol: name, port: actual })
    }
  } catch (error) {
    await close()
    throw error
  }
  options.log.info({ host: options.host, ports }, "listening for trackers")
  return { ports, close: () => Promise.all([reception.end(), close()]).then(() => undefined) }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject)
      server.on("error", () => undefined)
      const address = server.address()
      resolve(typeof address === "object" && address ? address.port : port)
    })
  })
}

/** What all ports share: limits, connections by address and device, and the way to the database. */
function createReception(options: TrackerServerOptions, limits: ListenerLimits) {
  const { log, clock } = options
  const connections = new OpenConnections(limits)
  const messages = new KeyedBuckets(limits.messagesPerDevice)
  const noteUnknownDevice = unknownDevices(options.pool, clock)
  const counted = options.metrics.counter("fieldway_tracker_messages_total", "Messages of trackers", [
    "protocol",
    "outcome",
  ])
  options.metrics.gauge(
    "fieldway_tracker_connections",
    "Open connections of trackers",
    () => connections.size,
  )
  const now = () => clock.now().epochMilliseconds
  const delayOf = (device: string, count: number) => messages.borrow(device, count)
  const mayTake = (device: string, count: number) => messages.take(device, count)
  const handle = async (contact: Contact, isOver: () => boolean) => {
    const isStored = await handleContact(options, noteUnknownDevice, contact, isOver)
    const outcome = isStored ? "stored" : "refused"
    counted.inc({ protocol: contact.protocol, outcome }, contact.messages.length)
    return isStored
  }
  const onError = (error: unknown) =>
    log.warn({ reason: String(error) }, "a tracker's message was not stored")

  const accept = (socket: Socket, protocol: TrackerProtocol): void => {
    const address = socket.remoteAddress ?? ""
    const key = addressKey(address)
    // Without a listener an error of the connection would end the process.
    socket.on("error", () => undefined)
    if (!connections.mayOpen(key)) {
      socket.destroy()
      return
    }
    const connection = new TrackerConnection({
      socket,
      address,
      protocol,
      limits,
      now,
      delayOf,
      handle,
      onIdentified: (device, identified) => connections.identify(device, identified),
    })
    const run = connection.run().catch((error: unknown) => {
      if (error instanceof ConnectionEnded)
        log.debug({ address, reason: error.message }, "ended a tracker's connection")
      else if (!isOfConnection(error)) onError(error)
    })
    connections.add(connection, key, run)
  }

  return {
    accept,
    listenForDatagrams: (protocol: TrackerProtocol, host: string, port: number): Promise<DatagramListener> =>
      listenForDatagrams({ protocol, host, port, limits, now, mayTake, handle, onError }),
    end: () => connections.end(),
  }
}

/** What the other side or the bytes that it sent caused, and is no fault of ours. */
function isOfConnection(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return (
    error instanceof TrackerFormatError ||
    (typeof code === "string" && /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET)|ERR_STREAM)/.test(code))
  )
}
