import "./dispatch.css"
import { useMediaQuery } from "@mantine/hooks"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react"
import { localOf } from "../../../i18n/day-bounds.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { PageLoading } from "../../../shell/page-states.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import { AssignChoice } from "./AssignChoice.tsx"
import { DeskHeader } from "./DeskHeader.tsx"
import { DragPreview } from "./DragPreview.tsx"
import { createDeskStore, DeskProvider, type Drag } from "./desk-store.ts"
import { useDeskText } from "./desk-text.ts"
import { dayQuery } from "./dispatch.queries.ts"
import { readDispatchSearch } from "./dispatch-search.ts"
import { useDeskLayout } from "./layout.ts"
import { dispatchMessages } from "./messages.ts"
import { NarrowPanels, Panels } from "./Panels.tsx"
import { PastDay } from "./PastDay.tsx"
import { TaskQueue } from "./TaskQueue.tsx"
import { Timeline } from "./timeline/Timeline.tsx"
import { useDispatchDay } from "./use-dispatch-day.ts"
import { dropEvent } from "./use-drag.ts"
import { usePlacing } from "./use-placing.ts"
import { useWindowSync } from "./window-sync.ts"

const DeskMap = lazy(() => import("./map/DeskMap.tsx"))
const TaskPanel = lazy(() => import("../../work/tasks/panel/TaskPanel.tsx"))

export const loader: PageLoader = ({ client, search }) =>
  client.prefetchQuery(dayQuery(search.hub as string | undefined, readDispatchSearch(search).date))

/** The day of the people: tasks, map and timeline on one screen. */
export function DispatchPage() {
  const store = useMemo(createDeskStore, [])
  return (
    <DeskProvider value={store}>
      <DispatchDesk />
    </DeskProvider>
  )
}

function DispatchDesk() {
  const { date, at } = useSearch({ from: "/signed-in/dispatch" })
  const { organization } = useSession()
  const desk = useDispatchDay(date ?? (at && localOf(new Date(at), organization.timeZone).slice(0, 10)))
  return desk ? <OpenDesk desk={desk} /> : <PageLoading />
}

function OpenDesk({ desk }: { desk: NonNullable<ReturnType<typeof useDispatchDay>> }) {
  const t = useMessages(dispatchMessages)
  const { at } = useSearch({ from: "/signed-in/dispatch" })
  const navigate = useNavigate({ from: paths.dispatch })
  const people = usePeopleNames()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const { layout, change } = useDeskLayout()
  const text = useDeskText(desk.day, desk.taskOf)
  const [opened, setOpened] = useState<string>()
  const { place, reorder } = usePlacing(desk)
  const client = useQueryClient()
  useWindowSync(desk.day.date)
  useDrops(place)
  const open = useCallback((taskId: string) => setOpened(taskId), [])
  const close = () => {
    setOpened(undefined)
    void client.invalidateQueries({ queryKey: ["dispatch", "day"] })
  }
  const zoom = useCallback((pixelsPerHour: number) => change({ zoom: pixelsPerHour }), [change])
  const panels: Record<"list" | "map" | "people", ReactNode> = {
    list: <TaskQueue desk={desk} text={text} onOpen={open} />,
    map: (
      <Suspense fallback={<div className="desk-map" aria-busy="true" />}>
        <DeskMap desk={desk} onOpen={open} />
      </Suspense>
    ),
    people: (
      <Timeline
        key={desk.day.date}
        desk={desk}
        text={text}
        chosenZoom={layout.zoom}
        onZoom={zoom}
        onOpen={open}
        onReorder={reorder}
      />
    ),
  }
  const goTo = (moment: string | undefined) =>
    void navigate({
      search: ({ at: _before, ...current }) => ({ ...current, ...(moment ? { at: moment } : {}) }),
      replace: true,
    })
  return (
    <div className="page desk">
      <DeskHeader
        desk={desk}
        layout={layout}
        onLayout={change}
        isPast={at !== undefined}
        onPast={(isPast) => goTo(isPast ? new Date().toISOString() : undefined)}
        onDate={(date) =>
          void navigate({
            search: ({ date: _before, ...current }) => ({ ...current, ...(date ? { date } : {}) }),
            replace: true,
          })
        }
      />
      {desk.day.taskTotal > desk.day.tasks.length ? (
        <p className="desk-notice">
          {t("tooMany", { count: desk.day.tasks.length, total: desk.day.taskTotal })}
        </p>
      ) : null}
      {desk.day.personTotal > desk.day.people.length ? (
        <p className="desk-notice">
          {t("tooManyPeople", { count: desk.day.people.length, total: desk.day.personTotal })}
        </p>
      ) : null}
      {at !== undefined ? (
        <PastDay at={at} date={desk.day.date} onAt={goTo} />
      ) : isNarrow ? (
        <NarrowPanels panels={panels} />
      ) : (
        <Panels panels={panels} layout={layout} onChange={change} />
      )}
      <AssignChoice desk={desk} text={text} onAssign={(ids, email) => place({ ids, email })} />
      <DragPreview desk={desk} text={text} />
      <Suspense fallback={null}>
        {opened ? <TaskPanel taskId={opened} people={people} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

/** Places what was dragged to a person. */
function useDrops(place: ReturnType<typeof usePlacing>["place"]): void {
  const latest = useRef(place)
  useEffect(() => {
    latest.current = place
  })
  useEffect(() => {
    const drop = (event: Event) => {
      const { ids, from, target } = (event as CustomEvent<Drag>).detail
      if (target) latest.current({ ids, email: target.email, from, at: target.at })
    }
    window.addEventListener(dropEvent, drop)
    return () => window.removeEventListener(dropEvent, drop)
  }, [])
}
