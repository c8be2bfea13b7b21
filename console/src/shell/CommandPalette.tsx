import "./palette.css"
import { Modal, TextInput, UnstyledButton } from "@mantine/core"
import {
  type Icon,
  IconBook2,
  IconBuildingWarehouse,
  IconDatabase,
  IconListCheck,
  IconPlus,
  IconRoute2,
  IconSearch,
  IconUser,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type KeyboardEvent, useId, useMemo, useState } from "react"
import { server } from "../api/server.ts"
import { hubsQuery } from "../features/organization/hubs/hubs.queries.ts"
import { usersQuery } from "../features/people/users/users.queries.ts"
import { dataTypesQuery } from "../features/work/data-types/data-types.queries.ts"
import { flowsQuery } from "../features/work/flows/flows.queries.ts"
import { type ListedTask, withHeadingTexts } from "../features/work/tasks/tasks.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { paths } from "../paths.ts"
import { useSession } from "../session/session.ts"
import { shellMessages } from "./messages.ts"
import { navigation } from "./navigation.ts"
import { paletteMessages } from "./palette-messages.ts"

interface Command {
  id: string
  label: string
  kind: string
  icon: Icon
  run(): void
}

const maxShown = 12
const fewestLetters = 2

/** Every page, every thing with a name and the most frequent actions, reached by typing a few letters. */
export default function CommandPalette({ onClose }: { onClose(): void }) {
  const t = useMessages(paletteMessages)
  const [words, setWords] = useState("")
  const [active, setActive] = useState(0)
  const listId = useId()
  const commands = useCommands(words)
  const shown = useMemo(() => matching(commands, words), [commands, words])
  const chosen = Math.min(active, Math.max(0, shown.length - 1))
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(shown.length - 1, chosen + 1))
    else if (event.key === "ArrowUp") setActive(Math.max(0, chosen - 1))
    else if (event.key === "Enter") run(shown[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      aria-label={t("title")}
    >
      <TextInput
        aria-label={t("placeholder")}
        placeholder={t("placeholder")}
        leftSection={<IconSearch size={18} />}
        variant="unstyled"
        size="lg"
        px="sm"
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[chosen] ? `${listId}-${chosen}` : undefined}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={press}
      />
      <div className="palette" id={listId} role="listbox" aria-label={t("title")}>
        {shown.length === 0 ? <p className="quiet palette-empty">{t("nothing")}</p> : null}
        {shown.map((command, index) => (
          <UnstyledButton
            key={command.id}
            id={`${listId}-${index}`}
            className="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <command.icon size={18} stroke={1.7} aria-hidden />
            <span className="truncate">{command.label}</span>
            <span className="quiet palette-kind">{command.kind}</span>
          </UnstyledButton>
        ))}
      </div>
      <p className="quiet palette-help">{t("help")}</p>
    </Modal>
  )
}

/** What can be reached now: pages and things that are read already, and tasks by the letters that were typed. */
function useCommands(words: string): Command[] {
  const t = useMessages(paletteMessages)
  const tShell = useMessages(shellMessages)
  const session = useSession()
  const { may } = session
  const navigate = useNavigate()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: flows = [] } = useQuery({ ...flowsQuery, enabled: may("view/flow") })
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: may("view/dataType") })
  const q = words.trim()
  const { data: tasks = [] } = useQuery({
    queryKey: ["tasks", "palette", q],
    enabled: q.length >= fewestLetters && may("view/task"),
    queryFn: async ({ signal }) => {
      const query = { q, limit: 6, fields: "title,content" }
      const answer = await server.get("/api/v3/tasks", { query, signal })
      return withHeadingTexts<Pick<ListedTask, "_id" | "title" | "content">>(answer.tasks.data)
    },
  })
  const go =
    (to: string, search: Record<string, unknown> = {}) =>
    () =>
      void navigate({ to, search })
  const pages = navigation.flatMap((group) =>
    group.entries
      .filter((entry) => entry.isOffered(session))
      .map(
        (entry): Command => ({
          id: entry.to,
          label: tShell(entry.label),
          kind: t("page"),
          icon: entry.icon,
          run: go(entry.to),
        }),
      ),
  )
  const actions: Command[] = [
    ...(may("add/task")
      ? [
          {
            id: "create",
            label: t("newTask"),
            kind: t("action"),
            icon: IconPlus,
            run: go(paths.tasks, { create: true }),
          },
        ]
      : []),
    ...(may("import/data")
      ? [
          {
            id: "import",
            label: t("importTasks"),
            kind: t("action"),
            icon: IconPlus,
            run: go(paths.importTasks),
          },
        ]
      : []),
    ...(may("add/flow")
      ? [{ id: "flow", label: t("newFlow"), kind: t("action"), icon: IconPlus, run: go(paths.flowNew) }]
      : []),
    ...(may("add/dataType")
      ? [{ id: "type", label: t("newType"), kind: t("action"), icon: IconPlus, run: go(paths.dataTypeNew) }]
      : []),
    { id: "account", label: tShell("account"), kind: t("page"), icon: IconUser, run: go(paths.account) },
    {
      id: "docs",
      label: tShell("api"),
      kind: t("page"),
      icon: IconBook2,
      run: () => void window.open("/docs", "_blank", "noopener"),
    },
  ]
  const things: Command[] = [
    ...hubs.map((hub) => ({
      id: hub._id,
      label: hub.name,
      kind: t("hub"),
      icon: IconBuildingWarehouse,
      run: go(paths.tasks, { hub: hub._id }),
    })),
    ...flows.map((flow) => ({
      id: flow._id,
      label: flow.name,
      kind: t("flow"),
      icon: IconRoute2,
      run: () => void navigate({ to: paths.flow, params: { flowId: flow._id } }),
    })),
    ...types.map((type) => ({
      id: type._id,
      label: type.name,
      kind: t("data"),
      icon: IconDatabase,
      run: () => void navigate({ to: paths.dataType, params: { dataTypeId: type._id } }),
    })),
    ...users.map((user) => ({
      id: user._id,
      label: user.name,
      kind: t("person"),
      icon: IconUser,
      run: go(paths.tasks, { assignee: user.email }),
    })),
  ]
  const found = tasks.map((task) => ({
    id: task._id,
    label: [task.title, task.content].filter(Boolean).join(" · ") || t("task"),
    kind: t("task"),
    icon: IconListCheck,
    run: go(paths.tasks, { task: task._id }),
  }))
  return [...pages, ...actions, ...found, ...(q === "" ? [] : things)]
}

/** Those whose name has all the words; names that begin with them first. */
function matching(commands: readonly Command[], words: string): Command[] {
  const wanted = words.trim().toLowerCase().split(/\s+/)
  const scored = commands.flatMap((command) => {
    const label = command.label.toLowerCase()
    if (command.icon !== IconListCheck && !wanted.every((word) => label.includes(word))) return []
    return [{ command, rank: label.startsWith(wanted[0] ?? "") ? 0 : 1 }]
  })
  return scored
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxShown)
    .map(({ command }) => command)
}
