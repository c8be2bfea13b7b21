import type { Ask, OtherRow, ReadCollection } from "../reader.ts"
import { entriesIn, instantOf, type JsonObject, joined, listIn, objectOf, pointOf, textOf } from "./json.ts"

const states = ["unassigned", "assigned", "active", "completed"]

/** Onfleet: the API key is the user name of Basic authentication. */
export const onfleet: Readonly<Record<"tasks" | "workers" | "hubs", ReadCollection>> = {
  async *tasks(ask, { token, from, to }) {
    const workers = new Map((await list(ask, "/workers", token)).map(({ id, name }) => [id, textOf(name)]))
    const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T23:59:59Z`)]
    let lastId: unknown
    do {
      const after = lastId === undefined ? "" : `&lastId=${encodeURIComponent(String(lastId))}`
      const page = await ask(`/tasks/all?from=${start}&to=${end}${after}`, { headers: basic(token) })
      yield entriesIn(objectOf(page).tasks).map((task) => taskRow(task, workers))
      const next = objectOf(page).lastId
      lastId = next === lastId ? undefined : next
    } while (lastId !== undefined && lastId !== null)
  },
  async *workers(ask, { token }) {
    yield (await list(ask, "/workers", token)).map((worker): OtherRow => {
      const vehicle = objectOf(worker.vehicle)
      return {
        ID: textOf(worker.id),
        Name: textOf(worker.name),
        Phone: textOf(worker.phone),
        Coordinate: pointOf(worker.location),
        Vehicle: joined(vehicle.description, vehicle.licensePlate, vehicle.type),
      }
    })
  },
  async *hubs(ask, { token }) {
    yield (await list(ask, "/hubs", token)).map(
      (hub): OtherRow => ({
        ID: textOf(hub.id),
        Name: textOf(hub.name),
        Address: addressOf(objectOf(hub.address)),
        Coordinate: pointOf(hub.location),
      }),
    )
  },
}

function taskRow(task: JsonObject, workers: ReadonlyMap<unknown, string>): OtherRow {
  const destination = objectOf(task.destination)
  const recipients = listIn(task.recipients) ?? []
  const [recipient = {}] = recipients
  return {
    ID: textOf(task.shortId) || textOf(task.id),
    Name: textOf(recipient.name),
    Phone: textOf(recipient.phone),
    Address: addressOf(objectOf(destination.address)),
    Coordinate: pointOf(destination.location),
    Notes: [task.notes, destination.notes, recipient.notes].map(textOf).filter(Boolean).join("\n"),
    "Start Time": instantOf(task.completeAfter),
    "End Time": instantOf(task.completeBefore),
    Status: states[Number(task.state)] ?? "",
    "Assigned To": workers.get(task.worker) ?? textOf(task.worker),
    Pickup: task.pickupTask === true ? "yes" : "",
    Quantity: textOf(task.quantity),
    ...Object.fromEntries(
      (listIn(task.metadata) ?? []).map(({ name, value }) => [textOf(name) || "Metadata", textOf(value)]),
    ),
  }
}

function addressOf({
  unparsed,
  name,
  apartment,
  number,
  street,
  postalCode,
  city,
  state,
  country,
}: JsonObject): string {
  if (!textOf(street) && textOf(unparsed)) return textOf(unparsed)
  return joined(
    [textOf(number), textOf(street)].join(" ").trim(),
    apartment,
    name,
    postalCode,
    city,
    state,
    country,
  )
}

async function list(ask: Ask, path: string, token: string) {
  return entriesIn(await ask(path, { headers: basic(token) }))
}

function basic(token: string) {
  return { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` }
}
