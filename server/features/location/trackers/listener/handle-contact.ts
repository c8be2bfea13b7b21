import { setTimeout as pause } from "node:timers/promises"
import { isBusy } from "#core/errors.ts"
import { type Contact, recordMessages, type TrackerContext } from "../record/record-messages.ts"

/** Tries while the database or the organization has too much to do; meanwhile nothing more is read from the device. */
const maxTries = 20
const pauseMilliseconds = 1_000

/**
 * Stores the messages of a contact and returns whether they may be acknowledged. Devices that are not registered are noted
 * in the list of unknown ones.
 */
export async function handleContact(
  context: TrackerContext,
  noteUnknownDevice: (contact: Contact) => Promise<void>,
  contact: Contact,
  isOver: () => boolean,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await recordMessages(context, contact)
      if (outcome === "unknown") await noteUnknownDevice(contact)
      return outcome === "stored"
    } catch (error) {
      if (!isBusy(error) || attempt === maxTries || isOver()) throw error
      await pause(pauseMilliseconds)
    }
  }
}
