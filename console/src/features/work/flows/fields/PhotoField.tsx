import "./fields.css"
import { Loader, NativeSelect, Text } from "@mantine/core"
import { IconCamera, IconX } from "@tabler/icons-react"
import { useId, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { IconButton } from "../../../../ui/actions/ActionButton.tsx"
import type { FlowComponent } from "../flows.queries.ts"
import { addressOf, isOwnFile, localAddress, shrinkPhoto } from "./kept-files.ts"
import { whilePhotoPends } from "./pending-photos.ts"

const messages = defineMessages("work.photoField", {
  take: "Take a photo",
  remove: "Remove photo {number}",
  photo: "Photo {number}",
  between: "{min} to {max}",
  category: "Category of the next photo",
  unreadable: "This file is not a picture that the browser can read.",
})

export interface PhotoFieldProps {
  component: FlowComponent
  value: unknown
  error?: string | undefined
  /** Lines that are written into the lower edge of each photo that is taken. */
  mark?: (() => Promise<readonly string[]>) | undefined
  onChange(value: unknown): void
}

/** Photos of the camera, or from the device; each is scaled down before it is stored. */
export function PhotoField({ component, value, error, mark, onChange }: PhotoFieldProps) {
  const t = useMessages(messages)
  const inputId = useId()
  const photos = (Array.isArray(value) ? value : []).flatMap((entry) => {
    const address = addressOf(entry)
    return address === undefined ? [] : [{ entry: entry as unknown, address, category: entry?.category }]
  })
  const kept = photos.map(({ entry }) => entry)
  const categories = Array.isArray(component.categories) ? component.categories.map(String) : []
  const [chosen, setChosen] = useState<string>()
  const category = chosen ?? categories[0]
  const most = Number(component.max ?? 0) || 20
  // Without leave for older pictures a phone opens its camera.
  const mayChoose = component.selectGallery === true
  const [isUnreadable, setUnreadable] = useState(false)
  const [isTaking, setTaking] = useState(false)
  const take = async (files: FileList | null) => {
    setUnreadable(false)
    try {
      const lines = await mark?.()
      const chosenFiles = [...(files ?? [])].slice(0, most - photos.length)
      const taken = await Promise.all(chosenFiles.map((file) => shrinkPhoto(file, lines)))
      onChange([...kept, ...taken.map((url) => (category === undefined ? url : { category, url }))])
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
      {categories.length > 0 ? (
        <NativeSelect
          label={t("category")}
          data={categories}
          value={category}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          mb={6}
        />
      ) : null}
      <div className="photos">
        {photos.map(({ address, category: named }, index) => (
          <div key={address.slice(-64)} className="photo-kept">
            {isOwnFile(address) ? (
              <img
                src={localAddress(address)}
                alt={[t("photo", { number: index + 1 }), named].filter(Boolean).join(", ")}
              />
            ) : (
              <code>{address}</code>
            )}
            <IconButton
              icon={IconX}
              label={t("remove", { number: index + 1 })}
              iconSize={14}
              size="sm"
              variant="filled"
              color="dark"
              onClick={() => onChange(kept.toSpliced(index, 1))}
            />
          </div>
        ))}
        {photos.length < most ? (
          <label htmlFor={inputId} className="photo-take">
            {isTaking ? <Loader size={24} /> : <IconCamera size={24} aria-hidden />}
            {t("take")}
            <input
              id={inputId}
              type="file"
              disabled={isTaking}
              aria-invalid={error !== undefined}
              {...(error === undefined ? {} : { "aria-describedby": `${inputId}-error` })}
              accept="image/*"
              multiple={mayChoose}
              {...(mayChoose ? {} : { capture: "environment" as const })}
              onChange={(event) => {
                const input = event.currentTarget
                // Emptied, so that the same file can be taken again after it was removed.
                setTaking(true)
                void whilePhotoPends(take(input.files)).then(() => {
                  input.value = ""
                  setTaking(false)
                })
              }}
            />
          </label>
        ) : null}
      </div>
      {error === undefined ? null : (
        <p className="overdue" id={`${inputId}-error`}>
          {error}
        </p>
      )}
      {isUnreadable ? (
        <p className="overdue" role="alert">
          {t("unreadable")}
        </p>
      ) : null}
    </div>
  )
}
