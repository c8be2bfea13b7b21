import { Button, Group, Select } from "@mantine/core"
import {
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconSend,
  IconSettings,
} from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { ButtonLink } from "../../../ui/links.tsx"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { SavedViews } from "../../people/saved-views/SavedViews.tsx"
import { AutomationLog } from "../automations/AutomationLog.tsx"
import { type Automation, automationsQuery, switchAutomation } from "../automations/automations.queries.ts"
import { DeliveryBadge, DeliveryNotice } from "./DeliveryState.tsx"
import { readDeliverySearch } from "./delivery-search.ts"
import { webhookMessages } from "./messages.ts"
import { ReplayDialog } from "./ReplayDialog.tsx"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(automationsQuery)

/** What each webhook sent and what came back; sending again, testing, replaying, pausing. */
export function WebhooksPage() {
  const t = useMessages(webhookMessages)
  const { may } = useSession()
  const search = useSearch({ from: "/signed-in/webhooks" })
  const navigate = useNavigate({ from: paths.webhooks })
  const { data: automations } = useSuspenseQuery(automationsQuery)
  const webhooks = automations.filter(({ automationType }) => automationType === "webhook")
  const chosen = webhooks.find(({ _id }) => _id === search.webhook) ?? webhooks[0]
  if (!chosen)
    return (
      <EmptyState icon={IconPlugConnected} title={t("emptyTitle")} text={t("emptyText")}>
        {may("add/automation") ? (
          <Button component={Link} to={paths.automationNew}>
            {t("make")}
          </Button>
        ) : null}
      </EmptyState>
    )
  return (
    <div className="page">
      <PageHeader title={t("title")}>
        <Select
          aria-label={t("webhook")}
          w={280}
          searchable
          allowDeselect={false}
          data={webhooks.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={chosen._id}
          onChange={(webhook) => webhook && void navigate({ search: { webhook }, replace: true })}
        />
      </PageHeader>
      <div className="page-body">
        <Deliveries key={chosen._id} webhook={chosen} />
      </div>
    </div>
  )
}

function Deliveries({ webhook }: { webhook: Automation }) {
  const t = useMessages(webhookMessages)
  const { may } = useSession()
  const [isReplaying, setReplaying] = useState(false)
  const { webhook: _chosen, ...log } = useSearch({ from: "/signed-in/webhooks" })
  const navigate = useNavigate({ from: paths.webhooks })
  const path = { automationId: webhook._id }
  const test = useAction(() => dataOf(server.post("/api/v3/automation/{automationId}/test", path)), {
    refreshes: [["automations"]],
    onDone: ({ isSuccess, statusCode, response }) => {
      if (isSuccess) return notifyDone(t("testGood"))
      notifyFailed(
        t("testBad"),
        statusCode === 0 ? response || t("noAnswer") : t("testStatus", { status: String(statusCode) }),
      )
    },
  })
  const isPaused = webhook.delivery?.isPaused ?? false
  const hold = useAction(() => server.post("/api/v3/automation/{automationId}/pause", path), {
    refreshes: [["automations"]],
  })
  const resume = useAction(() => dataOf(server.post("/api/v3/automation/{automationId}/resume", path)), {
    refreshes: [["automations"]],
    onDone: ({ waiting }) => {
      if (waiting && waiting > 0) notifyDone(t("resumed", { count: waiting }))
    },
  })
  const turnOn = useAction(() => switchAutomation(webhook._id, true), { refreshes: [["automations"]] })
  const turn = !webhook.isActive
    ? { label: "switchOn" as const, action: turnOn }
    : isPaused
      ? { label: "resume" as const, action: resume }
      : { label: "pause" as const, action: hold }
  return (
    <>
      <Group gap="xs" pb="md">
        <DeliveryBadge webhook={webhook} />
        <span className="quiet" style={{ overflowWrap: "anywhere", flex: "1 1 240px" }}>
          {String(webhook.automationDetails.url ?? "")}
        </span>
        {may("edit/automation") ? (
          <>
            <ActionButton
              icon={IconSend}
              label={t("test")}
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate()}
            />
            <ActionButton
              icon={IconHistory}
              label={t("replay")}
              size="xs"
              variant="default"
              onClick={() => setReplaying(true)}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={
                turn.label === "pause" ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />
              }
              loading={turn.action.isPending}
              onClick={() => turn.action.mutate()}
            >
              {t(turn.label)}
            </Button>
          </>
        ) : null}
        <ButtonLink
          leftSection={<IconSettings size={15} aria-hidden />}
          size="xs"
          variant="default"
          to={paths.automation}
          params={{ automationId: webhook._id }}
        >
          {t("settings")}
        </ButtonLink>
      </Group>
      <DeliveryNotice webhook={webhook} />
      <FormError error={test.error ?? hold.error ?? resume.error ?? turnOn.error} />
      <AutomationLog
        automationId={webhook._id}
        search={log}
        onChange={(next) => void navigate({ search: { webhook: webhook._id, ...next }, replace: true })}
      >
        <SavedViews
          list="deliveries"
          content={{ ...log, webhook: webhook._id }}
          onChoose={(content) => void navigate({ search: readDeliverySearch(content) })}
        />
      </AutomationLog>
      {isReplaying ? <ReplayDialog webhookId={webhook._id} onClose={() => setReplaying(false)} /> : null}
    </>
  )
}
