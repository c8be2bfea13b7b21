import { FileInput, PasswordInput, Select, Switch, TagsInput, TextInput } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { useIsChanged, useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import {
  type Integration,
  type ProviderType,
  providerTypes,
  saveIntegration,
  typeOf,
} from "./integrations.queries.ts"
import { integrationMessages } from "./messages.ts"

/** A connection with a directory, new or changed. */
export function IntegrationDialog({
  integration,
  onClose,
}: {
  integration: Integration | undefined
  onClose(): void
}) {
  const t = useMessages(integrationMessages)
  const [kind, setKind] = useState<ProviderType>(integration ? typeOf(integration) : "azure")
  const [texts, setTexts] = useState({
    name: integration?.name ?? "",
    azureAuthUrl: integration?.azureAuthUrl ?? "",
    issuerUrl: integration?.issuerUrl ?? "",
    clientId: integration?.clientId ?? "",
    clientSecret: integration?.clientSecret ?? "",
  })
  const [domains, setDomains] = useState(integration?.emailDomains ?? [])
  const [certificate, setCertificate] = useState<File | null>(null)
  const [trustEmail, setTrustEmail] = useState(integration?.trustEmail ?? false)
  const save = useAction(
    () => {
      const form = new FormData()
      form.append("integrationType", kind)
      form.append("name", texts.name.trim())
      form.append("emailDomains", domains.join(","))
      if (kind === "azure") {
        form.append("azureAuthUrl", texts.azureAuthUrl.trim())
        if (certificate) form.append("azureCert", certificate)
      } else {
        for (const field of ["issuerUrl", "clientId", "clientSecret"] as const)
          form.append(field, texts[field].trim())
        form.append("trustEmail", String(trustEmail))
      }
      return saveIntegration(integration?._id, form)
    },
    { refreshes: [["integrations"]], onDone: onClose },
  )
  const close = useLeaveWarning(
    useIsChanged([kind, texts, domains, certificate?.name, trustEmail]) && !save.isAccepted,
    onClose,
  )
  const bind = (field: keyof typeof texts) => ({
    value: texts[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTexts({ ...texts, [field]: event.currentTarget.value }),
  })
  return (
    <FormDialog
      title={integration ? t("edit") : t("add")}
      gap="md"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={close}
      history={integration && { objectType: "app-integration", objectId: integration._id }}
    >
      <Select
        label={t("kind")}
        data={providerTypes.map((type) => ({ value: type, label: t(type) }))}
        value={kind}
        allowDeselect={false}
        disabled={integration !== undefined}
        onChange={(value) => value && setKind(value as ProviderType)}
      />
      <TextInput label={t("name")} description={t("nameHint")} maxLength={100} {...bind("name")} />
      <TagsInput label={t("domains")} description={t("domainsHint")} value={domains} onChange={setDomains} />
      {kind === "azure" ? (
        <>
          <TextInput
            label={t("authUrl")}
            description={t("authUrlHint")}
            type="url"
            required
            placeholder="https://"
            {...bind("azureAuthUrl")}
          />
          <FileInput
            label={t("certificate")}
            description={integration ? t("certificateKept") : undefined}
            required={!integration}
            accept=".cer,.crt,.pem"
            value={certificate}
            onChange={setCertificate}
            clearable
          />
        </>
      ) : (
        <>
          <TextInput
            label={t("issuer")}
            description={t("issuerHint")}
            type="url"
            required
            placeholder="https://"
            {...bind("issuerUrl")}
          />
          <TextInput label={t("clientId")} required {...bind("clientId")} />
          <PasswordInput label={t("clientSecret")} autoComplete="off" {...bind("clientSecret")} />
          <Switch label={t("trustEmail")} {...bindChecked(trustEmail, setTrustEmail)} />
        </>
      )}
    </FormDialog>
  )
}
