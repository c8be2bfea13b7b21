import { Button, Group, Modal, Radio, Stack } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Values } from "../kept/field-drafts.ts"
import { fieldMessages } from "../messages.ts"
import { ReasonField } from "./ReasonField.tsx"
import { chosenRule, offeredOutcomes } from "./stop-rules.ts"

interface OutcomeChoiceProps {
  flow: Flow
  more: Values
  isJudged: boolean
  onChange(more: Values): void
}

/** What came of the stop where it was not simply done, of the outcomes that the flow offers. */
export function OutcomeChoice({ flow, more, isJudged, onChange }: OutcomeChoiceProps) {
  const t = useMessages(fieldMessages)
  const [isOpen, setOpen] = useState(false)
  const offered = offeredOutcomes(flow)
  const rule = chosenRule(flow, more)
  if (offered.length === 0) return null
  const choose = (outcome: string | undefined) => {
    setOpen(false)
    const { outcome: _outcome, outcomeReason: _reason, nextAttempt: _next, ...rest } = more
    onChange(outcome === undefined ? rest : { ...rest, outcome })
  }
  const isReasonMissing = isJudged && rule?.reasonRequired === true && !more.outcomeReason
  return (
    <section className="stop-outcome" aria-label={t("outcome")}>
      {rule ? (
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <strong>{t(rule.outcome)}</strong>
            <Button size="md" variant="subtle" onClick={() => setOpen(true)}>
              {t("change")}
            </Button>
          </Group>
          <div data-invalid={isReasonMissing || undefined}>
            <ReasonField
              label={t("reason")}
              reasons={rule.reasons}
              isRequired={rule.reasonRequired}
              error={isReasonMissing ? t("needed") : undefined}
              value={more.outcomeReason}
              onChange={(outcomeReason) => onChange({ ...more, outcomeReason })}
            />
          </div>
          {rule.outcome === "failed" && rule.nextAttempt === "ask" ? (
            <Radio.Group
              label={t("nextAttempt")}
              value={more.nextAttempt === true ? "yes" : "no"}
              onChange={(answer) => onChange({ ...more, nextAttempt: answer === "yes" })}
            >
              <Group mt="xs" gap="lg">
                <Radio size="md" value="yes" label={t("yes")} />
                <Radio size="md" value="no" label={t("no")} />
              </Group>
            </Radio.Group>
          ) : null}
        </Stack>
      ) : (
        <Button size="lg" variant="default" fullWidth onClick={() => setOpen(true)}>
          {t("otherOutcome")}
        </Button>
      )}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t("outcome")} size="sm">
        <Stack gap="sm">
          <Button size="lg" variant={rule ? "default" : "light"} onClick={() => choose(undefined)}>
            {t("doneOutcome")}
          </Button>
          {offered.map(({ outcome }) => (
            <Button
              key={outcome}
              size="lg"
              variant={rule?.outcome === outcome ? "light" : "default"}
              onClick={() => choose(outcome)}
            >
              {t(outcome === "skipped" ? "skipLater" : outcome)}
            </Button>
          ))}
        </Stack>
      </Modal>
    </section>
  )
}
