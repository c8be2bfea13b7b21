import type { OtherRow, ReadCollection } from "../reader.ts"
import { entriesIn, type JsonObject, joined, listIn, objectOf, pointOf, textOf } from "./json.ts"

const pageRows = 100

/** Fleetbase, in the cloud or self-hosted: the API key is a bearer token, lists are read by limit and offset. */
export const fleetbase = {
  orders: pages("orders", orderRows),
  places: pages("places", (place) => ({
    ID: textOf(place.id),
    Name: textOf(place.name),
    Phone: textOf(place.phone),
    Address: addressOf(place),
    Coordinate: pointOf(place.location),
  })),
  contacts: pages("contacts", (contact) => ({
    ID: textOf(contact.internal_id) || textOf(contact.id),
    Name: textOf(contact.name),
    Phone: textOf(contact.phone),
    "E-mail": textOf(contact.email),
    Type: textOf(contact.type),
  })),
  vehicles: pages("vehicles", (vehicle) => ({
    ID: textOf(vehicle.internal_id) || textOf(vehicle.id),
    Name: textOf(vehicle.name) || joined(vehicle.year, vehicle.make, vehicle.model),
    "Plate Number": textOf(vehicle.plate_number),
    VIN: textOf(vehicle.vin),
    Type: textOf(vehicle.type),
    Status: textOf(vehicle.status),
  })),
  drivers: pages("drivers", (driver) => ({
    ID: textOf(driver.internal_id) || textOf(driver.id),
    Name: textOf(driver.name),
    Phone: textOf(driver.phone),
    "E-mail": textOf(driver.email),
    Coordinate: pointOf(driver.location),
    Status: textOf(driver.status),
  })),
} satisfies Record<string, ReadCollection>

/** A row of an order with a drop-off; of one with several stops a row for each. */
function orderRows(order: JsonObject): OtherRow[] {
  const payload = objectOf(order.payload)
  const [pickup, dropoff] = [objectOf(payload.pickup), objectOf(payload.dropoff)]
  const stops = listIn(payload.waypoints) ?? []
  const customer = objectOf(order.customer)
  const id = textOf(order.internal_id) || textOf(order.id)
  return (stops.length > 0 ? stops : [dropoff]).map((stop, index) => ({
    ID: stops.length > 1 ? `${id}-${index + 1}` : id,
    Name: stops.length > 1 ? textOf(stop.name) : textOf(customer.name) || textOf(stop.name),
    Phone: textOf(customer.phone) || textOf(stop.phone),
    Address: addressOf(stop),
    Coordinate: pointOf(stop.location),
    "Pickup Address": addressOf(pickup),
    "Pickup Coordinate": pointOf(pickup.location),
    Notes: textOf(order.notes),
    "Start Time": textOf(order.scheduled_at),
    Type: textOf(order.type),
    Status: textOf(order.status),
    "Assigned To": textOf(objectOf(order.driver_assigned).name),
  }))
}

function pages(collection: string, rowsOf: (item: JsonObject) => OtherRow | OtherRow[]): ReadCollection {
  return async function* (ask, { token }) {
    const headers = { authorization: `Bearer ${token}` }
    for (let offset = 0; ; offset += pageRows) {
      const items = entriesIn(await ask(`/${collection}?limit=${pageRows}&offset=${offset}`, { headers }))
      yield items.flatMap(rowsOf)
      if (items.length < pageRows) return
    }
  }
}

function addressOf(place: JsonObject): string {
  const { address, street1, street2, postal_code: postalCode, city, province, country } = place
  return textOf(address) || joined(street1, street2, postalCode, city, province, country)
}
