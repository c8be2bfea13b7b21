import "../devices/devices.css"
import { Button, FileInput, Group, Progress, TextInput } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { uploadMap } from "./maps.queries.ts"
import { mapMessages } from "./messages.ts"

/** Uploads an extract; what becomes of it is in the list of builds. */
export function MapUpload({ onUploaded }: { onUploaded(): Promise<unknown> }) {
  const t = useMessages(mapMessages)
  const [file, setFile] = useState<File | null>(null)
  const [style, setStyle] = useState<File | null>(null)
  const [name, setName] = useState("")
  const [sent, setSent] = useState(0)
  const send = useAction(async (chosen: File) => {
    setSent(0)
    await uploadMap({ file: chosen, style, name }, setSent)
    setFile(null)
    setStyle(null)
    setName("")
    await onUploaded()
  })
  const submit = () => {
    if (file) send.mutate(file)
  }
  const needsStyle = file?.name.endsWith(".pmtiles") ?? false
  return (
    <Form onSubmit={submit} className="device-form">
      <Group align="start" gap="xs">
        <FileInput
          label={t("file")}
          placeholder={t("filePlaceholder")}
          accept=".pbf,.pmtiles"
          value={file}
          onChange={setFile}
          w={240}
        />
        {needsStyle ? (
          <FileInput label={t("style")} accept=".json" value={style} onChange={setStyle} w={200} />
        ) : null}
        <TextInput
          label={t("name")}
          description={t("nameText")}
          inputWrapperOrder={["label", "input", "description"]}
          placeholder={file?.name.replace(/\.(osm\.pbf|pbf|pmtiles)$/i, "") ?? ""}
          maxLength={40}
          w={260}
          {...bindText(name, setName)}
        />
        <Button type="submit" loading={send.isPending} disabled={!file} mt={24}>
          {t("upload")}
        </Button>
      </Group>
      {send.isPending ? <Progress value={sent * 100} aria-label={t("uploading")} mt="xs" /> : null}
      <FormError error={send.error} />
    </Form>
  )
}
