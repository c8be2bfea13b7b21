import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Transform } from "node:stream"
import type { TestContext } from "node:test"

export type LineState = "open" | "cut" | "frozen" | keyof typeof refusals

/** A line to PostgreSQL that can be cut, held, or respond like a full server or a pooler. */
export interface FaultLine {
  url: string
  set(state: LineState): void
  /** Cuts the line once so many bytes went through it, either way, from now on. */
  cutAfter(bytes: number): void
}

/** What the server sends instead of a session, in wire format. */
const refusals = {
  full: { code: "53300", message: "sorry, too many clients already" },
  starting: { code: "57P03", message: "the database system is starting up" },
  pooler: { code: "08P01", message: "unsupported startup parameter: statement_timeout" },
}

function isRefusal(state: LineState): state is keyof typeof refusals {
  return state in refusals
}

function refusal({ code, message }: { code: string; message: string }): Buffer {
  const fields = ["SFATAL", "VFATAL", `C${code}`, `M${message}`].map((field) => `${field}\0`).join("")
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Stands between the service and the database at `databaseUrl` (a Unix socket, as tests have it). */
export async function faultLine(t: TestContext, databaseUrl: string): Promise<FaultLine> {
  const database = new URL(databaseUrl)
  const folder = database.searchParams.get("host")
  const target = folder
    ? { path: `${folder}/.s.PGSQL.5432` }
    : { host: database.hostname, port: Number(database.port || 5432) }
  let state: LineState = "open"
  let room = Infinity
  const pairs = new Set<readonly [Socket, Socket]>()
  /** What a frozen line holds. To pause a socket is not enough: its pipe resumes it. */
  let held: (() => void)[] = []
  const gate = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        room -= chunk.length
        const forward = () => done(null, chunk)
        if (state === "frozen") held.push(forward)
        else forward()
        if (room <= 0) set("cut")
      },
    })
  const server = createServer({ noDelay: true }, (near) => {
    near.on("error", () => undefined)
    if (state === "cut") return near.destroy()
    if (isRefusal(state)) return near.end(refusal(refusals[state]))
    const far = connect({ ...target, noDelay: true } as { host: string; port: number; noDelay: true })
    const pair = [near, far] as const
    pairs.add(pair)
    far.on("error", () => near.destroy())
    near.pipe(gate()).pipe(far)
    far.pipe(gate()).pipe(near)
    near.on("close", () => {
      pairs.delete(pair)
      far.destroy()
    })
    far.on("close", () => near.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const dropAll = () => {
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  t.after(() => {
    dropAll()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const user = database.searchParams.get("user") ?? (database.username || "fieldway")
  function set(next: LineState): void {
    state = next
    room = Infinity
    if (next === "cut" || isRefusal(next)) dropAll()
    if (next === "frozen") return
    const released = held
    held = []
    for (const forward of released) forward()
  }
  return {
    url: `postgres://${user}@127.0.0.1:${port}${database.pathname}`,
    set,
    cutAfter(bytes) {
      room = bytes
    },
  }
}
