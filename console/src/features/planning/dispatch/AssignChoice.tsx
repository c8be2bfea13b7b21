import { Badge, Button, Loader, Popover, TextInput, UnstyledButton } from "@mantine/core"
import { IconUserPlus } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type KeyboardEvent, lazy, Suspense, useState } from "react"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { labelMessages } from "../../work/tasks/label-messages.ts"
import { viewMessages } from "../../work/tasks/list/view-messages.ts"
import { EffectOnRow, TravelSource } from "./DragPreview.tsx"
import { useDesk, useDeskStore } from "./desk-store.ts"
import { type DeskText, spanText } from "./desk-text.ts"
import { type DayTask, type Suggestion, suggestionsQuery } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"
import type { Desk } from "./use-dispatch-day.ts"

const BulkEditDialog = lazy(() => import("../../work/tasks/BulkEditDialog.tsx"))
const BulkDialog = lazy(() => import("../../work/tasks/BulkDialog.tsx"))
const AppointmentDialog = lazy(() => import("./AppointmentDialog.tsx"))

interface AssignChoiceProps {
  desk: Desk
  text: DeskText
  onAssign(ids: readonly string[], email: string | null): void
}

/** Actions on the selected tasks: above all, the choice of who does them. */
export function AssignChoice({ desk, text, onAssign }: AssignChoiceProps) {
  const t = useMessages(dispatchMessages)
  const store = useDeskStore()
  const selected = useDesk((state) => state.selected)
  const isOpen = useDesk((state) => state.isAssigning)
  const setOpen = (next: boolean) => store.set({ isAssigning: next })
  if (selected.size === 0) return null
  const ids = [...selected]
  const assign = (email: string | null) => {
    setOpen(false)
    onAssign(ids, email)
  }
  const hasAssigned = ids.some((id) => (desk.taskOf.get(id)?.assignee.length ?? 0) > 0)
  return (
    <SelectionBar
      count={selected.size}
      onClear={() => store.set({ selected: new Set(), isAssigning: false })}
    >
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="top"
        trapFocus
        returnFocus
        shadow="md"
        withinPortal
      >
        <Popover.Target>
          <Button
            size="xs"
            leftSection={<IconUserPlus size={15} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {t("assign")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className="desk-choice" aria-label={t("assignTo", { count: ids.length })}>
          {isOpen ? <People ids={ids} desk={desk} text={text} onChoose={assign} /> : null}
        </Popover.Dropdown>
      </Popover>
      {hasAssigned ? (
        <Button size="xs" variant="white" color="dark" onClick={() => assign(null)}>
          {t("unassign")}
        </Button>
      ) : null}
      <Appointment key={ids[0]} task={ids.length === 1 ? desk.taskOf.get(ids[0] ?? "") : undefined} />
      <OtherActions ids={ids} />
    </SelectionBar>
  )
}

/** Fields of the selected tasks, such as their times, and deleting them. */
function OtherActions({ ids }: { ids: readonly string[] }) {
  const tLabel = useMessages(labelMessages)
  const tView = useMessages(viewMessages)
  const { may } = useSession()
  const store = useDeskStore()
  const client = useQueryClient()
  const [open, setOpen] = useState<"change" | "remove">()
  const close = () => setOpen(undefined)
  const isDone = () => {
    close()
    store.set({ selected: new Set() })
    void client.invalidateQueries({ queryKey: ["dispatch", "day"] })
  }
  return (
    <>
      {may("edit/task") ? (
        <Button size="xs" variant="white" color="dark" onClick={() => setOpen("change")}>
          {tLabel("change")}
        </Button>
      ) : null}
      {may("delete/task") ? (
        <Button size="xs" variant="white" color="red.9" onClick={() => setOpen("remove")}>
          {tView("delete")}
        </Button>
      ) : null}
      <Suspense fallback={null}>
        {open === "change" ? <BulkEditDialog taskIds={ids} onClose={close} onDone={isDone} /> : null}
        {open === "remove" ? (
          <BulkDialog action="remove" taskIds={ids} onClose={close} onDone={isDone} />
        ) : null}
      </Suspense>
    </>
  )
}

/** Another time for one open task with a place. */
function Appointment({ task }: { task: DayTask | undefined }) {
  const t = useMessages(dispatchMessages)
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!task || task.lat === null || task.status === "DONE" || !may("edit/task")) return null
  return (
    <>
      <Button size="xs" variant="white" color="dark" onClick={() => setOpen(true)}>
        {t("appointment")}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? <AppointmentDialog task={task} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}

interface PeopleProps {
  ids: readonly string[]
  desk: Desk
  text: DeskText
  onChoose(email: string): void
}

const maxShown = 60

function People({ ids, desk, text, onChoose }: PeopleProps) {
  const t = useMessages(dispatchMessages)
  const tError = useMessages(errorMessages)
  const hub = useChosenHub()
  const [sought, setSought] = useState("")
  const { data, error, isPending } = useQuery(suggestionsQuery(ids.slice(0, 100), hub, desk.day.date))
  const words = sought.trim().toLowerCase()
  const others = desk.rows.filter(
    ({ person }) => words === "" || `${person.name} ${person.email}`.toLowerCase().includes(words),
  )
  return (
    <>
      <TextInput
        size="xs"
        data-autofocus
        aria-label={t("searchPeople")}
        placeholder={t("searchPeople")}
        {...bindText(sought, setSought)}
        onKeyDown={(event) => {
          const [only] = others
          if (event.key === "Enter" && words !== "" && only) onChoose(only.person.email)
          else step(event)
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows are a shortcut for the tab key */}
      <div className="desk-choice-people" onKeyDown={step}>
        {words === "" ? (
          <>
            <h2>{t("suggestions")}</h2>
            {isPending ? (
              <p className="quiet desk-searching">
                <Loader size={14} /> {t("searching")}
              </p>
            ) : null}
            {error ? <p className="desk-problem">{errorText(error, tError)}</p> : null}
            {data?.people.length === 0 ? <p className="quiet">{t("noSuggestion")}</p> : null}
            {data?.people.map((person) => (
              <UnstyledButton
                key={person.email}
                className="desk-suggestion"
                onClick={() => onChoose(person.email)}
              >
                <strong>{person.name}</strong>
                <Reasons person={person} text={text} />
              </UnstyledButton>
            ))}
            {data ? <TravelSource isByRoad={data.isByRoad} outOfReach={data.outOfReach} desk={desk} /> : null}
            <h2>{t("everybody")}</h2>
          </>
        ) : null}
        {others.slice(0, maxShown).map((row) => (
          <UnstyledButton
            key={row.person.email}
            className="desk-suggestion"
            onClick={() => onChoose(row.person.email)}
          >
            <strong>{row.person.name}</strong>
            {words === "" ? null : <EffectOnRow ids={ids} at={undefined} row={row} desk={desk} text={text} />}
          </UnstyledButton>
        ))}
      </div>
    </>
  )
}

/** Arrows go from one person to the next. */
function step(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
  const list = event.currentTarget.closest(".desk-choice")
  const people = [...(list?.querySelectorAll<HTMLElement>(".desk-suggestion") ?? [])]
  const at = people.indexOf(document.activeElement as HTMLElement)
  people[event.key === "ArrowDown" ? at + 1 : Math.max(0, at - 1)]?.focus()
  event.preventDefault()
  event.stopPropagation()
}

/** Why somebody is suggested, and what speaks against it. */
function Reasons({ person, text }: { person: Suggestion; text: DeskText }) {
  const t = useMessages(dispatchMessages)
  const { minutesLeft } = person
  const overloaded = person.load.filter(({ load, max }) => load > max)
  return (
    <span className="desk-reasons">
      <Badge color="pine">{t("extra", { minutes: person.extraMinutes })}</Badge>
      {person.arrivalTime === null ? null : (
        <Badge color="gray">{t("arrives", { time: text.clock(person.arrivalTime) })}</Badge>
      )}
      <Badge color="gray">{t("stops", { count: person.stops })}</Badge>
      {minutesLeft === null ? null : (
        <Badge color={minutesLeft < 0 ? "red" : "gray"}>
          {t(minutesLeft < 0 ? "overtime" : "left", { time: spanText(minutesLeft * 60) })}
        </Badge>
      )}
      {person.load
        .filter(({ load }) => load > 0)
        .map(({ name, load, max }) => (
          <Badge key={name} color={load > max ? "red" : "gray"}>
            {name} {Math.round((100 * load) / Math.max(max, 1e-6))} %
          </Badge>
        ))}
      {person.matchingTags.length > 0 ? (
        <Badge color="pine">{t("hasTags", { tags: person.matchingTags })}</Badge>
      ) : null}
      {person.lateStops > 0 ? <Badge color="red">{t("lateStops", { count: person.lateStops })}</Badge> : null}
      {overloaded.length === 0 && person.missingTags.length > 0 && person.vehicle ? (
        <Badge color="yellow">{person.missingTags.join(", ")}</Badge>
      ) : null}
    </span>
  )
}
