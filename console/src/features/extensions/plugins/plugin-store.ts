import { useSyncExternalStore } from "react"
import type { Panel, TaskAction } from "./plugin-messages-in.ts"

/** What one running plugin shows in the console, or why it no longer runs. */
export interface Contribution {
  pluginId: string
  name: string
  menuTitle: string | undefined
  actions: readonly TaskAction[]
  panels: readonly Panel[]
  problem: Problem | undefined
  notify(event: "action" | "press", content: Record<string, unknown>): void
}

/** `failed`: its own error, it goes on. The others stopped it. */
export type Problem =
  | { kind: "failed"; message: string }
  | { kind: "silent" | "tooManyMessages" | "tooLarge"; message: string }

let contributions: ReadonlyMap<string, Contribution> = new Map()
const listeners = new Set<() => void>()

function publish(next: Map<string, Contribution>): void {
  contributions = next
  for (const listener of listeners) listener()
}

export function contribute(pluginId: string, change: (before: Contribution) => Contribution): void {
  const before = contributions.get(pluginId)
  if (before) publish(new Map(contributions).set(pluginId, change(before)))
}

export function addContribution(contribution: Contribution): void {
  publish(new Map(contributions).set(contribution.pluginId, contribution))
}

export function removeContribution(pluginId: string): void {
  const next = new Map(contributions)
  if (next.delete(pluginId)) publish(next)
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Everything that running plugins show, by the plugin's id. */
export function useContributions(): ReadonlyMap<string, Contribution> {
  return useSyncExternalStore(listen, () => contributions)
}
