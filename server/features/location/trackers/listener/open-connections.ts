import { KeyedBuckets } from "./buckets.ts"
import type { TrackerConnection } from "./connection.ts"
import type { ListenerLimits } from "./limits.ts"

/** The connections of all ports, by address and by device. */
export class OpenConnections {
  readonly #limits: ListenerLimits
  readonly #newOnes: KeyedBuckets
  readonly #runs = new Map<TrackerConnection, Promise<void>>()
  readonly #byAddress = new Map<string, number>()
  readonly #byDevice = new Map<string, TrackerConnection[]>()

  constructor(limits: ListenerLimits) {
    this.#limits = limits
    this.#newOnes = new KeyedBuckets(limits.newConnectionsPerAddress)
  }

  get size(): number {
    return this.#runs.size
  }

  /** Whether one more connection of the address is within the limits. */
  mayOpen(address: string): boolean {
    const { maxConnections, connectionsPerAddress } = this.#limits
    const isTooMany = this.size >= maxConnections || this.#of(address) >= connectionsPerAddress
    return !isTooMany && this.#newOnes.take(address)
  }

  /** Counts a connection until its run is over. */
  add(connection: TrackerConnection, address: string, run: Promise<void>): void {
    this.#byAddress.set(address, this.#of(address) + 1)
    this.#runs.set(
      connection,
      run.finally(() => this.#remove(connection, address)),
    )
  }

  /** A device that lost its connection opens another one: of too many the oldest is dead. */
  identify(device: string, connection: TrackerConnection): void {
    const others = [...(this.#byDevice.get(device) ?? []), connection]
    if (others.length > this.#limits.connectionsPerDevice) others.shift()?.stop()
    this.#byDevice.set(device, others)
  }

  async end(): Promise<void> {
    for (const connection of this.#runs.keys()) connection.stop()
    await Promise.all(this.#runs.values())
  }

  #of(address: string): number {
    return this.#byAddress.get(address) ?? 0
  }

  #remove(connection: TrackerConnection, address: string): void {
    this.#runs.delete(connection)
    const left = this.#of(address) - 1
    if (left > 0) this.#byAddress.set(address, left)
    else this.#byAddress.delete(address)
    for (const device of connection.devices) {
      const others = (this.#byDevice.get(device) ?? []).filter((other) => other !== connection)
      if (others.length > 0) this.#byDevice.set(device, others)
      else this.#byDevice.delete(device)
    }
  }
}
