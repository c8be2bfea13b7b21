import { createSocket, type Socket } from "node:dgram"
import { newSession, readDatagram, type TrackerProtocol } from "#packages/tracker-protocols/index.ts"
import type { Contact } from "../record/record-messages.ts"
import { KeyedBuckets } from "./buckets.ts"
import { byDevice } from "./connection.ts"
import { addressKey, type ListenerLimits } from "./limits.ts"

export interface DatagramOptions {
  protocol: TrackerProtocol
  host: string
  port: number
  limits: ListenerLimits
  now(): number
  /** Whether the device may send this many messages now. */
  mayTake(device: string, messages: number): boolean
  handle(contact: Contact, isOver: () => boolean): Promise<boolean>
  onError(error: unknown): void
}

export interface DatagramListener {
  port: number
  /** Stops reading and waits for what is being stored. */
  close(): Promise<void>
}

/** Receives datagrams of devices. What exceeds a limit is dropped without a trace: the device sends it again. */
export async function listenForDatagrams(options: DatagramOptions): Promise<DatagramListener> {
  const { protocol, host, port, limits } = options
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4")
  const perAddress = new KeyedBuckets(limits.datagramsPerAddress)
  const running = new Set<Promise<void>>()
  socket.on("message", (datagram, { address, port: from }) => {
    if (running.size >= limits.maxDatagrams || !perAddress.take(addressKey(address))) return
    const work = receive(options, socket, datagram, address, from)
      .catch(options.onError)
      .finally(() => running.delete(work))
    running.add(work)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject)
    socket.bind(port, host, () => {
      socket.off("error", reject)
      resolve()
    })
  })
  socket.on("error", options.onError)
  return {
    port: socket.address().port,
    async close() {
      await Promise.all(running)
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }

  async function receive(
    { now, mayTake, handle }: DatagramOptions,
    from: Socket,
    datagram: Uint8Array,
    address: string,
    remotePort: number,
  ): Promise<void> {
    const messages = readDatagram(protocol, datagram, newSession(now))
    for (const group of byDevice(messages)) {
      if (group.device === undefined || !mayTake(group.device, group.messages.length)) continue
      const contact = { device: group.device, protocol: protocol.name, address, messages: group.messages }
      if (!(await handle(contact, () => true))) continue
      for (const { acknowledgement } of group.messages)
        if (acknowledgement) from.send(acknowledgement, remotePort, address, () => undefined)
    }
  }
}
