import { Button, NumberInput, Stack, Switch, Textarea } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataQuery, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { fieldWorkMessages } from "./field-work-messages.ts"

export const locationSettingsQuery = dataQuery(["location-settings"], "/api/v3/location-settings")

interface Typed {
  quickReplies: string
  correctionMinutes: number | string
  positionConsent: boolean
  onlyDuringSessions: boolean
  retentionDays: number | string
}

const minuteLimit = 10_080
const replyLimit = 20
const dayLimit = 365

/** What the organization decides about the field app and about positions. */
export function FieldWorkSettings() {
  const t = useMessages(fieldWorkMessages)
  const { organization, may, user } = useSession()
  const { data: location } = useQuery(locationSettingsQuery)
  const [typed, setTyped] = useState<Partial<Typed>>({})
  const configuration =
    user.organization && "configuration" in user.organization ? user.organization.configuration : {}
  const known: Typed = {
    quickReplies: textsOf(configuration.quickReplies).join("\n"),
    correctionMinutes: Number(configuration.correctionMinutes ?? 0),
    positionConsent: configuration.positionConsent === true,
    onlyDuringSessions: location?.onlyDuringSessions ?? false,
    retentionDays: location?.retentionDays ?? dayLimit,
  }
  const shown: Typed = { ...known, ...typed }
  const change = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }))
  const quickReplies = [...new Set(shown.quickReplies.split("\n").map((line) => line.trim()))].filter(Boolean)
  const save = useAction(
    async () => {
      await server.put("/api/v3/organization/{organizationId}", {
        organizationId: organization.id,
        body: {
          configuration: {
            quickReplies,
            correctionMinutes: Number(shown.correctionMinutes),
            positionConsent: shown.positionConsent,
          },
        },
      })
      await server.put("/api/v3/location-settings", {
        body: {
          retentionDays: Number(shown.retentionDays),
          onlyDuringSessions: shown.onlyDuringSessions,
        },
      })
    },
    {
      refreshes: [ownUserQuery.queryKey, locationSettingsQuery.queryKey, ["conversations"]],
      onDone: () => {
        setTyped({})
        notifyDone(t("saved"))
      },
    },
  )
  const isChanged = Object.entries(typed).some(([key, value]) => known[key as keyof Typed] !== value)
  const isValid =
    isWithin(shown.correctionMinutes, 0, minuteLimit) && isWithin(shown.retentionDays, 1, dayLimit)
  useLeaveWarning(isChanged && !save.isRefreshing)
  if (!may("edit/organization") || !location) return null
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="sm" mt="xl">
        <h2 className="panel-heading">{t("title")}</h2>
        <Textarea
          label={t("quickReplies")}
          description={t("quickRepliesText")}
          autosize
          minRows={3}
          maxRows={replyLimit}
          {...bindText(shown.quickReplies, (text) => change({ quickReplies: text }))}
        />
        <NumberInput
          label={t("correctionMinutes")}
          description={t("correctionMinutesText")}
          min={0}
          max={minuteLimit}
          allowDecimal={false}
          value={shown.correctionMinutes}
          onChange={(value) => change({ correctionMinutes: value })}
        />
        <Switch
          label={t("positionConsent")}
          description={t("positionConsentText")}
          {...bindChecked(shown.positionConsent, (isOn) => change({ positionConsent: isOn }))}
        />
        <Switch
          label={t("onlyDuringSessions")}
          description={t("onlyDuringSessionsText")}
          {...bindChecked(shown.onlyDuringSessions, (isOn) => change({ onlyDuringSessions: isOn }))}
        />
        <NumberInput
          label={t("retentionDays")}
          description={t("retentionDaysText")}
          min={1}
          max={dayLimit}
          allowDecimal={false}
          value={shown.retentionDays}
          onChange={(value) => change({ retentionDays: value })}
        />
        <FormError error={save.error} />
        <Button
          type="submit"
          variant="default"
          loading={save.isPending}
          disabled={!isChanged || !isValid}
          style={{ alignSelf: "flex-start" }}
        >
          {t("save")}
        </Button>
      </Stack>
    </Form>
  )
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function isWithin(value: number | string, least: number, most: number): boolean {
  return value !== "" && Number(value) >= least && Number(value) <= most
}
