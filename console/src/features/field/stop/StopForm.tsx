import { ActionIcon, Alert, Button, Progress } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router"
import { memo, useEffect, useRef, useState } from "react"
import type { TaskOutcome } from "#shared/task-outcomes.ts"
import { typedValues } from "#shared/values.ts"
import { parseTime } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { notifyStatus } from "../../../ui/notify.ts"
import { useNow } from "../../../ui/now.ts"
import { useIsPhotoPending } from "../../work/flows/fields/pending-photos.ts"
import { stopTimers } from "../../work/flows/fields/stopwatch.ts"
import { taskValue } from "../../work/flows/fields/task-value.ts"
import { componentsOf, type Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow, stampOf } from "../clock.ts"
import { currentReach } from "../connection.ts"
import { useField } from "../field-context.ts"
import type { Draft, Values } from "../kept/field-drafts.ts"
import { fixAtHand, keepFixFresh } from "../kept/field-positions.ts"
import { NotKeptError } from "../kept/field-store.ts"
import { type Waiting, waitingTasks } from "../kept/field-sync.ts"
import { newName } from "../kept/storage.ts"
import { fieldMessages } from "../messages.ts"
import { LateReason } from "./LateReason.tsx"
import { recordLeaving } from "./leaving.ts"
import { OutcomeChoice } from "./OutcomeChoice.tsx"
import { noteOpenedStop } from "./opened-stop.ts"
import { PlaceCheck } from "./PlaceCheck.tsx"
import { StopFacts } from "./StopFacts.tsx"
import { StopField } from "./StopField.tsx"
import { StopLinks } from "./StopLinks.tsx"
import { StopMessages } from "./StopMessages.tsx"
import { StopSteps } from "./StopSteps.tsx"
import { stopOf } from "./stop.ts"
import { checkPage, chosenRule, lateRuleOf, moreOf, pagesFor } from "./stop-rules.ts"
import { useStopTimes } from "./stop-times.ts"
import { useStopDraft } from "./use-stop-draft.ts"

const checkMilliseconds = 30_000

interface StopFormProps {
  task: Task
  flow: Flow
  draft: Draft
}

/** Drawn again only when something about the stop changes: finishing it changes what the phone holds. */
export const StopForm = memo(function StopForm({ task, flow, draft }: StopFormProps) {
  const t = useMessages(fieldMessages)
  const stop = useStop(task, flow, draft)
  const { number, pages } = stop
  useEffect(keepFixFresh, [])
  const page = t("page", { number, count: pages.length })
  return (
    <>
      <header className="field-header">
        <ActionIcon component={Link} to={paths.field} size={48} aria-label={t("back")}>
          <IconArrowLeft size={24} />
        </ActionIcon>
        <div className="user-names">
          <h1 className="two-lines" dir="auto">
            {task.title ?? task.flow}
          </h1>
          <span className="user-role">{page}</span>
        </div>
      </header>
      <Progress value={(100 * number) / pages.length} size={6} radius={0} aria-label={page} />
      <StopBody task={task} flow={flow} stop={stop} />
      <StopFooter task={task} stop={stop} />
    </>
  )
})

/** What is entered for a stop, on which page of the flow, and whether it can be finished. */
function useStop(task: Task, flow: Flow, draft: Draft) {
  const form = useStopDraft(task._id, draft)
  const finishing = useFinish(task, flow, draft)
  const navigation = usePages(task._id)
  const [isJudged, setJudged] = useState(false)
  const [isReachable, setReachable] = useState(true)
  const main = useRef<HTMLElement>(null)
  useNow(checkMilliseconds)
  const all = componentsOf(flow)
  const valueFor = (componentId: string) => {
    if (componentId in form.values) return form.values[componentId]
    const component = all.find(({ id }) => id === componentId)
    return component ? taskValue(task, component) : task[componentId]
  }
  const rule = chosenRule(flow, form.more)
  const isSkipped = rule?.outcome === "skipped"
  const pages = pagesFor(flow, rule)
  const number = Math.min(navigation.page, pages.length)
  const isLast = number === pages.length
  const { components, missing } = checkPage(pages[number - 1] ?? [], all, valueFor, rule)
  const now = serverNow()
  // The server refuses to finish what has not begun: better to know before everything is filled in.
  const isEarly = (parseTime(task.startTime)?.getTime() ?? 0) > now && !isSkipped
  const isLate = (parseTime(task.endTime)?.getTime() ?? now) < now && !isSkipped
  const lacksLateReason = isLate && isLast && lateRuleOf(flow).reasonRequired && !form.more.lateReason
  const lacksReason = rule?.reasonRequired === true && !form.more.outcomeReason
  const isMissing = missing.size > 0 || (isLast && (lacksReason || lacksLateReason))
  useFocusOnError(main, isJudged && isMissing, number)
  const forward = async () => {
    setJudged(isMissing)
    if (isMissing) focusFirstError(main.current)
    else if (!isLast) navigation.go(number + 1)
    else await finishing.finish(form.values, form.more, form.sendPhotos)
  }
  const state = { all, pages, number, rule, components, missing }
  const judged = { isJudged, isMissing, lacksReason, lacksLateReason, isEarly, isLate, isLast }
  const isFinishable = !isLast || (!isEarly && (isReachable || isSkipped))
  return {
    ...state,
    ...judged,
    form,
    finishing,
    main,
    valueFor,
    setReachable,
    isFinishable,
    forward,
    navigation,
  }
}

type StopState = ReturnType<typeof useStop>

function StopBody({ task, flow, stop }: { task: Task; flow: Flow; stop: StopState }) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const { form, components, missing, isJudged, isLate, isLast } = stop
  return (
    <main className="field-main field-form" ref={stop.main}>
      {stop.number === 1 ? <StopSummary task={task} flow={flow} /> : null}
      <OutcomeChoice flow={flow} more={form.more} onChange={form.setMore} isJudged={isJudged} />
      {isLate ? (
        <Alert color="yellow" role="status">
          {t("over", { time: times.at(task.endTime) })}
        </Alert>
      ) : null}
      {components.map((component) => (
        <StopField
          key={component.id}
          component={component}
          task={task}
          flow={flow}
          valueFor={stop.valueFor}
          form={form}
          error={isJudged && missing.has(component.id) ? t("needed") : undefined}
        />
      ))}
      {isLast && isLate ? (
        <LateReason flow={flow} more={form.more} onChange={form.setMore} isJudged={isJudged} />
      ) : null}
      <PlaceCheck task={task} flow={flow} onAllowed={stop.setReachable} />
      <MissingFields stop={stop} />
    </main>
  )
}

function MissingFields({ stop }: { stop: StopState }) {
  const t = useMessages(fieldMessages)
  const { all, missing, isJudged, isMissing, lacksReason, lacksLateReason, isLast } = stop
  if (!isJudged || !isMissing) return null
  const titles = [...missing].map((id) => all.find((component) => component.id === id)?.title ?? id)
  const reasons = isLast
    ? [...(lacksReason ? [t("reason")] : []), ...(lacksLateReason ? [t("lateReason")] : [])]
    : []
  return (
    <Alert color="red" role="alert">
      {t("missing", { fields: [...titles, ...reasons] })}
    </Alert>
  )
}

function StopFooter({ task, stop }: { task: Task; stop: StopState }) {
  const t = useMessages(fieldMessages)
  const times = useStopTimes()
  const { form, finishing, number, rule, isLast, isEarly, isMissing, navigation } = stop
  const isPhotoPending = useIsPhotoPending()
  const [isFinishing, setFinishing] = useState(false)
  const forward = async () => {
    setFinishing(isLast && !isMissing)
    await stop.forward()
    setFinishing(false)
  }
  return (
    <footer className="field-footer">
      {form.isNotKept || finishing.isNotKept ? (
        <Alert className="field-footer-alert" color="red" role="alert">
          {t("notKept")}
          <Button mt="xs" size="md" display="block" onClick={form.keepAgain}>
            {t("keepAgain")}
          </Button>
        </Alert>
      ) : null}
      {isEarly && isLast ? (
        <p className="field-footer-hint" role="status">
          {t("early", { time: times.at(task.startTime) })}
        </p>
      ) : null}
      {number > 1 ? (
        <Button size="lg" variant="default" onClick={() => navigation.back()}>
          {t("previous")}
        </Button>
      ) : null}
      <Button
        size="lg"
        style={{ flex: 1 }}
        loading={isFinishing || isPhotoPending}
        disabled={!stop.isFinishable}
        onClick={() => void forward()}
      >
        {isLast ? finishText(rule?.outcome, t) : t("next")}
      </Button>
    </footer>
  )
}

function finishText(outcome: TaskOutcome | undefined, t: Translate<typeof fieldMessages>): string {
  if (outcome === undefined) return t("done")
  return outcome === "skipped" ? t("skipLater") : t("finishAs", { outcome: t(outcome) })
}

function StopSummary({ task, flow }: { task: Task; flow: Flow }) {
  const stop = stopOf(task, flow)
  const times = useStopTimes()
  return (
    <section className="stop-summary">
      <StopFacts task={task} stop={stop} times={times} />
      <StopLinks stop={stop} title={task.title ?? task.flow} />
      <StopSteps task={task} flow={flow} />
      <StopMessages taskId={task._id} />
    </section>
  )
}

/** The page of the flow is part of the address, so that the phone's own Back goes to the one before. */
function usePages(taskId: string) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const router = useRouter()
  const go = (next: number, replace = false) => {
    void navigate({
      to: paths.fieldTask,
      params: { taskId },
      search: next > 1 ? { page: next } : {},
      replace,
    })
    window.scrollTo(0, 0)
  }
  return {
    page,
    go,
    back: () => (router.history.canGoBack() ? router.history.back() : go(page - 1, true)),
  }
}

/** Finishes the stop: kept on the phone first, then sent. What could not be kept stays on the page. */
function useFinish(task: Task, flow: Flow, draft: Draft) {
  const t = useMessages(fieldMessages)
  const navigate = useNavigate()
  const { user } = useSession()
  const { store, send, addWaiting } = useField()
  const [isNotKept, setNotKept] = useState(false)
  const finish = async (values: Values, more: Values, sendPhotos: () => Promise<Values>) => {
    const stamp = stampOf()
    const isSkipped = more.outcome === "skipped"
    const entry: Omit<Waiting, "values"> = {
      id: newName(),
      taskId: task._id,
      title: task.title ?? task.flow,
      by: user.email,
      stamp,
      fix: isSkipped ? undefined : await fixAtHand(),
      ...(isSkipped ? { kind: "progress" as const } : {}),
      more: moreOf(flow, more),
    }
    const ready = (entered: Values) => stopTimers(typedValues(componentsOf(flow), entered), stamp.device)
    try {
      const kept = await draft.finish(entry, ready(values)).catch(async (error: unknown) => {
        if (!(error instanceof NotKeptError)) throw error
        // With a network there is still a way: photos that are sent need no room here.
        return draft.finish(entry, ready(await sendPhotos()))
      })
      addWaiting(kept)
    } catch {
      setNotKept(true)
      return
    }
    noteOpenedStop()
    if (!isSkipped) recordLeaving(store.personKey, task, flow, entry.fix)
    await navigate({ to: paths.field })
    await send()
    const kept = (await waitingTasks(store)).find(({ id }) => id === entry.id)
    // A refusal stands on the page with what can be done about it.
    if (kept?.refusal !== undefined) return
    const unsent = currentReach() === "signedOut" ? "savedSignedOut" : "saved"
    notifyStatus(t(isSkipped ? "skipped" : kept ? unsent : "sent"))
  }
  return { finish, isNotKept }
}

/** Brings the first field that lacks something into view and puts the focus into it. */
function focusFirstError(main: HTMLElement | null): void {
  const field = main?.querySelector("[data-invalid]")
  const input = field?.querySelector<HTMLElement>("input, select, textarea, button, [tabindex]")
  input?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: "center" })
}

function useFocusOnError(main: { current: HTMLElement | null }, isWrong: boolean, page: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per attempt, not with every letter that is typed
  useEffect(() => {
    if (isWrong) focusFirstError(main.current)
  }, [isWrong, page])
}
