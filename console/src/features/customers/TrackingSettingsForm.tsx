import { Button, ColorInput, FileButton, Group, NumberInput, Select, Switch, TextInput } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { languageNames, languages } from "#shared/languages.ts"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { shellMessages } from "../../shell/messages.ts"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../ui/forms/bind.ts"
import { Form } from "../../ui/forms/Form.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { WithHistory } from "../../ui/history/WithHistory.tsx"
import { type TrackingSettings, trackingSettingsQuery } from "./customers.queries.ts"
import { customerMessages } from "./messages.ts"

const shown = [
  "showTitle",
  "showStops",
  "showDriverName",
  "showDriverPhone",
  "showItems",
  "showPhotos",
  "showSignature",
  "showDocument",
  "askRating",
] as const
const allowed = [
  "allowInstructions",
  "allowSafePlace",
  "allowContact",
  "allowReschedule",
  "allowCancellation",
] as const
const texts = ["name", "phone", "email"] as const
const fields = ["name", "phone", "email", "language"] as const
const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }))

/** What the customers' page shows and allows. */
export function TrackingSettingsForm() {
  const t = useMessages(customerMessages)
  const tShell = useMessages(shellMessages)
  const { may, organization } = useSession()
  const { data: stored } = useSuspenseQuery(trackingSettingsQuery)
  const [draft, setDraft] = useState(stored)
  const change = (part: Partial<TrackingSettings>) => setDraft({ ...draft, ...part })
  const save = useAction(() => server.put("/api/v3/tracking-page-settings", { body: draft }), {
    refreshes: [trackingSettingsQuery.queryKey],
    done: () => t("saved"),
  })
  return (
    <WithHistory of={{ objectType: "tracking-page", objectId: organization.id }}>
      <Form onSubmit={() => save.mutate()} className="customer-form">
        <p className="quiet">{t("trackingText")}</p>
        <Switch label={t("isActive")} {...bindChecked(draft.isActive, (isActive) => change({ isActive }))} />
        <fieldset>
          <legend>{t("appearance")}</legend>
          {texts.map((key) => (
            <TextInput
              key={key}
              label={t(`${key}Label`)}
              maxLength={100}
              {...bindText(draft[key], (value) => change({ [key]: value }))}
            />
          ))}
          <ColorInput
            label={t("color")}
            eyeDropperButtonProps={{ "aria-label": t("color") }}
            format="hex"
            value={draft.color}
            onChange={(color) => change({ color })}
          />
          <Logo logo={draft.logo} onChange={(logo) => change({ logo })} />
          <Select
            label={t("language")}
            placeholder={t("organizationLanguage")}
            clearable
            data={languageChoices}
            value={draft.language || null}
            onChange={(language) => change({ language: (language ?? "") as TrackingSettings["language"] })}
          />
          <NumberInput
            label={t("expiresDays")}
            min={0}
            max={365}
            allowDecimal={false}
            value={draft.expiresDays}
            onChange={(value) => change({ expiresDays: Number(value) })}
          />
        </fieldset>
        <fieldset>
          <legend>{t("shows")}</legend>
          {shown.map((key) => (
            <Switch
              key={key}
              label={t(key)}
              {...bindChecked(draft[key], (value) => change({ [key]: value }))}
            />
          ))}
          <Select
            label={t("map")}
            allowDeselect={false}
            data={(["never", "next", "minutes"] as const).map((value) => ({
              value,
              label: t(`map_${value}`),
            }))}
            value={draft.map}
            onChange={(map) => change({ map: map ?? "next" })}
          />
          {draft.map === "minutes" ? (
            <NumberInput
              label={t("mapMinutes")}
              min={1}
              max={240}
              value={draft.mapMinutes}
              onChange={(value) => change({ mapMinutes: Number(value) })}
            />
          ) : null}
        </fieldset>
        <fieldset>
          <legend>{t("allows")}</legend>
          {allowed.map((key) => (
            <Switch
              key={key}
              label={t(key)}
              {...bindChecked(draft[key], (value) => change({ [key]: value }))}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>{t("fields")}</legend>
          <p className="quiet">{t("fieldsText")}</p>
          {fields.map((key) => (
            <TextInput
              key={key}
              label={t(`field_${key}`)}
              placeholder={t("automatic")}
              maxLength={100}
              {...bindText(draft.fields[key], (value) =>
                change({ fields: { ...draft.fields, [key]: value } }),
              )}
            />
          ))}
        </fieldset>
        <FormError error={save.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={!may("edit/organization")}>
            {tShell("save")}
          </Button>
        </Group>
      </Form>
    </WithHistory>
  )
}

function Logo({ logo, onChange }: { logo: string | null; onChange(logo: string | null): void }) {
  const t = useMessages(customerMessages)
  const read = (file: File | null) => {
    if (!file) return
    const reader = new FileReader()
    reader.onload = () => onChange(String(reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <Group gap="sm">
      {logo ? <img className="customer-logo" src={logo} alt={t("logo")} /> : null}
      <FileButton accept="image/png,image/jpeg,image/webp" onChange={read}>
        {(props) => (
          <Button variant="default" size="compact-md" {...props}>
            {t("chooseLogo")}
          </Button>
        )}
      </FileButton>
      {logo ? (
        <Button variant="subtle" color="red" size="compact-md" onClick={() => onChange(null)}>
          {t("removeLogo")}
        </Button>
      ) : null}
    </Group>
  )
}
