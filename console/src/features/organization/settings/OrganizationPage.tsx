import { Button, Select, Stack, Switch, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { Explained } from "../../../ui/Explained.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { CountrySelect } from "../../people/memberships/CountrySelect.tsx"
import { roleMessages } from "../../people/roles/messages.ts"
import { DeleteOrganization } from "./DeleteOrganization.tsx"
import { settingsMessages } from "./messages.ts"
import { PrivacyPolicy } from "./PrivacyPolicy.tsx"

/** Languages that mails are written in. */
const languageChoices = [
  { value: "en", label: "English" },
  { value: "id", label: "Bahasa Indonesia" },
] as const

const codeOf = (country: unknown): string | null => {
  const code = typeof country === "object" && country !== null && "code" in country ? country.code : null
  return typeof code === "string" ? code : null
}

export function OrganizationPage() {
  const t = useMessages(settingsMessages)
  const tRole = useMessages(roleMessages)
  const { organization, may, user } = useSession()
  const client = useQueryClient()
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
  const save = useMutation({
    mutationFn: () =>
      responseOf(
        api.PUT("/api/v3/organization/{organizationId}", {
          params: { path: { organizationId: organization.id } },
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
      ),
    onSuccess: async () => {
      notifyDone(t("saved"))
      await client.invalidateQueries({ queryKey: ownUserQuery.queryKey })
    },
  })
  const isChanged =
    companyName !== organization.name ||
    timeZone !== organization.timeZone ||
    currency !== currencyNow ||
    language !== languageNow ||
    country !== countryNow ||
    isUnique !== isUniqueNow
  useLeaveWarning(isChanged && !save.isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (may("edit/organization")) save.mutate()
  }
  return (
    <div className="panel-form">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("name")}
            required
            value={companyName}
            onChange={(event) => setCompanyName(event.currentTarget.value)}
          />
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
          <TextInput
            label={t("currency")}
            maxLength={3}
            w={120}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
          <Switch
            label={t("uniqueRefId")}
            description={t("uniqueRefIdHint")}
            checked={isUnique}
            onChange={(event) => setUnique(event.currentTarget.checked)}
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
      </form>
      <PrivacyPolicy />
      <DeleteOrganization />
    </div>
  )
}
