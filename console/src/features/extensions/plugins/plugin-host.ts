import { createBudget, pluginLimits } from "./plugin-limits.ts"
import {
  BadMessage,
  type Panel,
  readAction,
  readAddress,
  readMenuTitle,
  readPanel,
  readPlace,
} from "./plugin-messages-in.ts"
import { addContribution, contribute, type Problem, removeContribution } from "./plugin-store.ts"
import type { RunningPlugin } from "./plugins.queries.ts"

export interface PluginPlace {
  path: string
  task: string | null
  hub: string | null
}

export interface HostOptions {
  plugin: RunningPlugin
  frame: HTMLIFrameElement
  /** The signed-in user, as reported to plugins. */
  me(): Record<string, unknown>
  place(): PluginPlace
  /** It was stopped: its frame has to go. */
  onStop(): void
}

export interface HostedPlugin {
  /** The person went elsewhere. */
  move(place: PluginPlace): void
  stop(): void
}

interface Call {
  id?: unknown
  method?: unknown
  parameters?: unknown
}

/**
 * The console's side of one plugin: takes the port that its frame sends, responds to its calls within the limits, and
 * stops it when it passes them. The frame has an opaque origin; nothing of ours is in it.
 */
export function hostPlugin({ plugin, frame, me, place, onStop }: HostOptions): HostedPlugin {
  const budget = createBudget(pluginLimits.messageBurst, pluginLimits.messagesPerSecond, performance.now())
  const ended = new AbortController()
  let port: MessagePort | undefined
  let reading = 0
  let isAlive = false
  const send = (message: Record<string, unknown>) => port?.postMessage(message)

  addContribution({
    pluginId: plugin.id,
    name: plugin.name,
    menuTitle: undefined,
    actions: [],
    panels: [],
    problem: undefined,
    notify: (event, content) => send({ event, content }),
  })

  const halt = (problem: Problem) => {
    end()
    contribute(plugin.id, (before) => ({ ...before, menuTitle: undefined, actions: [], panels: [], problem }))
    onStop()
  }
  const end = () => {
    window.removeEventListener("message", connect)
    clearInterval(watch)
    port?.close()
    ended.abort()
  }
  const watch = setInterval(() => {
    if (!isAlive) return halt({ kind: "silent", message: "" })
    isAlive = false
    send({ ping: true })
  }, pluginLimits.silenceSeconds * 1000)

  const connect = (event: MessageEvent) => {
    // Only messages of the plugin's frame, which has an opaque origin; any window can post messages here.
    if (port || event.source !== frame.contentWindow || event.origin !== "null") return
    if ((event.data as { fieldwayPlugin?: unknown } | null)?.fieldwayPlugin !== 1) return
    port = event.ports[0]
    if (!port) return
    isAlive = true
    port.onmessage = ({ data }: MessageEvent<unknown>) => take(data)
    send({ event: "page", content: place() })
  }
  window.addEventListener("message", connect)

  const take = (data: unknown) => {
    if (!budget.take(performance.now())) return halt({ kind: "tooManyMessages", message: "" })
    if (sizeOf(data) > pluginLimits.messageCharacters) return halt({ kind: "tooLarge", message: "" })
    isAlive = true
    if (typeof data !== "object" || data === null) return
    const { id, method, parameters } = data as Call
    if (method === "problem") {
      const { message } = (parameters ?? {}) as { message?: unknown }
      const text = String(message ?? "").slice(0, 500)
      contribute(plugin.id, (before) => ({ ...before, problem: { kind: "failed", message: text } }))
    } else if (typeof method === "string" && method !== "pong") {
      void answer(method, parameters).then(
        (result) => send({ id, result }),
        (error: unknown) => send({ id, error: refusalOf(error) }),
      )
    }
  }

  const answer = async (method: string, parameters: unknown): Promise<unknown> => {
    switch (method) {
      case "me":
        return { ...me(), permissions: plugin.permissions }
      case "read":
        return read(parameters)
      case "showPanel": {
        const panel = readPanel(parameters)
        return contribute(plugin.id, (before) => ({
          ...before,
          panels: [...without(before.panels, panel.place), panel],
        }))
      }
      case "hidePanel": {
        const hidden = readPlace(parameters)
        return contribute(plugin.id, (before) => ({ ...before, panels: without(before.panels, hidden) }))
      }
      case "addMenuEntry": {
        const menuTitle = readMenuTitle(parameters)
        return contribute(plugin.id, (before) => ({ ...before, menuTitle }))
      }
      case "addTaskAction": {
        const action = readAction(parameters)
        return contribute(plugin.id, (before) => {
          const others = before.actions.filter(({ id }) => id !== action.id)
          if (others.length >= 5) throw new BadMessage("a plugin adds at most five actions")
          return { ...before, actions: [...others, action] }
        })
      }
      default:
        throw new BadMessage(`there is no call ${method.slice(0, 40)}`)
    }
  }

  /** The server narrows the session to what the plugin was granted: its id goes with the call. */
  const read = async (parameters: unknown): Promise<unknown> => {
    const address = readAddress(parameters, window.location.origin)
    if (reading >= pluginLimits.readsAtOnce) throw new Refusal(429, "Too many reads at once")
    reading += 1
    try {
      const response = await fetch(address, {
        headers: { accept: "application/json", "x-fieldway-plugin": plugin.id },
        credentials: "same-origin",
        redirect: "error",
        signal: AbortSignal.any([ended.signal, AbortSignal.timeout(pluginLimits.readSeconds * 1000)]),
      })
      const text = await response.text()
      if (text.length > pluginLimits.answerCharacters)
        throw new Refusal(413, "The answer is too large: ask for fewer rows or fields")
      const body = JSON.parse(text) as { message?: unknown }
      if (!response.ok) throw new Refusal(response.status, String(body.message ?? ""))
      return body
    } finally {
      reading -= 1
    }
  }

  return {
    move: (where) => send({ event: "page", content: where }),
    stop() {
      end()
      removeContribution(plugin.id)
    },
  }
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function refusalOf(error: unknown): { status: number; message: string } {
  if (error instanceof Refusal) return { status: error.status, message: error.message }
  if (error instanceof BadMessage) return { status: 400, message: error.message }
  return { status: 0, message: "The call did not end" }
}

function without(panels: readonly Panel[], place: Panel["place"]): Panel[] {
  return panels.filter((panel) => panel.place !== place)
}

/** Characters as JSON; what cannot be written as JSON counts as too large. */
function sizeOf(data: unknown): number {
  try {
    return JSON.stringify(data)?.length ?? 0
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
