import { ActionIcon, Text } from "@mantine/core"
import { IconCamera, IconX } from "@tabler/icons-react"
import { useId, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import type { FlowComponent } from "./flows.queries.ts"
import { localAddress, shrinkPhoto } from "./kept-files.ts"

const messages = defineMessages({
  en: {
    take: "Take a photo",
    remove: "Remove photo {number}",
    photo: "Photo {number}",
    between: "{min} to {max}",
    unreadable: "This file is not a picture that the browser can read.",
  },
  id: {
    take: "Ambil foto",
    remove: "Hapus foto {number}",
    photo: "Foto {number}",
    between: "{min} sampai {max}",
    unreadable: "Berkas ini bukan gambar yang dapat dibaca peramban.",
  },
})

export interface PhotoFieldProps {
  component: FlowComponent
  value: unknown
  onChange(value: unknown): void
}

/** Photos of the camera, or from the device; each is shrunk before it is kept. */
export function PhotoField({ component, value, onChange }: PhotoFieldProps) {
  const t = useMessages(messages)
  const inputId = useId()
  const photos = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : []
  const most = Number(component.max ?? 0) || 20
  // Without leave for older pictures a phone opens its camera.
  const mayChoose = component.selectGallery === true
  const [isUnreadable, setUnreadable] = useState(false)
  const take = async (files: FileList | null) => {
    setUnreadable(false)
    try {
      const taken = await Promise.all([...(files ?? [])].slice(0, most - photos.length).map(shrinkPhoto))
      onChange([...photos, ...taken])
    } catch {
      setUnreadable(true)
    }
  }
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {component.title ?? component.id}
        <span className="quiet"> · {t("between", { min: Number(component.min ?? 0), max: most })}</span>
      </Text>
      <div className="photos">
        {photos.map((photo, index) => (
          <div key={photo.slice(-64)} className="photo-kept">
            <img src={localAddress(photo)} alt={t("photo", { number: index + 1 })} />
            <ActionIcon
              size="sm"
              variant="filled"
              color="dark"
              aria-label={t("remove", { number: index + 1 })}
              onClick={() => onChange(photos.filter((kept) => kept !== photo))}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        ))}
        {photos.length < most ? (
          <label htmlFor={inputId} className="photo-take">
            <IconCamera size={24} aria-hidden />
            {t("take")}
            <input
              id={inputId}
              type="file"
              accept="image/*"
              multiple={mayChoose}
              {...(mayChoose ? {} : { capture: "environment" as const })}
              onChange={(event) => {
                const input = event.currentTarget
                // Emptied, so that the same file can be taken again after it was removed.
                void take(input.files).then(() => {
                  input.value = ""
                })
              }}
            />
          </label>
        ) : null}
      </div>
      {isUnreadable ? (
        <p className="overdue" role="alert">
          {t("unreadable")}
        </p>
      ) : null}
    </div>
  )
}
