import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { pluginMessages } from "./messages.ts"
import { usePermissionLabels } from "./permission-labels.ts"
import type { Plugin } from "./plugins.queries.ts"

/** Before a plugin runs, somebody decides what it may read. */
export function GrantDialog({ plugin, onClose }: { plugin: Plugin; onClose(): void }) {
  const t = useMessages(pluginMessages)
  const client = useQueryClient()
  const labelOf = usePermissionLabels()
  const [granted, setGranted] = useState<readonly string[]>(
    plugin.isUsed ? plugin.grantedPermissions : plugin.permissions,
  )
  const install = useMutation({
    mutationFn: () =>
      responseOf(
        api.PUT("/api/v3/plugin/{pluginId}/installation", {
          params: { path: { pluginId: plugin.id } },
          body: { isUsed: true, grantedPermissions: [...granted] },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["plugins"] })
      notifyDone(t("switched", { name: plugin.name }))
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={t("grantTitle", { name: plugin.name })}>
      <Stack gap="md">
        <Text size="sm" className="quiet">
          {t(plugin.permissions.length > 0 ? "grantText" : "asksNothing")}
        </Text>
        {plugin.permissions.map((name) => (
          <Checkbox
            key={name}
            label={labelOf(name)}
            description={name}
            checked={granted.includes(name)}
            onChange={(event) =>
              setGranted(
                event.currentTarget.checked ? [...granted, name] : granted.filter((other) => other !== name),
              )
            }
          />
        ))}
        <FormError error={install.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button loading={install.isPending} onClick={() => install.mutate()}>
            {t(plugin.isUsed ? "grantSave" : "grant")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
