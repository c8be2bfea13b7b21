import { Button, Group, Select, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { type ListedTask, withHeadingTexts } from "../work/tasks/tasks.queries.ts"
import { messageLogQuery, type Template, type TemplateBody } from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"

interface TemplateTrialProps {
  template: Template
  draft: TemplateBody
}

/** The texts as they are typed with a real task; and the saved template sent to an address of one's own. */
export function TemplateTrial({ template, draft }: TemplateTrialProps) {
  const t = useMessages(messagingMessages)
  const [taskId, setTaskId] = useState<string | null>(null)
  const [recipient, setRecipient] = useState("")
  const messageTemplateId = template._id
  const { subject = "", body = "", language = "" } = draft
  const preview = useAction(() =>
    dataOf(
      server.post("/api/v3/customer-message-template/{messageTemplateId}/preview", {
        messageTemplateId,
        body: { taskId: taskId ?? "", subject, body, language },
      }),
    ),
  )
  const test = useAction(
    () =>
      server.post("/api/v3/customer-message-template/{messageTemplateId}/test", {
        messageTemplateId,
        body: { taskId: taskId ?? "", recipient },
      }),
    { refreshes: [messageLogQuery.queryKey], done: () => t("resent") },
  )
  return (
    <section aria-label={t("preview")} className="panel-form">
      <TaskChoice flowId={draft.flowId ?? undefined} value={taskId} onChange={setTaskId} />
      <TextInput
        label={t("testRecipient")}
        description={t("testText")}
        {...bindText(recipient, setRecipient)}
      />
      <Group gap="xs" mt="xs">
        <Button
          variant="default"
          disabled={taskId === null}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          {t("preview")}
        </Button>
        <Button
          variant="default"
          disabled={taskId === null || recipient === ""}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t("sendTest")}
        </Button>
      </Group>
      <FormError error={preview.error ?? test.error} />
      {preview.data ? (
        <p className="customer-comment" dir="auto">
          {template.kind === "email" ? `${preview.data.subject}\n\n` : ""}
          {preview.data.body}
        </p>
      ) : null}
    </section>
  )
}

const maxTasks = 20

const taskChoicesQuery = (q: string, flowId: string | undefined) =>
  queryOptions({
    queryKey: ["tasks", "choices", q, flowId],
    queryFn: async ({ signal }) => {
      const query = {
        ...(q === "" ? {} : { q }),
        ...(flowId === undefined ? {} : { flowId }),
        ...{ limit: maxTasks, sortBy: "updatedTime", sortOrder: "desc" as const },
        fields: "title,flow,startTime",
      }
      const { tasks } = await server.get("/api/v3/tasks", { query, signal })
      return withHeadingTexts<ListedTask>(tasks.data)
    },
    placeholderData: keepPreviousData,
  })

interface TaskChoiceProps {
  flowId: string | undefined
  value: string | null
  onChange(taskId: string | null): void
}

/** A task by what its fields contain; the latest ones while nothing is typed. */
function TaskChoice({ flowId, value, onChange }: TaskChoiceProps) {
  const t = useMessages(messagingMessages)
  const formats = useFormats()
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  // Choosing one writes its label into the field.
  const [search] = useDebouncedValue(text === chosen?.label ? "" : text.trim(), 250)
  const { data: tasks = [] } = useQuery(taskChoicesQuery(search, flowId))
  const found = tasks.map(({ _id, title, flow, startTime }) => ({
    value: _id,
    // Each part keeps its own reading direction.
    label: [title, flow, startTime && formats.dateTime(startTime)]
      .filter(Boolean)
      .map((part) => `\u2068${part}\u2069`)
      .join(" · "),
  }))
  const isListed = chosen === undefined || found.some((task) => task.value === chosen.value)
  return (
    <Select
      label={t("previewTask")}
      placeholder={t("findTask")}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={t("noTask")}
      data={isListed ? found : [chosen, ...found]}
      value={value}
      onChange={(taskId, option) => {
        setChosen(taskId === null ? undefined : { value: taskId, label: option?.label ?? "" })
        onChange(taskId)
      }}
    />
  )
}
