import { Checkbox, Group, Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { languageNames, languages } from "#shared/languages.ts"
import { server } from "../../../api/server.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { notifyFailed } from "../../../ui/notify.ts"
import { CountrySelect } from "./CountrySelect.tsx"
import { openOrganization } from "./memberships.queries.ts"
import { membershipMessages } from "./messages.ts"

/** Another organization of the same owner, empty or as a copy of the first one. */
export default function CreateOrganizationDialog({ onClose }: { onClose(): void }) {
  const t = useMessages(membershipMessages)
  const { language } = useLanguage()
  const [companyName, setCompanyName] = useState("")
  const [country, setCountry] = useState<string | null>(null)
  const [itsLanguage, setItsLanguage] = useState(language)
  const [copyData, setCopyData] = useState(false)
  const create = useAction(async () => {
    const { data } = await server.post("/api/v3/auth/create-organization", {
      body: { companyName: companyName.trim(), country: country ?? "", language: itsLanguage, copyData },
    })
    await openOrganization(data._id).catch(() => {
      notifyFailed(companyName, t("openFailed"))
      onClose()
    })
  })
  return (
    <FormDialog
      title={t("createTitle")}
      request={create}
      submit={t("submit")}
      onSubmit={() => country && create.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={200}
        data-autofocus
        {...bindText(companyName, setCompanyName)}
      />
      <Group grow align="start">
        <CountrySelect value={country} onChange={setCountry} isRequired />
        <Select
          label={t("language")}
          allowDeselect={false}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={itsLanguage}
          onChange={(value) => value && setItsLanguage(value)}
        />
      </Group>
      <Checkbox label={t("copy")} description={t("copyHint")} {...bindChecked(copyData, setCopyData)} />
    </FormDialog>
  )
}
