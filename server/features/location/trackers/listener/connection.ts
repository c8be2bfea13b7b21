import type { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import {
  newSession,
  TrackerFormatError,
  type TrackerMessage,
  type TrackerProtocol,
  TrackerStream,
} from "#packages/tracker-protocols/index.ts"
import type { Contact } from "../record/record-messages.ts"
import type { ListenerLimits } from "./limits.ts"

export interface ConnectionOptions {
  socket: Socket
  address: string
  protocol: TrackerProtocol
  limits: ListenerLimits
  now(): number
  /** Milliseconds to wait before the device may send this many messages more. */
  delayOf(device: string, messages: number): number
  /** Stores messages and resolves with whether they may be acknowledged. */
  handle(contact: Contact, isOver: () => boolean): Promise<boolean>
  onIdentified(device: string, connection: TrackerConnection): void
}

/** Messages that are stored together. */
const maxBatch = 50

/** Why the server ends a connection. */
export class ConnectionEnded extends Error {}

/**
 * One connection of a device. Nothing is read while messages are being stored. Messages are acknowledged after the commit:
 * the device sends the others again.
 */
export class TrackerConnection {
  readonly #options: ConnectionOptions
  readonly #stream: TrackerStream
  readonly #devices = new Set<string>()
  #unreadable = 0
  #isBusy = false
  #isStopping = false
  /** When the incomplete frame began. */
  #frameSince: number | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#stream = new TrackerStream(options.protocol, newSession(options.now))
  }

  get devices(): ReadonlySet<string> {
    return this.#devices
  }

  /** Until the connection is over. Rejects with the reason when it is not the device that ended it. */
  async run(): Promise<void> {
    const { socket, limits } = this.#options
    socket.setNoDelay(true)
    socket.setTimeout(limits.loginMilliseconds, () => socket.destroy())
    const login = setTimeout(() => {
      if (this.#devices.size === 0) socket.destroy()
    }, limits.loginMilliseconds)
    try {
      for await (const chunk of socket) {
        this.#isBusy = true
        await this.#take(chunk as Uint8Array)
        this.#isBusy = false
        if (this.#isStopping) break
      }
    } finally {
      clearTimeout(login)
      socket.destroy()
    }
  }

  /** Ends the connection, after the messages that are being stored. */
  stop(): void {
    this.#isStopping = true
    if (!this.#isBusy) this.#options.socket.destroy()
  }

  async #take(chunk: Uint8Array): Promise<void> {
    this.#stream.push(chunk)
    let count = 0
    for (;;) {
      const { messages, error } = this.#nextBatch()
      count += messages.length
      await this.#handle(messages)
      if (error) throw error
      if (messages.length < maxBatch) break
    }
    this.#checkPendingFrame(count)
  }

  /** Messages before a format error are handled, too. */
  #nextBatch(): { messages: TrackerMessage[]; error?: TrackerFormatError } {
    const messages: TrackerMessage[] = []
    try {
      while (messages.length < maxBatch) {
        const message = this.#stream.next()
        if (!message) break
        messages.push(message)
      }
    } catch (error) {
      if (!(error instanceof TrackerFormatError)) throw error
      return { messages, error }
    }
    return { messages }
  }

  async #handle(messages: readonly TrackerMessage[]): Promise<void> {
    for (const group of byDevice(messages)) {
      this.#unreadable += group.messages.filter(({ kind }) => kind === "unreadable").length
      if (this.#unreadable > this.#options.limits.maxUnreadable)
        throw new ConnectionEnded("Too many unreadable frames")
      if (group.device !== undefined) await this.#handleDevice(group.device, group.messages)
    }
  }

  async #handleDevice(device: string, messages: readonly TrackerMessage[]): Promise<void> {
    const { protocol, address, socket } = this.#options
    const delay = this.#options.delayOf(device, messages.length)
    if (delay > 0) await this.#pause(delay)
    const contact = { device, protocol: protocol.name, address, messages }
    const isAccepted = await this.#options.handle(contact, () => this.#isStopping || socket.destroyed)
    if (!isAccepted) {
      await this.#send(messages.flatMap(({ rejection }) => rejection ?? []))
      throw new ConnectionEnded(`Device ${device} is not accepted`)
    }
    if (!this.#devices.has(device)) {
      this.#devices.add(device)
      socket.setTimeout(this.#options.limits.idleMilliseconds)
      this.#options.onIdentified(device, this)
    }
    await this.#send(messages.flatMap(({ acknowledgement }) => acknowledgement ?? []))
  }

  /** Waits, unless the connection ends before. */
  async #pause(milliseconds: number): Promise<void> {
    const { socket } = this.#options
    const ended = new AbortController()
    const end = () => ended.abort()
    socket.once("close", end)
    await pause(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined)
    socket.off("close", end)
    if (socket.destroyed) throw new ConnectionEnded("The device has left")
  }

  /** Waits for a device that reads its acknowledgements slowly. */
  async #send(parts: readonly Uint8Array[]): Promise<void> {
    const { socket } = this.#options
    if (parts.length === 0 || socket.destroyed || socket.write(Buffer.concat(parts))) return
    await new Promise<void>((resolve) => {
      socket.once("drain", resolve)
      socket.once("close", resolve)
    })
  }

  /** Bytes that trickle in do not keep a connection open. */
  #checkPendingFrame(messages: number): void {
    const { limits, socket, now } = this.#options
    if (this.#stream.pendingBytes === 0) this.#frameSince = undefined
    else if (messages > 0 || this.#frameSince === undefined) this.#frameSince = now()
    else if (now() - this.#frameSince > limits.frameMilliseconds)
      throw new ConnectionEnded("A frame took too long to arrive")
    const isIncomplete = this.#frameSince !== undefined
    if (this.#devices.size > 0)
      socket.setTimeout(isIncomplete ? limits.frameMilliseconds : limits.idleMilliseconds)
  }
}

/** Consecutive messages of the same device. */
export function byDevice(messages: readonly TrackerMessage[]) {
  const groups: { device: string | undefined; messages: TrackerMessage[] }[] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last && last.device === message.device) last.messages.push(message)
    else groups.push({ device: message.device, messages: [message] })
  }
  return groups
}
