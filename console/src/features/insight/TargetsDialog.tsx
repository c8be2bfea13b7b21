import { Group, NumberInput, Select, Text } from "@mantine/core"
import { IconPlus, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { isReportMetric, type ReportMetricName, reportMetrics } from "#shared/report-metrics.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { ActionButton, IconButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { flowsQuery } from "../work/flows/flows.queries.ts"
import { insightMessages } from "./messages.ts"
import { type InsightSettings, saveSettings, settingsQuery } from "./reports.queries.ts"

const metrics = Object.keys(reportMetrics).filter(isReportMetric)
const costs = ["perSession", "perHour", "perKilometer"] as const

/** Targets and costs of the organization. */
export function TargetsDialog({ onClose }: { onClose(): void }) {
  const { data } = useQuery(settingsQuery)
  return data ? <TargetsForm settings={data} onClose={onClose} /> : null
}

function TargetsForm({ settings, onClose }: { settings: InsightSettings; onClose(): void }) {
  const t = useMessages(insightMessages)
  const { organization } = useSession()
  const [draft, setDraft] = useState(settings)
  const save = useAction(() => saveSettings(draft), {
    refreshes: [["reports"]],
    done: () => t("settingsSaved"),
    onDone: onClose,
  })
  const setTargets = (targets: InsightSettings["targets"]) => setDraft({ ...draft, targets })
  return (
    <FormDialog
      title={t("targets")}
      size="lg"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      history={{ objectType: "insight-settings", objectId: organization.id }}
    >
      <Text fw={550}>{t("costs")}</Text>
      <Group grow align="start">
        {costs.map((name) => (
          <NumberInput
            key={name}
            label={t(`cost_${name}`)}
            min={0}
            decimalScale={4}
            value={draft.costs[name] ?? 0}
            onChange={(value) =>
              setDraft({ ...draft, costs: { ...draft.costs, [name]: Number(value) || 0 } })
            }
          />
        ))}
      </Group>
      <Text fw={550}>{t("targetList")}</Text>
      {draft.targets.map((target, index) => (
        <TargetLine
          // biome-ignore lint/suspicious/noArrayIndexKey: targets have no other identity than their place
          key={index}
          target={target}
          onChange={(next) =>
            setTargets(next ? draft.targets.toSpliced(index, 1, next) : draft.targets.toSpliced(index, 1))
          }
        />
      ))}
      <ActionButton
        variant="default"
        icon={IconPlus}
        label={t("addTarget")}
        onClick={() => setTargets([...draft.targets, { metric: "onTimeRate", flowId: null, target: 0.95 }])}
      />
    </FormDialog>
  )
}

type Target = InsightSettings["targets"][number]

function TargetLine({ target, onChange }: { target: Target; onChange(target: Target | undefined): void }) {
  const t = useMessages(insightMessages)
  const { data: flows = [] } = useQuery(flowsQuery)
  const isRate = isReportMetric(target.metric) && reportMetrics[target.metric].unit === "rate"
  const scale = isRate ? 100 : 1
  return (
    <Group align="end">
      <Select
        label={t("figure")}
        allowDeselect={false}
        searchable
        flex="2 1 170px"
        data={metrics.map((value) => ({ value, label: t(`metric_${value}`) }))}
        value={target.metric}
        onChange={(value) => onChange({ ...target, metric: (value ?? target.metric) as ReportMetricName })}
      />
      <Select
        label={t("by_flow")}
        placeholder={t("all")}
        clearable
        flex="2 1 90px"
        data={flows.map(({ _id, name }) => ({ value: _id as string, label: name }))}
        value={target.flowId ?? null}
        onChange={(value) => onChange({ ...target, flowId: value })}
      />
      <NumberInput
        label={t("target")}
        flex="1 1 80px"
        min={0}
        {...(isRate ? { max: 100, suffix: " %" } : {})}
        value={Math.round(target.target * scale * 1e4) / 1e4}
        onChange={(value) => onChange({ ...target, target: (Number(value) || 0) / scale })}
      />
      <IconButton
        variant="subtle"
        icon={IconX}
        label={t("removeTarget")}
        onClick={() => onChange(undefined)}
      />
    </Group>
  )
}
