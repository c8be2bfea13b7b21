import { Group, Select, Text, TextInput } from "@mantine/core"
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { type CustomModule, customModulesQuery } from "../custom-modules/custom-modules.queries.ts"
import { integrationMessages } from "./messages.ts"

/** Entries that the organization adds to the menu. Requires the permission edit/organization. */
export function ModulesSection() {
  const t = useMessages(integrationMessages)
  const { data: modules } = useSuspenseQuery(customModulesQuery)
  const [editing, setEditing] = useState<CustomModule | "new">()
  const [removing, setRemoving] = useState<CustomModule>()
  const remove = useAction(
    ({ _id }: CustomModule) =>
      server.delete("/api/v3/custom-module/{customModuleId}", { customModuleId: _id }),
    { refreshes: [["custom-modules"]] },
  )
  return (
    <section className="integration-section" aria-label={t("modules")}>
      <Group justify="space-between">
        <h2>{t("modules")}</h2>
        <ActionButton icon={IconPlus} label={t("addModule")} size="xs" onClick={() => setEditing("new")} />
      </Group>
      <Text size="sm" className="quiet">
        {t("modulesText")}
      </Text>
      <FormError error={remove.error} />
      {modules.length === 0 ? <p>{t("noModules")}</p> : null}
      {modules.length > 0 ? (
        <DataTable
          rows={modules}
          keyOf={({ _id }) => _id}
          columns={[
            { title: t("moduleName"), kind: "name", cell: (module) => module.name },
            {
              title: t("url"),
              from: "sm",
              kind: "quiet",
              className: "breakable",
              cell: (module) => module.url,
            },
            { title: t("opens"), cell: (module) => t(module.type === "external" ? "newTab" : "inside") },
            {
              title: t("permission"),
              from: "sm",
              kind: "quiet",
              cell: (module) => `view/custom/${module.label}`,
            },
            {
              title: t("edit"),
              kind: "actions",
              cell: (module) => (
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  <IconButton
                    icon={IconPencil}
                    label={`${t("edit")}: ${module.name}`}
                    onClick={() => setEditing(module)}
                  />
                  <IconButton
                    icon={IconTrash}
                    label={`${t("delete")}: ${module.name}`}
                    onClick={() => setRemoving(module)}
                  />
                </Group>
              ),
            },
          ]}
        />
      ) : null}
      {editing ? (
        <ModuleDialog
          module={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("deleteTitle", { name: removing?.name ?? "" })}
        text={t("removeModuleText")}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
    </section>
  )
}

function ModuleDialog({ module, onClose }: { module: CustomModule | undefined; onClose(): void }) {
  const t = useMessages(integrationMessages)
  const [name, setName] = useState(module?.name ?? "")
  const [url, setUrl] = useState(module?.url ?? "")
  const [type, setType] = useState<"internal" | "external">(
    module?.type === "external" ? "external" : "internal",
  )
  const save = useAction(
    () => {
      const body = { name: name.trim(), url: url.trim(), type }
      if (!module) return server.post("/api/v3/custom-module", { body })
      return server.put("/api/v3/custom-module/{customModuleId}", { customModuleId: module._id, body })
    },
    { refreshes: [["custom-modules"]], onDone: onClose },
  )
  return (
    <FormDialog
      title={t(module ? "editModule" : "addModule")}
      history={module && { objectType: "custom-module", objectId: module._id }}
      gap="md"
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t("moduleName")}
        description={module ? t("nameStays") : undefined}
        required
        maxLength={100}
        disabled={module !== undefined}
        {...bindText(name, setName)}
      />
      <TextInput label={t("url")} type="url" required placeholder="https://" {...bindText(url, setUrl)} />
      <Select
        label={t("opens")}
        data={[
          { value: "internal", label: t("inside") },
          { value: "external", label: t("newTab") },
        ]}
        value={type}
        allowDeselect={false}
        onChange={(value) => value && setType(value as typeof type)}
      />
    </FormDialog>
  )
}
