import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Blow, Counted, Faults } from "./faults.ts"
import { FrameReader, failingMessages, StatementNames, splitStartup } from "./wire-messages.ts"

/** A line to PostgreSQL that counts statements and can lose any one of them. */
export interface StepLine extends Counted {
  url: string
  close(): Promise<void>
}

/**
 * Stands between the application and the database at `databaseUrl`. A statement is what the client closes with Sync, or
 * one simple query, whichever driver sends it. `before` cuts the connection instead of passing the statement on; `after`
 * passes it on and cuts before the response comes back; `error` makes PostgreSQL return an error of its own, `timeout` that of
 * its statement timeout; `away` cuts every connection and refuses new ones until the faults are over.
 */
export async function stepLine(databaseUrl: string, faults: Faults): Promise<StepLine> {
  const database = new URL(databaseUrl)
  const folder = database.searchParams.get("host")
  const target = folder
    ? { path: `${folder}/.s.PGSQL.5432` }
    : { host: database.hostname, port: Number(database.port || 5432) }
  const pairs = new Set<() => void>()
  let isAway = false
  faults.onEnd(() => {
    isAway = false
  })
  const dropAll = () => {
    isAway = true
    for (const drop of pairs) drop()
  }
  // Each message is a write of its own: without this, every one after the first waits for a delayed acknowledgement.
  const server = createServer({ noDelay: true }, (near) => {
    near.on("error", () => undefined)
    if (isAway) return near.destroy()
    const far = connect({ ...target, noDelay: true } as { host: string; port: number; noDelay: true })
    const drop = () => {
      pairs.delete(drop)
      near.destroy()
      far.destroy()
    }
    pairs.add(drop)
    far.on("error", drop)
    near.on("close", drop)
    far.on("close", drop)
    relay(near, far, faults, { drop, dropAll })
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const user = database.searchParams.get("user") ?? (database.username || "fieldway")
  return {
    kind: "database",
    blows: (step) =>
      bounds.test(step) ? ["before", "after", "away"] : ["before", "after", "error", "away", "timeout"],
    isDecisive: (step) => /^commit/i.test(step),
    url: `postgres://${user}@127.0.0.1:${port}${database.pathname}`,
    async close() {
      dropAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A transaction that PostgreSQL refuses to end has ended: it leaves no error that could be asked for here. */
const bounds = /^(begin|commit|rollback)/i

/** Passes messages both ways, one statement of the client at a time. */
function relay(
  near: Socket,
  far: Socket,
  faults: Faults,
  { drop, dropAll }: { drop: () => void; dropAll: () => void },
): void {
  const names = new StatementNames()
  const fromClient = new FrameReader()
  const fromServer = new FrameReader()
  let hasStarted = false
  let startup = Buffer.alloc(0)
  let unit: Buffer[] = []
  /** Statements sent and answered on this connection; the response to number `silentFrom` never arrives. */
  let sent = 0
  let answered = 0
  let silentFrom: number | undefined

  const passOn = (blow: Blow | undefined) => {
    if (blow === "before") return drop()
    if (blow === "away") return dropAll()
    if (blow === "error" || blow === "timeout") unit = failingMessages(unit, blow)
    sent += 1
    if (blow === "after") silentFrom = sent
    far.write(Buffer.concat(unit))
    unit = []
  }
  near.on("data", (chunk: Buffer) => {
    if (!hasStarted) {
      startup = Buffer.concat([startup, chunk])
      const parts = splitStartup(startup)
      if (!parts) return
      if (parts.isRefusedEncryption) near.write("N")
      else far.write(parts.packet)
      hasStarted = !parts.isRefusedEncryption
      startup = Buffer.alloc(0)
      if (parts.rest.length > 0) near.emit("data", parts.rest)
      return
    }
    for (const frame of fromClient.push(chunk)) {
      unit.push(frame)
      const type = String.fromCharCode(frame[0] ?? 0)
      names.note(type, frame)
      if (type === "S" || type === "Q") {
        const text = names.takeText()
        // A Sync behind a copy stands for no statement of its own.
        const blow = text === undefined ? undefined : faults.step("database", text)
        // The steps of an attempt may differ from those that were counted before.
        passOn((blow === "error" || blow === "timeout") && bounds.test(text ?? "") ? "before" : blow)
      } else if ("HdcfpX".includes(type)) {
        far.write(Buffer.concat(unit))
        unit = []
      }
      if (near.destroyed) return
    }
  })
  far.on("data", (chunk: Buffer) => {
    const passed: Buffer[] = []
    let isOver = false
    for (const frame of fromServer.push(chunk)) {
      const type = String.fromCharCode(frame[0] ?? 0)
      // The server ignores the Sync behind the start of a copy.
      if (type === "G") sent -= 1
      const isSilent = silentFrom !== undefined && answered >= silentFrom - 1 && !"GHd".includes(type)
      if (type === "Z" && sent > 0) answered += 1
      isOver ||= isSilent && type === "Z" && answered === silentFrom
      if (!isSilent) passed.push(frame)
    }
    // One write: a list has a message for each row.
    if (passed.length > 0) near.write(Buffer.concat(passed))
    if (isOver) drop()
  })
  near.on("end", () => far.end())
}
