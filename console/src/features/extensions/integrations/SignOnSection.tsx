import { Code, Group, Text } from "@mantine/core"
import { IconPencil, IconPlus, IconTrash, IconUsersPlus } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { IntegrationDialog } from "./IntegrationDialog.tsx"
import { deleteIntegration, type Integration, integrationsQuery, typeOf } from "./integrations.queries.ts"
import { integrationMessages } from "./messages.ts"
import { ProvisioningDialog, provisioningMessages } from "./ProvisioningDialog.tsx"

/** Connections with directories, by which people sign in. */
export function SignOnSection() {
  const t = useMessages(integrationMessages)
  const tProvisioning = useMessages(provisioningMessages)
  const { may } = useSession()
  const { data: integrations } = useSuspenseQuery(integrationsQuery)
  const [editing, setEditing] = useState<Integration | "new">()
  const [provisioning, setProvisioning] = useState<Integration>()
  const [removing, setRemoving] = useState<Integration>()
  const remove = useAction((integration: Integration) => deleteIntegration(integration._id), {
    refreshes: [["integrations"]],
  })
  const nameOf = (integration: Integration) => integration.name || t(typeOf(integration))
  return (
    <section className="integration-section" aria-label={t("signIn")}>
      <Group justify="space-between">
        <h2>{t("signIn")}</h2>
        {may("add/integration") ? (
          <ActionButton icon={IconPlus} label={t("add")} size="xs" onClick={() => setEditing("new")} />
        ) : null}
      </Group>
      <Text size="sm" className="quiet">
        {t("signInText")}
      </Text>
      <FormError error={remove.error} />
      {integrations.length === 0 ? <p>{t("none")}</p> : null}
      {integrations.map((integration) => (
        <article key={integration._id} className="integration-card" aria-label={nameOf(integration)}>
          <Group justify="space-between" wrap="nowrap">
            <div>
              <h3>{nameOf(integration)}</h3>
              <Text size="sm" className="quiet">
                {[
                  ...(integration.name ? [t(typeOf(integration))] : []),
                  hostOf(integration.issuerUrl ?? integration.azureAuthUrl ?? ""),
                  ...integration.emailDomains,
                ].join(" · ")}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              {may("edit/integration") && may("invite") && may("edit/member") ? (
                <IconButton
                  icon={IconUsersPlus}
                  label={`${tProvisioning("title")}: ${nameOf(integration)}`}
                  onClick={() => setProvisioning(integration)}
                />
              ) : null}
              {may("edit/integration") ? (
                <IconButton
                  icon={IconPencil}
                  label={`${t("edit")}: ${nameOf(integration)}`}
                  onClick={() => setEditing(integration)}
                />
              ) : null}
              {may("delete/integration") ? (
                <IconButton
                  icon={IconTrash}
                  label={`${t("delete")}: ${nameOf(integration)}`}
                  onClick={() => setRemoving(integration)}
                />
              ) : null}
            </Group>
          </Group>
          <Provisioned integration={integration} />
          <Address label={t("callback")} text={integration.callbackUrl} />
          {integration.entityId ? <Address label={t("entity")} text={integration.entityId} /> : null}
        </article>
      ))}
      {editing ? (
        <IntegrationDialog
          integration={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {provisioning ? (
        <ProvisioningDialog integration={provisioning} onClose={() => setProvisioning(undefined)} />
      ) : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("deleteTitle", { name: removing ? nameOf(removing) : "" })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
    </section>
  )
}

function Provisioned({ integration: { provisioning, emailDomains } }: { integration: Integration }) {
  const t = useMessages(provisioningMessages)
  const readsGroups = provisioning?.appliesGroups === "everySignIn" && provisioning.groups.length > 0
  const texts = [
    ...(provisioning?.createsMembers && emailDomains.length > 0 ? [t("isOn")] : []),
    ...(readsGroups ? [t("readsGroups")] : []),
  ]
  return texts.length === 0 ? null : <Text size="sm">{texts.join(" · ")}</Text>
}

/** The kind of provider, for a provider without a name. */
function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}

function Address({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="quiet integration-label">{label}</div>
      <Group gap="xs">
        <Code style={{ overflowWrap: "anywhere" }}>{text}</Code>
        <CopyText text={text} size="compact-xs" />
      </Group>
    </div>
  )
}
