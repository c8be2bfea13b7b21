import "./builder.css"
import { Group, NumberInput, Select, Switch, TagsInput, Text } from "@mantine/core"
import {
  lateRule,
  nextAttempts,
  type OutcomeRule,
  outcomeRules,
  outsideRule,
  type TaskOutcome,
} from "#shared/task-outcomes.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindChecked } from "../../../../ui/forms/bind.ts"
import { ManySelect } from "../../../../ui/forms/ManySelect.tsx"
import { outcomeMessages } from "../../outcome-messages.ts"
import type { FlowDraft } from "./flow-draft.ts"
import { outcomeSettingMessages } from "./outcome-setting-messages.ts"
import { offeredOutcomes, withConfiguration, withLate, withOutcome } from "./outcome-settings.ts"

interface SettingsProps {
  draft: FlowDraft
  onChange(draft: FlowDraft): void
}

/** What can come of a task besides done, what late work asks for, and what happens outside a location lock. */
export function OutcomeSettings({ draft, onChange }: SettingsProps) {
  const t = useMessages(outcomeSettingMessages)
  const tOutcome = useMessages(outcomeMessages)
  const { configurations } = draft
  const write = (next: FlowDraft["configurations"]) => onChange({ ...draft, configurations: next })
  const rules = outcomeRules(configurations)
  const late = lateRule(configurations)
  const hasLock = draft.pages.some((page) => page.components.some(({ useGeoLock }) => useGeoLock === true))
  return (
    <section className="card builder-page" aria-label={t("outcomes")}>
      <Text fw={600}>{t("outcomes")}</Text>
      <p className="quiet">{t("outcomesHint")}</p>
      {offeredOutcomes.map((outcome) => {
        const rule = rules.find((candidate) => candidate.outcome === outcome)
        return (
          <div key={outcome} className={rule ? "builder-rule" : undefined}>
            <Switch
              label={tOutcome(outcome)}
              description={t(`${outcome}Hint`)}
              {...bindChecked(rule !== undefined, (checked) =>
                write(withOutcome(configurations, outcome, checked ? {} : undefined)),
              )}
            />
            {rule ? (
              <RuleSettings
                rule={rule}
                draft={draft}
                onChange={(part) => write(withOutcome(configurations, outcome, part))}
              />
            ) : null}
          </div>
        )
      })}
      <Text fw={600}>{t("late")}</Text>
      <p className="quiet">{t("lateHint")}</p>
      <Reasons rule={late} onChange={(part) => write(withLate(configurations, part))} />
      {hasLock ? (
        <>
          <Text fw={600}>{t("outside")}</Text>
          <Select
            aria-label={t("outside")}
            description={t("outsideHint")}
            allowDeselect={false}
            data={[
              { value: "review", label: t("review") },
              { value: "reject", label: t("reject") },
            ]}
            value={outsideRule(configurations)}
            onChange={(outside) =>
              write(withConfiguration(configurations, "geoLock", { outside: outside ?? "review" }))
            }
          />
        </>
      ) : null}
    </section>
  )
}

/** The proof that an outcome needs, its reasons, and what follows from it. */
function RuleSettings({
  rule,
  draft,
  onChange,
}: {
  rule: OutcomeRule
  draft: FlowDraft
  onChange(part: Partial<OutcomeRule>): void
}) {
  const t = useMessages(outcomeSettingMessages)
  const fields = draft.pages
    .flatMap((page) => page.components)
    .filter(({ component }) => component !== "view")
    .map(({ id, title }) => ({ value: id, label: title || id }))
  return (
    <>
      <Reasons rule={rule} onChange={onChange} />
      {rule.outcome === "skipped" ? null : (
        <>
          <ManySelect
            label={t("required")}
            description={t("requiredHint")}
            searchable
            data={fields}
            value={[...rule.required]}
            onChange={(required) => onChange({ required })}
          />
          <Group grow align="end">
            <Select
              label={t("nextAttempt")}
              allowDeselect={false}
              data={nextAttempts.map((value) => ({ value, label: t(value) }))}
              value={rule.nextAttempt}
              onChange={(value) =>
                onChange({ nextAttempt: nextAttempts.find((word) => word === value) ?? "never" })
              }
            />
            {rule.nextAttempt === "never" ? null : (
              <NumberInput
                label={t("nextAttemptHours")}
                min={1}
                max={8760}
                value={rule.nextAttemptHours}
                onChange={(hours) => {
                  if (Number(hours) > 0) onChange({ nextAttemptHours: Number(hours) })
                }}
              />
            )}
          </Group>
        </>
      )}
    </>
  )
}

function Reasons({
  rule,
  onChange,
}: {
  rule: { outcome?: TaskOutcome; reasons: readonly string[]; reasonRequired: boolean }
  onChange(part: { reasons?: string[]; reasonRequired?: boolean }): void
}) {
  const t = useMessages(outcomeSettingMessages)
  return (
    <>
      <TagsInput
        label={rule.outcome ? t("reasons") : t("lateReasons")}
        description={t("reasonsHint")}
        maxTags={100}
        value={[...rule.reasons]}
        onChange={(reasons) => onChange({ reasons })}
      />
      <Switch
        label={rule.outcome ? t("reasonRequired") : t("lateReasonRequired")}
        {...bindChecked(rule.reasonRequired, (checked) => onChange({ reasonRequired: checked }))}
      />
    </>
  )
}
