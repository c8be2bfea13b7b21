import { EventEmitter, once } from "node:events"
import { connect, type Socket } from "node:net"
import { localRateLimiter } from "#core/fairness/rate-limit.ts"
import { createLog } from "#core/telemetry/log.ts"
import { createMetrics } from "#core/telemetry/metrics.ts"
import { crc16Ibm } from "#packages/tracker-protocols/checksums.ts"
import type { TestApp } from "#testing/test-app.ts"
import { recorderOf } from "../positions/index.ts"
import { startTrackerServer, type TrackerServerOptions } from "./index.ts"

export const host = "127.0.0.1"

/** Listens for the protocols on free ports, as a server with TRACKER_PORTS does. */
export async function listenForTrackers(
  { app }: Pick<TestApp, "app">,
  protocols: readonly TrackerServerOptions["ports"][number]["protocol"][],
  options: Partial<TrackerServerOptions> = {},
) {
  const server = await startTrackerServer({
    host,
    ports: protocols.map((protocol) => ({ protocol, port: 0 })),
    maxConnections: 1_000,
    pool: app.sql,
    recorder: recorderOf(app.sql),
    onPointsStored: () => undefined,
    live: app.live,
    clock: app.clock,
    limiter: localRateLimiter(),
    positionRateLimit: 0,
    log: createLog("silent"),
    metrics: createMetrics(),
    ...options,
  })
  const portOf = (name: string) => server.ports.find(({ protocol }) => protocol === name)?.port ?? 0
  return { ...server, portOf }
}

/** A device at the other end of a connection. */
export class TestDevice {
  readonly socket: Socket
  readonly #changes = new EventEmitter()
  #received = Buffer.alloc(0)
  isClosed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#changes.emit("change")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      this.isClosed = true
      this.#changes.emit("change")
    })
  }

  static async connect(port: number): Promise<TestDevice> {
    const socket = connect(port, host)
    const device = new TestDevice(socket)
    await once(socket, "connect")
    return device
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes)
  }

  /** The next bytes from the server, in hexadecimal; what came before if the connection ends. */
  async receive(count: number): Promise<string> {
    const deadline = Date.now() + 10_000
    while (this.#received.length < count && !this.isClosed && Date.now() < deadline) await this.#changed()
    const taken = this.#received.subarray(0, count)
    this.#received = this.#received.subarray(taken.length)
    return taken.toString("hex")
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await this.#changed()
  }

  /** Waits for bytes or the end of the connection, for a tenth of a second at most. */
  async #changed(): Promise<void> {
    await once(this.#changes, "change", { signal: AbortSignal.timeout(100) }).catch(() => undefined)
  }

  end(): void {
    this.socket.destroy()
  }
}

export interface AvlRecord {
  time: number
  latitude: number
  longitude: number
  speed?: number
}

export function teltonikaLogin(imei: string): Uint8Array {
  return Buffer.concat([Buffer.from([0, imei.length]), Buffer.from(imei)])
}

/** A Codec 8 packet: ignition on, 14.2 V, 2,656 km. */
export function teltonikaPacket(records: readonly AvlRecord[]): Uint8Array {
  const data = Buffer.concat([
    Buffer.from([0x08, records.length]),
    ...records.map(avlRecord),
    Buffer.from([records.length]),
  ])
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 4)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc16Ibm(data))
  return Buffer.concat([head, data, checksum])
}

function avlRecord({ time, latitude, longitude, speed = 36 }: AvlRecord): Buffer {
  const record = Buffer.alloc(24)
  record.writeBigUInt64BE(BigInt(time))
  record.writeInt32BE(Math.round(longitude * 1e7), 9)
  record.writeInt32BE(Math.round(latitude * 1e7), 13)
  record.writeInt16BE(12, 17)
  record.writeUInt16BE(90, 19)
  record.writeUInt8(9, 21)
  record.writeUInt16BE(speed, 22)
  const elements = Buffer.from("0004" + "02ef017155" + "01423799" + "011000288" + "7e000", "hex")
  return Buffer.concat([record, elements])
}
