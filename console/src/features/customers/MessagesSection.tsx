import { Badge, Button, Group, NumberInput } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { shellMessages } from "../../shell/messages.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { DateTimeInput } from "../../ui/forms/DateTimeInput.tsx"
import { Form } from "../../ui/forms/Form.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { WithHistory } from "../../ui/history/WithHistory.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { hubsQuery } from "../organization/hubs/hubs.queries.ts"
import { flowsQuery } from "../work/flows/flows.queries.ts"
import { ChannelDialog } from "./ChannelDialog.tsx"
import { MessageLog } from "./MessageLog.tsx"
import {
  type Channel,
  channelsQuery,
  type MessageSettings,
  messageSettingsQuery,
  type Template,
  templatesQuery,
} from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"
import { OptOuts } from "./OptOuts.tsx"
import { TemplateDialog } from "./TemplateDialog.tsx"

/** Channels, templates, times and the log of messages to customers. */
export function MessagesSection() {
  const { data: channels } = useQuery(channelsQuery)
  const { data: templates } = useQuery(templatesQuery)
  const { data: settings } = useQuery(messageSettingsQuery)
  if (!channels || !templates || !settings) return null
  return (
    <>
      <Channels channels={channels} />
      {channels.length > 0 ? <Templates channels={channels} templates={templates} /> : null}
      <TimesForm stored={settings} />
      <OptOuts />
      <MessageLog />
    </>
  )
}

function Channels({ channels }: { channels: readonly Channel[] }) {
  const t = useMessages(messagingMessages)
  const [edited, setEdited] = useState<Channel | "new">()
  return (
    <section aria-label={t("channels")}>
      <Head title={t("channels")} action={t("newChannel")} onClick={() => setEdited("new")} />
      {channels.length === 0 ? <p className="quiet">{t("noChannel")}</p> : null}
      <DataTable
        rows={channels}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            kind: "name",
            cell: ({ name, isActive }) => (
              <>
                {name} {isActive ? null : <Badge color="gray">{t("off")}</Badge>}
              </>
            ),
          },
          { title: t("kind"), cell: ({ kind, preset }) => `${t(kind)} · ${preset}` },
          {
            title: t("today"),
            from: "sm",
            kind: "quiet",
            cell: ({ today, dailyCap }) => t("ofCap", { sent: today.messages, cap: dailyCap }),
          },
          { title: t("monthCost"), from: "md", kind: "quiet", cell: ({ month }) => month.cost.toFixed(2) },
          {
            title: t("edit"),
            kind: "actions",
            cell: (channel) => (
              <RowButton label={t("edit")} of={channel.name} onClick={() => setEdited(channel)} />
            ),
          },
        ]}
      />
      {edited ? (
        <ChannelDialog channel={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />
      ) : null}
    </section>
  )
}

function Templates({
  channels,
  templates,
}: {
  channels: readonly Channel[]
  templates: readonly Template[]
}) {
  const t = useMessages(messagingMessages)
  const [edited, setEdited] = useState<Template | "new">()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const nameOf = (channelId: string) => channels.find(({ _id }) => _id === channelId)?.name ?? ""
  const hubName = (hubId: string | null) =>
    hubId === null ? t("everyHub") : hubs.find(({ _id }) => _id === hubId)?.name
  const flowName = (flowId: string | null) =>
    flowId === null ? t("everyFlow") : flows.find(({ _id }) => _id === flowId)?.name
  return (
    <section aria-label={t("templates")}>
      <Head title={t("templates")} action={t("newTemplate")} onClick={() => setEdited("new")} />
      <DataTable
        rows={templates}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("event"),
            kind: "name",
            cell: ({ event, isActive }) => (
              <>
                {t(`event_${event}` as "event_planned")}{" "}
                {isActive ? null : <Badge color="gray">{t("off")}</Badge>}
              </>
            ),
          },
          { title: t("channel"), cell: ({ channelId }) => nameOf(channelId) },
          { title: t("hub"), from: "md", kind: "quiet", cell: ({ hubId }) => hubName(hubId) },
          { title: t("flow"), from: "md", kind: "quiet", cell: ({ flowId }) => flowName(flowId) },
          {
            title: t("language"),
            from: "sm",
            kind: "quiet",
            cell: ({ language }) => language || t("everyLanguage"),
          },
          {
            title: t("body"),
            from: "md",
            kind: "quiet",
            cell: ({ body }) => <span className="customer-comment">{body || t("builtIn")}</span>,
          },
          {
            title: t("edit"),
            kind: "actions",
            cell: (template) => (
              <Button size="compact-sm" variant="default" onClick={() => setEdited(template)}>
                {t("edit")}
              </Button>
            ),
          },
        ]}
      />
      {edited ? (
        <TemplateDialog
          template={edited === "new" ? undefined : edited}
          channels={channels}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </section>
  )
}

function Head({ title, action, onClick }: { title: string; action: string; onClick(): void }) {
  return (
    <div className="toolbar">
      <h2 className="panel-heading" style={{ flex: 1 }}>
        {title}
      </h2>
      <ActionButton icon={IconPlus} label={action} size="xs" onClick={onClick} />
    </div>
  )
}

const times = ["quietFrom", "quietTo", "dayBeforeAt"] as const
const minutes = ["onTheWayMinutes", "lateMinutes", "ratingDelayMinutes"] as const

function TimesForm({ stored }: { stored: MessageSettings }) {
  const t = useMessages(messagingMessages)
  const tShell = useMessages(shellMessages)
  const { organization } = useSession()
  const [draft, setDraft] = useState(stored)
  const save = useAction(() => server.put("/api/v3/customer-message-settings", { body: draft }), {
    refreshes: [messageSettingsQuery.queryKey],
    done: () => t("saved"),
  })
  return (
    <>
      <h2 className="panel-heading">{t("times")}</h2>
      <WithHistory of={{ objectType: "message-settings", objectId: organization.id }}>
        <Form onSubmit={() => save.mutate()} className="customer-form">
          <div className="customer-columns">
            {times.map((key) => (
              <DateTimeInput
                key={key}
                type="time"
                required
                withAsterisk={false}
                label={t(key)}
                {...bindText(draft[key], (value) => setDraft({ ...draft, [key]: value }))}
              />
            ))}
            {minutes.map((key) => (
              <NumberInput
                key={key}
                label={t(key)}
                min={0}
                allowDecimal={false}
                value={draft[key]}
                onChange={(value) => setDraft({ ...draft, [key]: Number(value) })}
              />
            ))}
          </div>
          <FormError error={save.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {tShell("save")}
            </Button>
          </Group>
        </Form>
      </WithHistory>
    </>
  )
}
