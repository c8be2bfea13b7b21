import { Switch, TagsInput } from "@mantine/core"
import { inspectionRule } from "#shared/vehicle-inspection.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { bindChecked } from "../../../../ui/forms/bind.ts"
import type { FlowDraft } from "./flow-draft.ts"
import { outcomeSettingMessages } from "./outcome-setting-messages.ts"
import { withConfiguration } from "./outcome-settings.ts"

const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** Whether drivers fill in the flow before departure, for which vehicles, and which answers are defects. */
export function InspectionSettings({
  draft,
  onChange,
}: {
  draft: FlowDraft
  onChange(draft: FlowDraft): void
}) {
  const t = useMessages(outcomeSettingMessages)
  const { configurations } = draft
  const rule = inspectionRule(configurations)
  const write = (part: Record<string, unknown> | undefined) =>
    onChange({ ...draft, configurations: withConfiguration(configurations, "inspection", part) })
  return (
    <section className="card builder-page" aria-label={t("inspection")}>
      <Switch
        label={t("inspection")}
        description={t("inspectionHint")}
        {...bindChecked(rule !== undefined, (checked) =>
          write(checked ? { tags: [], defects: [t("defect")], weekdays: everyDay } : undefined),
        )}
      />
      {rule ? (
        <>
          <TagsInput
            label={t("inspectedTags")}
            description={t("inspectedTagsHint")}
            value={[...rule.tags]}
            onChange={(tags) => write({ tags })}
          />
          <TagsInput
            label={t("defectAnswers")}
            description={t("defectAnswersHint")}
            value={[...rule.defects]}
            onChange={(defects) => write({ defects })}
          />
        </>
      ) : null}
    </section>
  )
}
