import { otherSystemErrors } from "./errors.ts"
import { coordinateOf, type JsonObject, listIn, objectOf, textOf } from "./json.ts"
import type { OtherRow, ReadCollection } from "./reader.ts"

const types: Readonly<Record<string, string>> = { D: "delivery", P: "pickup", T: "task" }

/** OptimoRoute: orders of a range of dates. The key is part of the address. */
export const optimoroute: Readonly<Record<"orders", ReadCollection>> = {
  async *orders(ask, { token, from, to }) {
    let after: unknown
    do {
      const body = {
        dateRange: { from, to },
        includeOrderData: true,
        includeScheduleInformation: true,
        ...(after === undefined ? {} : { after_tag: after }),
      }
      const page = objectOf(await ask(`/search_orders?key=${encodeURIComponent(token)}`, { body }))
      if (page.success !== true) {
        const reason = [page.code, page.message].map(textOf).filter(Boolean).join(": ")
        throw otherSystemErrors.unusable({ message: `OptimoRoute refused the request: ${reason}` })
      }
      yield (listIn(page.orders) ?? []).map(orderRow)
      after = page.after_tag === after ? undefined : page.after_tag
    } while (typeof after === "string" && after !== "")
  },
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
    Type: types[textOf(data.type)] ?? textOf(data.type),
    "Assigned To": textOf(schedule.driverName) || textOf(schedule.driverSerial),
    ...Object.fromEntries(custom),
  }
}
