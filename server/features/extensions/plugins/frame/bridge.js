/*
 * Runs in a plugin's frame before the plugin's script and gives it the global `fieldway`: version 1 of the
 * interface in docs/plugins.md. Everything goes over one message port to the console, which checks all of it:
 * nothing here is trusted, a plugin may speak to the port itself.
 */
;(() => {
  const version = 1
  const channel = new MessageChannel()
  const port = channel.port1
  /** Calls that wait for their answer, by number. */
  const waiting = new Map()
  /** What the plugin wants to hear, by the name of the event. */
  const listeners = { page: [], action: [], press: [] }
  let count = 0
  let page = { path: "/", task: null, hub: null }

  const call = (method, parameters) =>
    new Promise((resolve, reject) => {
      count += 1
      waiting.set(count, { resolve, reject })
      port.postMessage({ id: count, method, parameters })
    })

  const tell = (name, content) => {
    for (const listener of listeners[name])
      Promise.resolve()
        .then(() => listener(content))
        .catch(report)
  }

  const report = (error) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    port.postMessage({ method: "problem", parameters: { message: message.slice(0, 500) } })
  }

  port.onmessage = ({ data }) => {
    if (data.ping) {
      port.postMessage({ method: "pong" })
    } else if (data.event) {
      if (data.event === "page") page = data.content
      if (data.event in listeners) tell(data.event, data.content)
    } else {
      const { resolve, reject } = waiting.get(data.id) ?? {}
      waiting.delete(data.id)
      if (data.error && reject) {
        reject(Object.assign(new Error(data.error.message), { status: data.error.status }))
      } else if (resolve) {
        resolve(data.result)
      }
    }
  }

  const listenTo = (name) => (listener) => {
    listeners[name].push(listener)
    return () => {
      listeners[name] = listeners[name].filter((other) => other !== listener)
    }
  }

  const fieldway = {
    version,
    /** Who is signed in: { name, email, role, language, timeZone, organization, permissions }. */
    me: () => call("me"),
    /** Where the person is: { path, task, hub }; `task` and `hub` are ids or null. */
    page: () => page,
    /** Calls back now and whenever the person goes to another page or task. */
    onPage: (listener) => {
      const stop = listenTo("page")(listener)
      Promise.resolve()
        .then(() => listener(page))
        .catch(report)
      return stop
    },
    /** Reads an address of the API, such as "/tasks", with the permissions that the plugin was granted. */
    read: (path, query) => call("read", { path, query }),
    /** Shows, or replaces, a panel: { place: "task" | "page", task?, title, blocks }. */
    showPanel: (panel) => call("showPanel", panel),
    hidePanel: (place) => call("hidePanel", { place }),
    /** Adds an entry to the menu, which leads to the plugin's page. */
    addMenuEntry: (entry) => call("addMenuEntry", entry),
    /** Adds a button to every open task: { id, title }. */
    addTaskAction: (action) => call("addTaskAction", action),
    /** A button of `addTaskAction` was pressed: { id, task }. */
    onAction: listenTo("action"),
    /** A button in a panel was pressed: { id, place, task }. */
    onPress: listenTo("press"),
  }
  Object.defineProperty(globalThis, "fieldway", { value: Object.freeze(fieldway) })

  addEventListener("error", (event) => report(event.error ?? event.message))
  addEventListener("unhandledrejection", (event) => report(event.reason))
  // Its parent is the console or nobody: frame-ancestors lets no other page embed it.
  parent.postMessage({ fieldwayPlugin: version }, "*", [channel.port2])
})()
