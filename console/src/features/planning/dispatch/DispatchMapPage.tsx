import "./dispatch.css"
import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { PageLoading } from "../../../shell/page-states.tsx"
import { usePeopleNames } from "../../work/tasks/people.ts"
import { AssignChoice } from "./AssignChoice.tsx"
import { DragPreview } from "./DragPreview.tsx"
import { createDeskStore, DeskProvider } from "./desk-store.ts"
import { useDeskText } from "./desk-text.ts"
import { type Desk, useDispatchDay } from "./use-dispatch-day.ts"
import { usePlacing } from "./use-placing.ts"
import { useWindowSync } from "./window-sync.ts"

const DeskMap = lazy(() => import("./map/DeskMap.tsx"))
const TaskPanel = lazy(() => import("../../work/tasks/panel/TaskPanel.tsx"))

/** The map of the desk in a window of its own, for a second screen. What is selected here is selected there. */
export function DispatchMapPage() {
  const store = useMemo(createDeskStore, [])
  return (
    <DeskProvider value={store}>
      <MapWindow />
    </DeskProvider>
  )
}

function MapWindow() {
  const { date } = useSearch({ from: "/signed-in/dispatch/map" })
  const desk = useDispatchDay(date)
  return desk ? <OpenMap desk={desk} /> : <PageLoading />
}

function OpenMap({ desk }: { desk: Desk }) {
  const people = usePeopleNames()
  const text = useDeskText(desk.day, desk.taskOf)
  const [opened, setOpened] = useState<string>()
  const { place } = usePlacing(desk)
  useWindowSync(desk.day.date)
  return (
    <div className="page desk">
      <Suspense fallback={<PageLoading />}>
        <DeskMap desk={desk} onOpen={setOpened} />
      </Suspense>
      <AssignChoice desk={desk} text={text} onAssign={(ids, email) => place({ ids, email })} />
      <DragPreview desk={desk} text={text} />
      <Suspense fallback={null}>
        {opened ? <TaskPanel taskId={opened} people={people} onClose={() => setOpened(undefined)} /> : null}
      </Suspense>
    </div>
  )
}
