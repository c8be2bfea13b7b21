import { Button, Select, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { answerOf, api } from "../../api/client.ts"
import { useMessages } from "../../i18n/language.tsx"
import { ownUserQuery, useSession } from "../../session/session.ts"
import { Explained } from "../../ui/Explained.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { useLeaveWarning } from "../../ui/leave-warning.tsx"
import { notifyDone } from "../../ui/notify.ts"
import { roleMessages } from "../roles/messages.ts"
import { DeleteOrganization } from "./DeleteOrganization.tsx"
import { settingsMessages } from "./messages.ts"

export function OrganizationPage() {
  const t = useMessages(settingsMessages)
  const tRole = useMessages(roleMessages)
  const { organization, may, user } = useSession()
  const client = useQueryClient()
  const currencyNow = user.organization && "currency" in user.organization ? user.organization.currency : ""
  const [companyName, setCompanyName] = useState(organization.name)
  const [timeZone, setTimeZone] = useState(organization.timeZone)
  const [currency, setCurrency] = useState(currencyNow)
  const save = useMutation({
    mutationFn: () =>
      answerOf(
        api.PUT("/api/v3/organization/{organizationId}", {
          params: { path: { organizationId: organization.id } },
          body: { companyName: companyName.trim(), timeZone, currency: currency.trim().toUpperCase() },
        }),
      ),
    onSuccess: async () => {
      notifyDone(t("saved"))
      await client.invalidateQueries({ queryKey: ownUserQuery.queryKey })
    },
  })
  const isChanged =
    companyName !== organization.name || timeZone !== organization.timeZone || currency !== currencyNow
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
          <TextInput
            label={t("currency")}
            maxLength={3}
            w={120}
            value={currency}
            onChange={(event) => setCurrency(event.currentTarget.value)}
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
      <DeleteOrganization />
    </div>
  )
}
