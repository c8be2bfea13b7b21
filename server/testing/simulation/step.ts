import type { Company, Member } from "./company.ts"
import type { FeedReader } from "./history.ts"
import type { Model } from "./model.ts"
import type { Random } from "./random.ts"
import type { Resources } from "./resources.ts"
import type { Watcher } from "./watcher.ts"
import type { World } from "./world.ts"

/** One decision of the run: everything in it follows from the seed and its place, whatever happened before. */
export interface Step {
  index: number
  random: Random
  world: World
  company: Company
  model: Model
  /** A console of the owner that stays open. */
  watcher: Watcher
  resources: Resources
  /** An integration of the owner, which reads the feed after every step. */
  feed: FeedReader
  /** An integration of a member, which reads the feed now and then. */
  feedOf(member: Member): FeedReader
  /** Keeps a line for the report of a failure. */
  note(line: string): void
}

/** Something that somebody does. It leaves the model as the service must be. */
export interface Action {
  name: string
  /** How often, compared with the others, by the hour of the simulated day. */
  weight(hour: number): number
  run(step: Step): Promise<void>
}

/** A new key for a call that must happen once. */
export function once({ model, index }: Step): Record<string, string> {
  model.keys += 1
  return { "idempotency-key": `step-${index}-${model.keys}-of-the-simulation` }
}

/** A person who plans in some hub, and one of those hubs. */
export function aPlanner({ random, company }: Step): { planner: Member; hubId: string } {
  const planner = random.pick(company.planners)
  return { planner, hubId: random.pick(planner.hubIds) }
}

export const during = (from: number, to: number, weight: number) => (hour: number) =>
  hour >= from && hour < to ? weight : weight / 20
