import "./plugins.css"
import { Badge, Button, Group, Text } from "@mantine/core"
import { IconPuzzle, IconTrash, IconUpload } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { GrantDialog } from "./GrantDialog.tsx"
import { pluginMessages } from "./messages.ts"
import { usePermissionLabels } from "./permission-labels.ts"
import { useContributions } from "./plugin-store.ts"
import { type Plugin, pluginsQuery } from "./plugins.queries.ts"
import { UploadDialog } from "./UploadDialog.tsx"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(pluginsQuery)

/** Which scripts run in the console, and what each may read. */
export function PluginsPage() {
  const t = useMessages(pluginMessages)
  const { data: plugins } = useSuspenseQuery(pluginsQuery)
  const [isUploading, setUploading] = useState(false)
  const [granting, setGranting] = useState<Plugin>()
  const [removing, setRemoving] = useState<Plugin>()
  const switchOff = useAction(
    (plugin: Plugin) =>
      server.put("/api/v3/plugin/{pluginId}/installation", { pluginId: plugin.id, body: { isUsed: false } }),
    { refreshes: [["plugins"]], done: (_answer, plugin) => t("unswitched", { name: plugin.name }) },
  )
  const remove = useAction(
    (plugin: Plugin) => server.delete("/api/v3/plugin/{pluginId}", { pluginId: plugin.id }),
    { refreshes: [["plugins"]] },
  )
  const uploadButton = (
    <ActionButton icon={IconUpload} label={t("upload")} onClick={() => setUploading(true)} />
  )
  return (
    <div className="page">
      <PageHeader title={t("title")}>{plugins.length > 0 ? uploadButton : null}</PageHeader>
      <div className="page-body">
        <FormError error={switchOff.error ?? remove.error} />
        {plugins.length === 0 ? (
          <EmptyState icon={IconPuzzle} title={t("emptyTitle")} text={t("emptyText")}>
            {uploadButton}
          </EmptyState>
        ) : null}
        <ul className="plugin-list">
          {plugins.map((plugin) => (
            <PluginCard
              key={plugin.id}
              plugin={plugin}
              onGrant={() => setGranting(plugin)}
              onSwitchOff={() => switchOff.mutate(plugin)}
              onRemove={() => setRemoving(plugin)}
            />
          ))}
        </ul>
      </div>
      {isUploading ? (
        <UploadDialog
          onClose={() => setUploading(false)}
          onDone={(plugin) => {
            setUploading(false)
            setGranting(plugin)
          }}
        />
      ) : null}
      {granting ? <GrantDialog plugin={granting} onClose={() => setGranting(undefined)} /> : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("deleteTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
    </div>
  )
}

interface PluginCardProps {
  plugin: Plugin
  onGrant(): void
  onSwitchOff(): void
  onRemove(): void
}

function PluginCard({ plugin, onGrant, onSwitchOff, onRemove }: PluginCardProps) {
  const t = useMessages(pluginMessages)
  const labelOf = usePermissionLabels()
  const problem = useContributions().get(plugin.id)?.problem
  const isGlobal = plugin.organizationId === "system"
  const state = plugin.status === "active" ? (plugin.isUsed ? "on" : "off") : (plugin.status as "draft")
  const names = (plugin.isUsed ? plugin.grantedPermissions : plugin.permissions).map(labelOf)
  return (
    <li className="plugin-card" aria-label={plugin.name}>
      {plugin.icon ? (
        <img src={plugin.icon} alt="" width={36} height={36} />
      ) : (
        <IconPuzzle size={36} stroke={1.2} aria-hidden />
      )}
      <div className="plugin-card-text">
        <Group gap="xs">
          <h2>{plugin.name}</h2>
          <Badge color={state === "on" ? "pine" : "gray"}>{t(state)}</Badge>
          {isGlobal ? <Badge color="gray">{t("global")}</Badge> : null}
        </Group>
        <Text size="sm">{plugin.description}</Text>
        <Text size="xs" className="quiet">
          {names.length === 0 ? t("readsNothing") : t("reads", { names })} ·{" "}
          {t("author", { email: plugin.createdBy })}
        </Text>
        {problem ? (
          <Text size="xs" c="red" role="status">
            {t(problem.kind, { message: problem.message })}
          </Text>
        ) : null}
      </div>
      <Group gap="xs" wrap="nowrap">
        {plugin.isUsed ? (
          <>
            {plugin.permissions.length > 0 ? (
              <Button size="xs" variant="default" onClick={onGrant}>
                {t("change")}
              </Button>
            ) : null}
            <Button size="xs" variant="default" onClick={onSwitchOff}>
              {t("switchOff")}
            </Button>
          </>
        ) : (
          <Button size="xs" onClick={onGrant} disabled={plugin.status !== "active"}>
            {t("switchOn")}
          </Button>
        )}
        {isGlobal ? null : (
          <IconButton icon={IconTrash} label={`${t("delete")}: ${plugin.name}`} onClick={onRemove} />
        )}
      </Group>
    </li>
  )
}
