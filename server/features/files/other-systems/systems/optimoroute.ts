import { ownEntry } from "#core/paging.ts"
import { ReadingError } from "../problem.ts"
import type { Ask, OtherRow, ReadCollection } from "../reader.ts"
import { coordinateOf, entriesIn, type JsonObject, joined, listIn, objectOf, textOf } from "./json.ts"

const types: Readonly<Record<string, string>> = { D: "delivery", P: "pickup", T: "task" }

/** OptimoRoute: orders of a range of dates. The key is part of the address. */
export const optimoroute: Readonly<Record<"orders", ReadCollection>> = {
  async *orders(ask, { token, from, to }) {
    for (const dateRange of rangesOf(from, to)) yield* ordersIn(ask, token, dateRange)
  },
}

/** OptimoRoute takes ranges of at most 35 days. */
const maxDays = 35

function rangesOf(from: string, to: string): { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = []
  const last = Temporal.PlainDate.from(to)
  for (let day = Temporal.PlainDate.from(from); Temporal.PlainDate.compare(day, last) <= 0; ) {
    const end = day.add({ days: maxDays - 1 })
    const until = Temporal.PlainDate.compare(end, last) < 0 ? end : last
    ranges.push({ from: day.toString(), to: until.toString() })
    day = until.add({ days: 1 })
  }
  return ranges
}

async function* ordersIn(ask: Ask, token: string, dateRange: { from: string; to: string }) {
  let after: unknown
  do {
    const body = {
      dateRange,
      includeOrderData: true,
      includeScheduleInformation: true,
      ...(after === undefined ? {} : { after_tag: after }),
    }
    const page = objectOf(await ask(`/search_orders?key=${encodeURIComponent(token)}`, { body }))
    if (page.success !== true) {
      const reason = [page.code, page.message].map(textOf).filter(Boolean).join(": ")
      throw new ReadingError("refused", `OptimoRoute refused the request: ${reason}`, { reason })
    }
    yield entriesIn(page.orders).map(orderRow)
    after = page.after_tag === after ? undefined : page.after_tag
  } while (typeof after === "string" && after !== "")
}

function orderRow(order: JsonObject): OtherRow {
  const data = objectOf(order.data)
  const location = objectOf(data.location)
  const schedule = objectOf(order.scheduleInformation)
  const [slot = {}] = listIn(data.timeWindows) ?? []
  const date = textOf(data.date)
  const at = (time: unknown) => (date && textOf(time) ? `${date} ${textOf(time)}:00` : "")
  const custom = Object.entries(objectOf(data.customFields)).map(([key, value]) => [key, textOf(value)])
  return {
    ID: textOf(data.orderNo) || textOf(order.id),
    Name: textOf(location.locationName),
    Address: textOf(location.address),
    Coordinate: coordinateOf(location.latitude, location.longitude),
    Phone: textOf(data.phone),
    "E-mail": textOf(data.email),
    Notes: textOf(data.notes),
    "Start Time": at(slot.twFrom),
    "End Time": at(slot.twTo),
    Date: date,
    Duration: textOf(data.duration),
    Priority: textOf(data.priority),
    ...Object.fromEntries([1, 2, 3, 4].map((count) => [`Load ${count}`, textOf(data[`load${count}`])])),
    Skills: Array.isArray(data.skills) ? joined(...data.skills) : "",
    Type: ownEntry(types, textOf(data.type)) ?? textOf(data.type),
    "Assigned To": textOf(schedule.driverName) || textOf(schedule.driverSerial),
    ...Object.fromEntries(custom),
  }
}
