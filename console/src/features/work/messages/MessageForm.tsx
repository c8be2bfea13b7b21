import { ActionIcon, Button, FileButton, Group, Textarea } from "@mantine/core"
import { IconCamera, IconSend2, IconX } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { shrinkPhoto } from "../flows/fields/kept-files.ts"
import { MentionButton } from "./MentionButton.tsx"
import { type Mentionable, withMention } from "./mentions.ts"
import { messageTexts } from "./message-texts.ts"
import type { ConversationKey } from "./messages.queries.ts"

const maxPhotos = 10
const maxLength = 4_000

interface MessageFormProps {
  quickReplies: readonly string[]
  /** Whose people can be named with an @; without it nobody can. */
  naming: ConversationKey | undefined
  /** For thumbs: larger targets. */
  isLarge: boolean
  mayAddPhotos: boolean
  onSend(text: string, photos: readonly string[], named: readonly Mentionable[]): Promise<void>
}

/** Writes a message: a text, photos, or one of the organization's quick replies. */
export function MessageForm({ quickReplies, naming, isLarge, mayAddPhotos, onSend }: MessageFormProps) {
  const t = useMessages(messageTexts)
  const [text, setText] = useState("")
  const [photos, setPhotos] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const [named, setNamed] = useState<readonly Mentionable[]>([])
  const [error, setError] = useState<unknown>()
  const [isUnreadable, setUnreadable] = useState(false)
  const send = async (words: string, pictures: readonly string[]) => {
    setSending(true)
    setError(undefined)
    try {
      await onSend(words, pictures, named)
      if (words === text) setText("")
      if (pictures.length > 0) setPhotos([])
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  const add = async (files: File[]) => {
    setUnreadable(false)
    try {
      const taken = await Promise.all(
        files.slice(0, maxPhotos - photos.length).map((file) => shrinkPhoto(file)),
      )
      setPhotos((before) => [...before, ...taken])
    } catch {
      setUnreadable(true)
    }
  }
  const size = isLarge ? 48 : 36
  const isEmpty = text.trim() === "" && photos.length === 0
  return (
    <form
      className="message-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) void send(text, photos)
      }}
    >
      <QuickReplies
        replies={quickReplies}
        isLarge={isLarge}
        isDisabled={isSending}
        onChoose={(reply) => void send(reply, [])}
      />
      <MessagePhotos photos={photos} isLarge={isLarge} onChange={setPhotos} />
      <FormError error={error} />
      {isUnreadable ? (
        <p className="overdue" role="alert">
          {t("unreadable")}
        </p>
      ) : null}
      <div className="message-line">
        {mayAddPhotos ? (
          <FileButton accept="image/*" multiple onChange={(files) => void add(files)}>
            {(props) => (
              <ActionIcon {...props} size={size} variant="default" aria-label={t("photo")}>
                <IconCamera size={20} />
              </ActionIcon>
            )}
          </FileButton>
        ) : null}
        {naming ? (
          <MentionButton
            conversation={naming}
            size={size}
            isOpen={isNaming}
            onOpen={setNaming}
            onChoose={(person) => {
              setText((before) => withMention(before, person.name))
              setNamed((before) => [...before, person])
            }}
          />
        ) : null}
        <Textarea
          aria-label={t("write")}
          placeholder={t("write")}
          autosize
          minRows={1}
          maxRows={5}
          maxLength={maxLength}
          size={isLarge ? "md" : "sm"}
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value
            setText(next)
            // An @ in the middle of a word is one of an e-mail address.
            if (next.length > text.length && /(^|\s)@$/.test(next)) setNaming(true)
          }}
        />
        <ActionIcon
          type="submit"
          size={size}
          variant="filled"
          loading={isSending}
          disabled={isEmpty}
          aria-label={t("send")}
        >
          <IconSend2 size={20} />
        </ActionIcon>
      </div>
    </form>
  )
}

interface QuickRepliesProps {
  replies: readonly string[]
  isLarge: boolean
  isDisabled: boolean
  onChoose(reply: string): void
}

function QuickReplies({ replies, isLarge, isDisabled, onChoose }: QuickRepliesProps) {
  const t = useMessages(messageTexts)
  if (replies.length === 0) return null
  return (
    <fieldset className="quick-replies" aria-label={t("quickReplies")}>
      {replies.map((reply) => (
        <Button
          key={reply}
          size={isLarge ? "md" : "compact-sm"}
          variant="default"
          radius="xl"
          disabled={isDisabled}
          onClick={() => onChoose(reply)}
        >
          {reply}
        </Button>
      ))}
    </fieldset>
  )
}

interface MessagePhotosProps {
  photos: readonly string[]
  isLarge: boolean
  onChange(photos: readonly string[]): void
}

/** The photos that the next message takes along. */
function MessagePhotos({ photos, isLarge, onChange }: MessagePhotosProps) {
  const t = useMessages(messageTexts)
  if (photos.length === 0) return null
  return (
    <Group gap="xs">
      {photos.map((photo, index) => (
        <span key={photo.slice(-64)} className="message-photo">
          <img src={photo} alt="" />
          <ActionIcon
            size={isLarge ? 32 : 24}
            variant="filled"
            color="dark"
            aria-label={t("removePhoto", { number: index + 1 })}
            onClick={() => onChange(photos.toSpliced(index, 1))}
          >
            <IconX size={14} />
          </ActionIcon>
        </span>
      ))}
    </Group>
  )
}
