// Counts how much of a task's flow is filled in, beside the task, and on a page of its own for all open tasks.
// @permissions view/task, view/flow

const words = {
  en: {
    title: "Checklist",
    menu: "Checklists",
    filled: "{done} of {all} fields are filled in",
    missing: "Required and empty",
    complete: "Everything that is required is filled in.",
    count: "Count again",
    task: "Task",
    state: "Filled in",
    none: "No task is under way.",
    shown: "The newest {count} tasks that are under way",
  },
  id: {
    title: "Daftar periksa",
    menu: "Daftar periksa",
    filled: "{done} dari {all} isian terisi",
    missing: "Wajib dan masih kosong",
    complete: "Semua yang wajib sudah terisi.",
    count: "Hitung lagi",
    task: "Tugas",
    state: "Terisi",
    none: "Tidak ada tugas yang sedang berjalan.",
    shown: "{count} tugas terbaru yang sedang berjalan",
  },
}

const mostTasks = 50
const flows = new Map()
let word = words.en

start()

async function start() {
  const { language } = await fieldway.me()
  word = words[language] ?? words.en
  await fieldway.addMenuEntry({ title: word.menu })
  await fieldway.addTaskAction({ id: "count", title: word.count })
  fieldway.onAction(({ task }) => showTask(task))
  fieldway.onPress(() => showAll())
  fieldway.onPage(({ task, path }) => {
    if (task) return showTask(task)
    if (path.startsWith("/plugins/")) return showAll()
  })
}

async function showTask(taskId) {
  const { task } = await fieldway.read(`/task/${taskId}`)
  const { all, filled, missing } = count(await componentsOf(task.flowId), task)
  await fieldway.showPanel({
    place: "task",
    task: taskId,
    title: word.title,
    blocks: [
      {
        type: "progress",
        value: all === 0 ? 1 : filled / all,
        label: fill(word.filled, { done: filled, all }),
      },
      missing.length > 0
        ? { type: "facts", facts: [{ name: word.missing, value: missing.join(", ").slice(0, 500) }] }
        : { type: "text", tone: "good", text: word.complete },
    ],
  })
}

async function showAll() {
  const query = { status: "ONGOING", limit: mostTasks }
  const { tasks } = await fieldway.read("/tasks", query)
  const rows = []
  for (const task of tasks.data) {
    const { all, filled } = count(await componentsOf(task.flowId), task)
    rows.push([String(task.title ?? task._id), fill(word.filled, { done: filled, all })])
  }
  await fieldway.showPanel({
    place: "page",
    title: rows.length > 0 ? fill(word.shown, { count: rows.length }) : word.none,
    blocks: [
      { type: "button", id: "again", title: word.count },
      ...(rows.length > 0 ? [{ type: "table", columns: [word.task, word.state], rows }] : []),
    ],
  })
}

/** A flow is read once: it seldom changes while somebody looks at tasks. */
async function componentsOf(flowId) {
  if (!flows.has(flowId)) {
    const { flow } = await fieldway.read(`/flow/${flowId}`)
    flows.set(
      flowId,
      flow.pages.flatMap(({ components }) => components),
    )
  }
  return flows.get(flowId)
}

function count(components, task) {
  const isFilled = ({ id }) => {
    const value = task[id]
    return (
      value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
    )
  }
  const missing = components.filter((component) => component.required && !isFilled(component))
  return {
    all: components.length,
    filled: components.filter(isFilled).length,
    missing: missing.map(({ title, id }) => title ?? id),
  }
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_whole, name) => values[name])
}
