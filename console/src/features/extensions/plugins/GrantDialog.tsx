import { Checkbox, Text } from "@mantine/core"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { pluginMessages } from "./messages.ts"
import { usePermissionLabels } from "./permission-labels.ts"
import type { Plugin } from "./plugins.queries.ts"

/** Before a plugin runs, an administrator decides what it can read. */
export function GrantDialog({ plugin, onClose }: { plugin: Plugin; onClose(): void }) {
  const t = useMessages(pluginMessages)
  const labelOf = usePermissionLabels()
  const [granted, setGranted] = useState<readonly string[]>(
    plugin.isUsed ? plugin.grantedPermissions : plugin.permissions,
  )
  const install = useAction(
    () =>
      server.put("/api/v3/plugin/{pluginId}/installation", {
        pluginId: plugin.id,
        body: { isUsed: true, grantedPermissions: [...granted] },
      }),
    { refreshes: [["plugins"]], done: () => t("switched", { name: plugin.name }), onDone: onClose },
  )
  return (
    <FormDialog
      title={t("grantTitle", { name: plugin.name })}
      gap="md"
      request={install}
      submit={t(plugin.isUsed ? "grantSave" : "grant")}
      onSubmit={() => install.mutate()}
      onClose={onClose}
      history={[
        { objectType: "plugin", objectId: plugin.id },
        {
          objectType: "plugin-installation",
          objectId: plugin.id,
          heading: t("grantTitle", { name: plugin.name }),
        },
      ]}
    >
      <Text size="sm" className="quiet">
        {t(plugin.permissions.length > 0 ? "grantText" : "asksNothing")}
      </Text>
      {plugin.permissions.map((name) => (
        <Checkbox
          key={name}
          label={labelOf(name)}
          description={name}
          {...bindChecked(granted.includes(name), (checked) =>
            setGranted(checked ? [...granted, name] : granted.filter((other) => other !== name)),
          )}
        />
      ))}
    </FormDialog>
  )
}
