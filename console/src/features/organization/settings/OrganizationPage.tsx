import { Button, Select, Stack, Switch, TextInput } from "@mantine/core"
import { useState } from "react"
import { languageNames, languages } from "#shared/languages.ts"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { Explained } from "../../../ui/Explained.tsx"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { CountrySelect } from "../../people/memberships/CountrySelect.tsx"
import { roleMessages } from "../../people/roles/messages.ts"
import { DeleteOrganization } from "./DeleteOrganization.tsx"
import { FieldWorkSettings, locationSettingsQuery } from "./FieldWorkSettings.tsx"
import { fieldWorkMessages } from "./field-work-messages.ts"
import { settingsMessages } from "./messages.ts"
import { PrivacyPolicy, policyQuery } from "./PrivacyPolicy.tsx"

/** Languages that mails are written in. */
const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }))

const codeOf = (country: unknown): string | null => {
  const code = typeof country === "object" && country !== null && "code" in country ? country.code : null
  return typeof code === "string" ? code : null
}

export const loader: PageLoader = async ({ client, session: { organization, may } }) => {
  if (!may("edit/organization")) return
  await Promise.all([
    client.prefetchQuery(policyQuery(organization.id)),
    client.prefetchQuery(locationSettingsQuery),
  ])
}

export function OrganizationPage() {
  const t = useMessages(settingsMessages)
  const tRole = useMessages(roleMessages)
  const tField = useMessages(fieldWorkMessages)
  const { organization, may, user } = useSession()
  const known = user.organization && "currency" in user.organization ? user.organization : undefined
  const currencyNow = known?.currency ?? ""
  const [languageNow, countryNow] = [known?.language ?? "en", codeOf(known?.country)]
  const [companyName, setCompanyName] = useState(organization.name)
  const [timeZone, setTimeZone] = useState(organization.timeZone)
  const [currency, setCurrency] = useState(currencyNow)
  const [language, setLanguage] = useState(languageNow)
  const [country, setCountry] = useState(countryNow)
  const isUniqueNow = known?.configuration.uniqueRefId === true
  const [isUnique, setUnique] = useState(isUniqueNow)
  const chosen = languageChoices.find(({ value }) => value === language)
  const save = useAction(
    () =>
      server.put("/api/v3/organization/{organizationId}", {
        organizationId: organization.id,
        body: {
          companyName: companyName.trim(),
          timeZone,
          currency: currency.trim().toUpperCase(),
          // A new language is set for all people: only when it was chosen.
          ...(chosen && language !== languageNow ? { language: chosen.value } : {}),
          ...(country && country !== countryNow ? { country } : {}),
          ...(isUnique !== isUniqueNow ? { configuration: { uniqueRefId: isUnique } } : {}),
        },
      }),
    { refreshes: [ownUserQuery.queryKey], done: () => t("saved") },
  )
  const isChanged =
    companyName !== organization.name ||
    timeZone !== organization.timeZone ||
    currency !== currencyNow ||
    language !== languageNow ||
    country !== countryNow ||
    isUnique !== isUniqueNow
  useLeaveWarning(isChanged && !save.isRefreshing)
  const history = [
    { objectType: "organization", objectId: organization.id },
    ...(may("edit/organization")
      ? [
          { objectType: "location-settings", objectId: organization.id, heading: tField("title") },
          { objectType: "privacy-policy", objectId: organization.id, heading: t("privacy") },
        ]
      : []),
  ]
  const submit = () => {
    if (may("edit/organization")) save.mutate()
  }
  return (
    <div className="panel-form">
      <WithHistory of={history}>
        <Form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput label={t("name")} required {...bindText(companyName, setCompanyName)} />
            <Select
              label={t("timeZone")}
              searchable
              data={["UTC", ...Intl.supportedValuesOf("timeZone")]}
              value={timeZone}
              onChange={(value) => setTimeZone(value ?? "UTC")}
            />
            <CountrySelect value={country} onChange={setCountry} isRequired={countryNow !== null} />
            <Select
              label={t("language")}
              allowDeselect={false}
              data={
                languageChoices.some(({ value }) => value === languageNow)
                  ? languageChoices
                  : [...languageChoices, { value: languageNow, label: languageNow }]
              }
              value={language}
              onChange={(value) => setLanguage(value ?? languageNow)}
            />
            <TextInput label={t("currency")} maxLength={3} w={120} {...bindText(currency, setCurrency)} />
            <Switch
              label={t("uniqueRefId")}
              description={t("uniqueRefIdHint")}
              {...bindChecked(isUnique, setUnique)}
            />
            <FormError error={save.error} />
            <Explained
              reason={
                may("edit/organization") ? undefined : tRole("needs", { permission: "edit/organization" })
              }
            >
              <Button type="submit" loading={save.isPending} style={{ alignSelf: "flex-start" }}>
                {t("save")}
              </Button>
            </Explained>
          </Stack>
        </Form>
        <FieldWorkSettings />
        <PrivacyPolicy />
        <DeleteOrganization />
      </WithHistory>
    </div>
  )
}
