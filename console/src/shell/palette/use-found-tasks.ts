import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { server } from "../../api/server.ts"
import { type ListedTask, withHeadingTexts } from "../../features/work/tasks/tasks.queries.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { paletteMessages } from "./palette-messages.ts"

export const fewestLetters = 2

/** Tasks by their words; without words the ones that changed last. `isOpen` leaves out finished ones. */
export function useFoundTasks(words: string, { isActive, isOpen }: { isActive: boolean; isOpen: boolean }) {
  const t = useMessages(paletteMessages)
  const { may } = useSession()
  const q = words.trim()
  const { data = [] } = useQuery({
    queryKey: ["tasks", "palette", q, isOpen],
    enabled: isActive && may("view/task"),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const order = { sortBy: "updatedTime", sortOrder: "desc" as const, limit: 20 }
      const query = { ...(q ? { q } : {}), ...order, fields: "title,flow,content,status" }
      const { tasks } = await server.get("/api/v3/tasks", { query, signal })
      return withHeadingTexts<Pick<ListedTask, "_id" | "title" | "content" | "status">>(tasks.data)
    },
  })
  return data
    .filter(({ status }) => !isOpen || status !== "DONE")
    .map(({ _id, title, content }) => ({
      id: _id,
      label: [title, content].filter(Boolean).join(" · ") || t("task"),
    }))
}
