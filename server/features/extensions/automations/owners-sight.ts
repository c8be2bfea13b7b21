import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Tx } from "#core/database/database.ts"
import { eachEvent } from "#core/domain-events.ts"
import { seesAllEvents, seesEvent } from "./log/visible-events.ts"
import { findOwner, pauseFor } from "./owner.ts"
import type { AutomationRow } from "./queries.ts"

interface Run {
  automation: AutomationRow
  number: number
}

/** What the owners of automations see of the events of one transaction; asks for each owner once. */
export class OwnersSight {
  readonly #tx: Tx
  readonly #now: Temporal.Instant
  /** Undefined: the automation is paused, as its owner lacks what it needs. */
  readonly #owners = new Map<string, Caller | undefined>()

  constructor(tx: Tx, now: Temporal.Instant) {
    this.#tx = tx
    this.#now = now
  }

  /** Of these runs those whose owner sees the event. `stored` is the condition on the rows of the events. */
  async inSight(runs: readonly Run[], stored: Fragment): Promise<Run[]> {
    const allowed = new Set<Run>()
    const byOwner = Map.groupBy(runs, ({ automation }) => automation.ownerId)
    for (const group of byOwner.values()) {
      const seen = new Map<Caller, ReadonlySet<number> | "all">()
      for (const run of group) {
        const owner = await this.#ownerOf(run.automation)
        if (!owner) continue
        const numbers = seen.get(owner) ?? (await this.#seenBy(owner, group, stored))
        seen.set(owner, numbers)
        if (numbers === "all" || numbers.has(run.number)) allowed.add(run)
      }
    }
    return runs.filter((run) => allowed.has(run))
  }

  async #ownerOf(automation: AutomationRow): Promise<Caller | undefined> {
    if (this.#owners.has(automation.id)) return this.#owners.get(automation.id)
    const found = await findOwner(this.#tx, automation)
    if ("loss" in found) await pauseFor(this.#tx, automation, found.loss, this.#now)
    const owner = "owner" in found ? found.owner : undefined
    this.#owners.set(automation.id, owner)
    return owner
  }

  async #seenBy(owner: Caller, runs: readonly Run[], stored: Fragment): Promise<ReadonlySet<number> | "all"> {
    if (seesAllEvents(owner)) return "all"
    const tx = this.#tx
    const numbers = [...new Set(runs.map(({ number }) => number))]
    const rows = await tx<{ number: number }[]>`
      select number from ${eachEvent(tx, stored)} domain_event
      where number = any (${numbers.map(String)}::bigint[]) and ${seesEvent(tx, owner)}`
    return new Set(rows.map(({ number }) => number))
  }
}
