import "../../../ui/StatusBadge.css"
import "./list/views.css"
import { Loader } from "@mantine/core"
import { IconPhoto } from "@tabler/icons-react"
import { useInfiniteQuery } from "@tanstack/react-query"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { MoreButton } from "../../../ui/tables/MoreButton.tsx"
import { isOwnFile, localAddress } from "../flows/fields/kept-files.ts"
import { viewMessages } from "./list/view-messages.ts"
import { taskMessages } from "./messages.ts"
import { type ListedTask, type taskPageQuery, withHeadingTexts } from "./tasks.queries.ts"

type GalleryTask = Pick<ListedTask, "_id" | "title" | "doneTime"> & Record<string, unknown>

const tasksAtOnce = 60

/** The photos of finished tasks, newest first. */
export default function TaskGallery({
  query,
  onOpen,
}: {
  query: Parameters<typeof taskPageQuery>[0]
  onOpen(taskId: string): void
}) {
  const t = useMessages(viewMessages)
  const tTask = useMessages(taskMessages)
  const tError = useMessages(errorMessages)
  const formats = useFormats()
  const { flowId: _flow, ...filters } = query
  const gallery = useInfiniteQuery({
    queryKey: ["tasks", "gallery", filters],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const options = {
        ...filters,
        sortBy: "doneTime",
        sortOrder: "desc",
        page: pageParam,
        limit: tasksAtOnce,
      }
      const { tasks } = await server.get("/api/v3/tasks-gallery", { query: options, signal })
      return { tasks: withHeadingTexts<GalleryTask>(tasks.data), isLast: tasks.last_page }
    },
    getNextPageParam: (last, pages) => (last.isLast ? undefined : pages.length + 1),
  })
  const tasks = gallery.data?.pages.flatMap((page) => page.tasks) ?? []
  if (gallery.error)
    return <EmptyState icon={IconPhoto} title={tTask("gallery")} text={errorText(gallery.error, tError)} />
  if (gallery.isPending)
    return (
      <div className="view-loading" aria-busy="true" role="status" aria-label={tTask("gallery")}>
        <Loader />
      </div>
    )
  if (tasks.length === 0)
    return <EmptyState icon={IconPhoto} title={t("galleryTitle")} text={t("galleryText")} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div className="gallery-scroll" tabIndex={0}>
      <ul className="gallery">
        {tasks.flatMap((task) =>
          photosOf(task).map((address) => (
            <li key={address}>
              <button type="button" onClick={() => onOpen(task._id)}>
                {isOwnFile(address) ? (
                  <img
                    src={localAddress(address)}
                    alt={t("photoOf", { title: task.title ?? tTask("untitled") })}
                    loading="lazy"
                  />
                ) : (
                  <code>{address}</code>
                )}
                <span className="truncate">{task.title ?? tTask("untitled")}</span>
                <span className="quiet">{formats.dateTime(task.doneTime)}</span>
              </button>
            </li>
          )),
        )}
      </ul>
      <MoreButton list={gallery} />
    </div>
  )
}

function photosOf(task: GalleryTask): string[] {
  return Object.entries(task).flatMap(([key, value]) =>
    /_\d{1,3}_url$/.test(key) && typeof value === "string" ? [value] : [],
  )
}
