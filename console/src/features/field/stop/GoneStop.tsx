import { Button } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { isTaskOutcome } from "#shared/task-outcomes.ts"
import { typedValues, valueText } from "#shared/values.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Translate } from "../../../i18n/messages.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { ComponentField } from "../../work/flows/fields/ComponentField.tsx"
import { componentsOf, type Flow, type FlowComponent } from "../../work/flows/flows.queries.ts"
import { stampOf } from "../clock.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { myFlowQuery } from "../field.queries.ts"
import { useField } from "../field-context.ts"
import type { Draft } from "../kept/field-drafts.ts"
import { newName } from "../kept/storage.ts"
import { fieldMessages } from "../messages.ts"
import { noticeMessages } from "../notice-messages.ts"
import { moreOf } from "./stop-rules.ts"

/** A stop that is no longer the person's: what they had entered for it, and what can become of that. */
export function GoneStop({ taskId, draft }: { taskId: string; draft: Draft }) {
  const t = useMessages(fieldMessages)
  const tNotice = useMessages(noticeMessages)
  const { store, refresh } = useField()
  const { data: flow } = useQuery({
    ...myFlowQuery(store, draft.flowId ?? ""),
    enabled: draft.flowId !== undefined,
    retry: false,
  })
  // From now on the notices name it.
  useEffect(() => void refresh(), [refresh])
  const title = draft.title ?? tNotice("untitled")
  const entered = enteredComponents(draft, flow)
  const more = moreLines(draft, t)
  const { send, discard } = useLeftEntries({ taskId, title, draft, flow })
  return (
    <>
      <FieldHeader title={title} />
      <main className="field-main field-form">
        <p className="field-gone">{t("gone")}</p>
        {more.length + entered.length > 0 ? (
          <>
            <p>{t("goneEntries")}</p>
            {more.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {entered.map((component) => (
              <ComponentField
                key={component.id}
                component={{ ...component, readOnly: true }}
                value={draft.values[component.id]}
                valueFor={(id) => draft.values[id]}
                isLarge
                onChange={() => undefined}
              />
            ))}
            <Button size="lg" fullWidth onClick={() => void send()}>
              {t("sendToPlanner")}
            </Button>
            <CopyText
              size="lg"
              fullWidth
              text={[title, ...more, ...entered.flatMap((one) => linesOf(one, draft))].join("\n")}
            />
            <Button size="lg" fullWidth variant="light" color="red" onClick={() => void discard()}>
              {tNotice("discard")}
            </Button>
          </>
        ) : null}
        <Button component={Link} to={paths.field} variant="default" size="lg">
          {t("back")}
        </Button>
      </main>
    </>
  )
}

/** The components with an entry. Where the flow is not on the phone, their ids are their titles. */
function enteredComponents({ values }: Draft, flow: Flow | undefined): FlowComponent[] {
  const isEmpty = (value: unknown) => ["", undefined, null].includes(value as "") || String(value) === ""
  const ids = Object.keys(values).filter((id) => !isEmpty(values[id]))
  const known = flow ? componentsOf(flow).filter(({ id }) => ids.includes(id)) : []
  const others = ids.filter((id) => !known.some((one) => one.id === id))
  return [...known, ...others.map((id): FlowComponent => ({ id, component: "input", title: id }))]
}

/** An entry as text; a photo, a signature or a recording is none. */
function linesOf({ id, title }: FlowComponent, { values }: Draft): string[] {
  const text = valueText(values[id])
  return text === null || /^data:|\/files\//.test(text) ? [] : [`${title ?? id}: ${text}`]
}

function moreLines({ more }: Draft, t: Translate<typeof fieldMessages>): string[] {
  const { outcome, outcomeReason, lateReason } = more
  return [
    ...(isTaskOutcome(outcome) ? [t(outcome)] : []),
    ...(outcomeReason ? [`${t("reason")}: ${String(outcomeReason)}`] : []),
    ...(lateReason ? [`${t("lateReason")}: ${String(lateReason)}`] : []),
  ]
}

interface LeftEntries {
  taskId: string
  title: string
  draft: Draft
  flow: Flow | undefined
}

function useLeftEntries({ taskId, title, draft, flow }: LeftEntries) {
  const t = useMessages(noticeMessages)
  const navigate = useNavigate()
  const client = useQueryClient()
  const { user } = useSession()
  const { store, send, refresh, setNotKept } = useField()
  const leave = async () => {
    client.removeQueries({ queryKey: ["field-draft", store.personKey, taskId] })
    await refresh()
    await navigate({ to: paths.field })
  }
  return {
    /** Attaches it to the task, for the planner to see; the task itself is left alone. */
    async send() {
      const entry = {
        id: newName(),
        taskId,
        title,
        by: user.email,
        kind: "addition",
        fix: undefined,
      } as const
      const values = flow ? typedValues(componentsOf(flow), draft.values) : draft.values
      const more = flow ? moreOf(flow, draft.more) : draft.more
      try {
        await draft.finish({ ...entry, stamp: stampOf(), more }, values)
      } catch {
        return setNotKept(true)
      }
      await leave()
      await send()
    },
    async discard() {
      if (!window.confirm(t("discardQuestion", { title }))) return
      await draft.discard()
      await leave()
    },
  }
}
