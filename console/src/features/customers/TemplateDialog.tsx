import { Button, Select, Switch, Textarea, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { languageNames, languages } from "#shared/languages.ts"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { hubsQuery } from "../organization/hubs/hubs.queries.ts"
import { flowsQuery } from "../work/flows/flows.queries.ts"
import { type Channel, type Template, type TemplateBody, templatesQuery } from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"
import { TemplateTrial } from "./TemplateTrial.tsx"

const events = [
  "planned",
  "dayBefore",
  "onTheWay",
  "nextStop",
  "arrived",
  "late",
  "done",
  "failed",
  "receipt",
  "ratingRequest",
  "requestReceived",
  "requestApproved",
  "requestRejected",
] as const
const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }))

interface TemplateDialogProps {
  template: Template | undefined
  channels: readonly Channel[]
  onClose(): void
}

export function TemplateDialog({ template, channels, onClose }: TemplateDialogProps) {
  const t = useMessages(messagingMessages)
  const [draft, setDraft] = useState<TemplateBody>(() => ({
    event: (template?.event ?? "planned") as TemplateBody["event"],
    channelId: template?.channelId ?? channels[0]?._id ?? "",
    hubId: template?.hubId ?? null,
    flowId: template?.flowId ?? null,
    language: (template?.language ?? "") as NonNullable<TemplateBody["language"]>,
    subject: template?.subject ?? "",
    body: template?.body ?? "",
    isActive: template?.isActive ?? true,
  }))
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const choices = (rows: readonly { _id: string; name: string }[]) =>
    rows.map(({ _id, name }) => ({ value: _id, label: name }))
  const change = (part: Partial<TemplateBody>) => setDraft({ ...draft, ...part })
  const done = { refreshes: [templatesQuery.queryKey], onDone: onClose }
  const messageTemplateId = template?._id ?? ""
  const save = useAction(async () => {
    if (template)
      await server.put("/api/v3/customer-message-template/{messageTemplateId}", {
        messageTemplateId,
        body: draft,
      })
    else await server.post("/api/v3/customer-message-template", { body: draft })
  }, done)
  const remove = useAction(
    () => server.delete("/api/v3/customer-message-template/{messageTemplateId}", { messageTemplateId }),
    done,
  )
  const isMail = channels.find(({ _id }) => _id === draft.channelId)?.kind === "email"
  return (
    <FormDialog
      title={template ? t("edit") : t("newTemplate")}
      history={template && { objectType: "message-template", objectId: template._id }}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      size="lg"
      aside={
        template ? (
          <Button color="red" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("delete")}
          </Button>
        ) : undefined
      }
    >
      <div className="customer-columns">
        <Select
          label={t("event")}
          allowDeselect={false}
          data={events.map((value) => ({ value, label: t(`event_${value}`) }))}
          value={draft.event}
          onChange={(event) => change({ event: (event ?? "planned") as TemplateBody["event"] })}
        />
        <Select
          label={t("channel")}
          allowDeselect={false}
          data={choices(channels)}
          value={draft.channelId}
          onChange={(channelId) => change({ channelId: channelId ?? "" })}
        />
        <Select
          label={t("hub")}
          placeholder={t("everyHub")}
          clearable
          searchable
          data={choices(hubs)}
          value={draft.hubId ?? null}
          onChange={(hubId) => change({ hubId })}
        />
        <Select
          label={t("flow")}
          placeholder={t("everyFlow")}
          clearable
          searchable
          data={choices(flows)}
          value={draft.flowId ?? null}
          onChange={(flowId) => change({ flowId })}
        />
      </div>
      <Select
        label={t("language")}
        placeholder={t("everyLanguage")}
        clearable
        data={languageChoices}
        value={draft.language || null}
        onChange={(language) =>
          change({ language: (language ?? "") as NonNullable<TemplateBody["language"]> })
        }
      />
      {isMail ? (
        <TextInput
          label={t("subject")}
          placeholder={t("builtIn")}
          maxLength={200}
          {...bindText(draft.subject ?? "", (subject) => change({ subject }))}
        />
      ) : null}
      <Textarea
        label={t("body")}
        description={t("bodyText")}
        placeholder={t("builtIn")}
        autosize
        minRows={4}
        maxLength={4000}
        {...bindText(draft.body ?? "", (body) => change({ body }))}
      />
      <Switch
        label={t("isActive")}
        {...bindChecked(draft.isActive ?? true, (isActive) => change({ isActive }))}
      />
      {template ? <TemplateTrial template={template} draft={draft} /> : null}
    </FormDialog>
  )
}
