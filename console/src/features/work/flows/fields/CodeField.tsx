import { ActionIcon, Group, TextInput } from "@mantine/core"
import { IconScan } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { canScan } from "../../../../scan/scan-support.ts"
import { bindText } from "../../../../ui/forms/bind.ts"

const ScanDialog = lazy(() => import("../../../../scan/ScanDialog.tsx"))

const messages = defineMessages("work.codeField", {
  scan: "Type or scan the code",
  camera: "Read the code with the camera",
})

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
  const [isScanning, setScanning] = useState(false)
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        {...common}
        style={{ flex: 1 }}
        placeholder={t("scan")}
        autoCapitalize="off"
        {...bindText(typeof value === "string" ? value : "", onChange)}
      />
      {canScan() ? (
        <ActionIcon
          variant="default"
          size={common.size === "md" ? 48 : 36}
          aria-label={t("camera")}
          onClick={() => setScanning(true)}
        >
          <IconScan size={20} />
        </ActionIcon>
      ) : null}
      {isScanning ? (
        <Suspense fallback={null}>
          <ScanDialog
            title={common.label}
            onCode={(code) => {
              onChange(code)
              setScanning(false)
              return { isRight: true, text: code }
            }}
            onClose={() => setScanning(false)}
          />
        </Suspense>
      ) : null}
    </Group>
  )
}
