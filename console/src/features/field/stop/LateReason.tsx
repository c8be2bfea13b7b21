import { useMessages } from "../../../i18n/language.tsx"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Values } from "../kept/field-drafts.ts"
import { fieldMessages } from "../messages.ts"
import { ReasonField } from "./ReasonField.tsx"
import { lateRuleOf } from "./stop-rules.ts"

interface LateReasonProps {
  flow: Flow
  more: Values
  isJudged: boolean
  onChange(more: Values): void
}

/** Why a stop is finished after its time; required only where the flow says so. */
export function LateReason({ flow, more, isJudged, onChange }: LateReasonProps) {
  const t = useMessages(fieldMessages)
  const { reasons, reasonRequired } = lateRuleOf(flow)
  const isMissing = isJudged && reasonRequired && !more.lateReason
  return (
    <div data-invalid={isMissing || undefined}>
      <ReasonField
        label={t("lateReason")}
        reasons={reasons}
        isRequired={reasonRequired}
        error={isMissing ? t("needed") : undefined}
        value={more.lateReason}
        onChange={(lateReason) => onChange({ ...more, lateReason })}
      />
    </div>
  )
}
