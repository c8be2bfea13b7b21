import { useMantineColorScheme } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import {
  IconBook2,
  IconBuildingWarehouse,
  IconCircleCheck,
  IconDatabase,
  IconFileText,
  IconLanguage,
  IconListCheck,
  IconMapPin,
  IconPalette,
  IconPlus,
  IconRoute2,
  IconSettings,
  IconUser,
  IconUserPlus,
} from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { languageNames, languages } from "#shared/languages.ts"
import { dataOf, server } from "../../api/server.ts"
import { hubsQuery } from "../../features/organization/hubs/hubs.queries.ts"
import { settingsMessages } from "../../features/organization/settings/messages.ts"
import { settingsSections } from "../../features/organization/settings/sections.ts"
import { usersQuery } from "../../features/people/users/users.queries.ts"
import { dataTypesQuery } from "../../features/work/data-types/data-types.queries.ts"
import { flowsQuery } from "../../features/work/flows/flows.queries.ts"
import { taskQuery } from "../../features/work/tasks/tasks.queries.ts"
import { useMessages } from "../../i18n/language.tsx"
import { suggestionsQuery } from "../../map/place/places.queries.ts"
import { paths } from "../../paths.ts"
import { useChooseLanguage } from "../../session/choose-language.ts"
import { useSession } from "../../session/session.ts"
import { shellMessages } from "../messages.ts"
import { navigation } from "../navigation.ts"
import type { Command, CommandGroup } from "./commands.ts"
import { paletteMessages } from "./palette-messages.ts"
import { fewestLetters, useFoundTasks } from "./use-found-tasks.ts"

const typingMilliseconds = 150
const maxTypes = 8
/** Fields of a record that are searched, beside its key. */
const maxTexts = 3

/** What can be reached now: pages and actions, what is read already, and what the server finds by the words. */
export function useCommands(words: string): CommandGroup[] {
  const t = useMessages(paletteMessages)
  const { may } = useSession()
  const go = useGo()
  const [q] = useDebouncedValue(words.trim(), typingMilliseconds)
  const isSearched = q.length >= fewestLetters
  const tasks = useFoundTasks(q, { isActive: isSearched, isOpen: false })
  const records = useFoundRecords(q)
  const { data: places = [] } = useQuery(suggestionsQuery(q, undefined))
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: flows = [] } = useQuery({ ...flowsQuery, enabled: may("view/flow") })
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: may("view/user") })
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: may("view/dataType") })
  const actions = { label: t("actions"), commands: useActions() }
  return [
    { label: t("pages"), commands: usePages() },
    actions,
    {
      label: t("task"),
      isFound: true,
      commands: isSearched
        ? tasks.map(({ id, label }) => ({
            id,
            label,
            icon: IconListCheck,
            run: go(paths.tasks, { task: id }),
          }))
        : [],
    },
    {
      label: t("people"),
      commands: users.map((user) => ({
        id: user._id,
        label: user.name,
        terms: user.email,
        icon: IconUser,
        run: go(paths.tasks, { assignee: user.email }),
      })),
    },
    { label: t("records"), isFound: true, commands: records },
    {
      label: t("places"),
      isFound: true,
      commands:
        isSearched && may("view/tracking")
          ? places.map((place) => ({
              id: `place ${place.place_id}`,
              label: place.display_name,
              icon: IconMapPin,
              run: go(paths.tracking, { at: `${place.lat},${place.lon}` }),
            }))
          : [],
    },
    {
      label: t("hubs"),
      commands: hubs.map((hub) => ({
        id: hub._id,
        label: hub.name,
        icon: IconBuildingWarehouse,
        run: go(paths.tasks, { hub: hub._id }),
      })),
    },
    {
      label: t("flow"),
      commands: flows.map((flow) => ({
        id: flow._id,
        label: flow.name,
        icon: IconRoute2,
        run: go(paths.flow, {}, { flowId: flow._id }),
      })),
    },
    {
      label: t("data"),
      commands: types.map((type) => ({
        id: type._id,
        label: type.name,
        icon: IconDatabase,
        run: go(paths.dataType, {}, { dataTypeId: type._id }),
      })),
    },
  ]
}

function useGo() {
  const navigate = useNavigate()
  return (to: string, search: Record<string, unknown> = {}, params: Record<string, string> = {}) =>
    () =>
      void navigate({ to, search, params })
}

function usePages(): Command[] {
  const tShell = useMessages(shellMessages)
  const tSettings = useMessages(settingsMessages)
  const session = useSession()
  const go = useGo()
  const pages = navigation.flatMap(({ entries }) => entries.filter((entry) => entry.isOffered(session)))
  const sections = settingsSections.filter(
    ({ permission }) => permission === undefined || session.may(permission),
  )
  return [
    ...pages.map(({ to, label, icon }) => ({ id: to, label: tShell(label), icon, run: go(to) })),
    ...sections.map(({ to, label }) => ({
      id: to,
      label: `${tSettings("title")}: ${tSettings(label)}`,
      icon: IconSettings,
      run: go(to),
    })),
    { id: "account", label: tShell("account"), icon: IconUser, run: go(paths.account) },
    {
      id: "docs",
      label: tShell("api"),
      icon: IconBook2,
      run: () => void window.open("/docs", "_blank", "noopener"),
    },
  ]
}

/** Actions apply to the task that is open, or ask for one. */
function useActions(): Command[] {
  const t = useMessages(paletteMessages)
  const tShell = useMessages(shellMessages)
  const { may } = useSession()
  const go = useGo()
  const { setColorScheme } = useMantineColorScheme()
  const chooseLanguage = useChooseLanguage()
  const { task: openId } = useSearch({ strict: false }) as { task?: string }
  const { data: open } = useQuery({ ...taskQuery(openId ?? ""), enabled: openId !== undefined })
  const isOpen = open !== undefined && open.status !== "DONE"
  const title = open?.title ?? t("task")
  const onTask = (action: "assign" | "setStatus", ask: "person" | "status"): Omit<Command, "icon"> => ({
    id: action,
    label: isOpen ? t(`${action}This`, { title }) : t(action),
    next: isOpen ? { ask, taskId: open._id, title } : { ask: "task", action },
  })
  const actions: (Command | false)[] = [
    may("assign/task") && { ...onTask("assign", "person"), icon: IconUserPlus },
    may("edit/task") && { ...onTask("setStatus", "status"), icon: IconCircleCheck },
    may("add/task") && {
      id: "create",
      label: t("newTask"),
      icon: IconPlus,
      run: go(paths.tasks, { create: true }),
    },
    may("import/data") && {
      id: "import",
      label: t("importTasks"),
      icon: IconPlus,
      run: go(paths.importTasks),
    },
    may("add/flow") && { id: "flow", label: t("newFlow"), icon: IconPlus, run: go(paths.flowNew) },
    may("add/dataType") && { id: "type", label: t("newType"), icon: IconPlus, run: go(paths.dataTypeNew) },
    ...(["light", "dark", "auto"] as const).map((scheme) => ({
      id: scheme,
      label: `${tShell("appearance")}: ${tShell(scheme)}`,
      terms: "theme mode tema",
      icon: IconPalette,
      run: () => setColorScheme(scheme),
    })),
    ...languages.map((language) => ({
      id: `language ${language}`,
      label: `${tShell("language")}: ${languageNames[language]}`,
      icon: IconLanguage,
      run: () => chooseLanguage(language),
    })),
  ]
  return actions.filter((action) => action !== false)
}

/** Records whose key has the words; each data type is asked, since only its own fields can be searched. */
function useFoundRecords(q: string): Command[] {
  const go = useGo()
  const { may } = useSession()
  const { data: types = [] } = useQuery({ ...dataTypesQuery, enabled: may("view/dataType") })
  const { data = [] } = useQuery({
    queryKey: ["data-records", "palette", q, types.length],
    enabled: q.length >= fewestLetters && types.length > 0 && may("view/data"),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = types.slice(0, maxTypes).map(async (type) => {
        const texts = type.fields.filter((field) => field.type === "text" && !field.primaryKey)
        const fields = ["dataId", ...texts.slice(0, maxTexts).map(({ id }) => id)]
        const filter = JSON.stringify({
          or: fields.map((field) => ({ field, operator: "contains", value: q })),
        })
        // What another system keeps takes no conditions over several fields.
        const which = type.provider === "external-api" ? { "filter[dataId][contains]": q } : { filter }
        const query = { dataTypeId: type._id, ...which, limit: 3 }
        const { data: records } = await dataOf(server.get("/api/v3/data", { query, signal }))
        return records.map((record) => {
          const words = fields.map((field) => (record as Record<string, unknown>)[field])
          const name = words.filter((word) => typeof word === "string" && word !== "").slice(0, 2)
          return { type, id: String(record._id), key: name.join(" · ") }
        })
      })
      return (await Promise.all(found)).flat()
    },
  })
  if (q.length < fewestLetters) return []
  return data.map(({ type, id, key }) => ({
    id,
    label: `${type.name}: ${key}`,
    icon: IconFileText,
    run: go(paths.dataType, { record: id }, { dataTypeId: type._id }),
  }))
}
