import type { Clock } from "#core/clock.ts"
import type { Pool } from "#core/database/database.ts"
import { KeyedBuckets } from "../listener/buckets.ts"
import { noteUnknown } from "../queries.ts"
import type { Contact } from "./record-messages.ts"

/** One entry a second of an address, after 20 at once: inventing numbers does not displace the real ones quickly. */
const perAddress = { perSecond: 1, burst: 20 }
const perDevice = { perSecond: 1 / 60, burst: 1 }

/** Lists devices that contacted the installation and are not registered: each at most once a minute. */
export function unknownDevices(sql: Pool, clock: Clock) {
  const addresses = new KeyedBuckets(perAddress)
  const devices = new KeyedBuckets(perDevice)
  return async ({ device, protocol, address }: Contact): Promise<void> => {
    if (!devices.take(device) || !addresses.take(address)) return
    await noteUnknown(sql, { imei: device, protocol, address }, clock.now())
  }
}
