import { ActionIcon, Group, TextInput } from "@mantine/core"
import { IconScan } from "@tabler/icons-react"
import { useId, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { bindText } from "../../../../ui/forms/bind.ts"

const messages = defineMessages({
  en: {
    scan: "Type or scan the code",
    camera: "Read the code with the camera",
    unread: "No code was found in the picture. Hold the camera closer, or type the code.",
  },
  id: {
    scan: "Ketik atau pindai kode",
    camera: "Baca kode dengan kamera",
    unread: "Tidak ada kode di gambar. Dekatkan kamera, atau ketik kodenya.",
  },
})

/** Reads barcodes and QR codes where the browser can, as those of Android phones do. */
interface CodeReader {
  detect(picture: ImageBitmap): Promise<{ rawValue: string }[]>
}

function createReader(): CodeReader | undefined {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: new () => CodeReader }
  return BarcodeDetector ? new BarcodeDetector() : undefined
}

export interface CodeFieldProps {
  label: string
  required: boolean
  size: "sm" | "md"
  error?: string
  value: unknown
  onChange(value: unknown): void
}

/** A code that is typed, read by a scanner that types, or by the camera. */
export function CodeField({ value, onChange, ...common }: CodeFieldProps) {
  const t = useMessages(messages)
  const inputId = useId()
  const [reader] = useState(createReader)
  const [isUnread, setUnread] = useState(false)
  const read = async (picture: File | undefined) => {
    if (!picture || !reader) return
    const [found] = await reader.detect(await createImageBitmap(picture)).catch(() => [])
    setUnread(found === undefined)
    if (found) onChange(found.rawValue)
  }
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        {...common}
        style={{ flex: 1 }}
        placeholder={t("scan")}
        autoCapitalize="off"
        {...(isUnread ? { error: t("unread") } : {})}
        {...bindText(typeof value === "string" ? value : "", onChange)}
      />
      {reader ? (
        <ActionIcon
          component="label"
          htmlFor={inputId}
          variant="default"
          size={common.size === "md" ? 42 : 36}
          aria-label={t("camera")}
        >
          <IconScan size={20} />
          <input
            id={inputId}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        </ActionIcon>
      ) : null}
    </Group>
  )
}
