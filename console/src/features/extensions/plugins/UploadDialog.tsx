import { FileInput, Text, Textarea, TextInput } from "@mantine/core"
import { useState } from "react"
import { upload } from "../../../api/upload.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { pluginMessages } from "./messages.ts"
import type { Plugin } from "./plugins.queries.ts"

export function UploadDialog({ onClose, onDone }: { onClose(): void; onDone(plugin: Plugin): void }) {
  const t = useMessages(pluginMessages)
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  const [script, setScript] = useState<File | null>(null)
  const [icon, setIcon] = useState<File | null>(null)
  const send = useAction(
    () => {
      const form = new FormData()
      form.append("name", name.trim())
      form.append("description", description.trim())
      if (script) form.append("resourceFile", script)
      if (icon) form.append("icon", icon)
      return upload<{ data: Plugin }>("/api/v3/plugin", form)
    },
    { refreshes: [["plugins"]], onDone: ({ data }) => onDone(data) },
  )
  return (
    <FormDialog
      submit={t("save")}
      title={t("upload")}
      gap="md"
      request={send}
      isDisabled={!script}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="quiet">
        {t("uploadText")}
      </Text>
      <TextInput label={t("name")} required minLength={3} maxLength={100} {...bindText(name, setName)} />
      <Textarea
        label={t("description")}
        required
        minLength={10}
        maxLength={500}
        autosize
        minRows={2}
        {...bindText(description, setDescription)}
      />
      <FileInput label={t("script")} required accept=".js" value={script} onChange={setScript} />
      <FileInput
        label={t("icon")}
        description={t("optional")}
        accept=".svg"
        value={icon}
        onChange={setIcon}
        clearable
      />
    </FormDialog>
  )
}
