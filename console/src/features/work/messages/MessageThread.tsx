import "./messages.css"
import { Button } from "@mantine/core"
import { useEffect, useRef } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { isOwnFile, localAddress } from "../flows/fields/kept-files.ts"
import { MessageForm } from "./MessageForm.tsx"
import type { Mentionable } from "./mentions.ts"
import { messageTexts } from "./message-texts.ts"
import type { ConversationKey, Message, MessageList } from "./messages.queries.ts"

/** A message that has not reached the server. */
export interface UnsentMessage {
  id: string
  text: string
  photos: readonly string[]
}

interface MessageThreadProps {
  /** Newest first, as the server lists them. */
  messages: readonly Message[]
  unsent?: readonly UnsentMessage[]
  readers: MessageList["readers"]
  ownId: string
  quickReplies: readonly string[]
  /** Whose people can be named with an @; without it nobody can. */
  naming?: ConversationKey | undefined
  isLarge?: boolean
  /** How a time is written; otherwise as everywhere in the console. */
  timeText?: (time: string) => string
  mayAddPhotos: boolean
  onEarlier?: (() => void) | undefined
  onSend(text: string, photos: readonly string[], named: readonly Mentionable[]): Promise<void>
  onRead(newestId: string): void
}

/** One conversation: the messages, oldest first, and the form for another one. */
export function MessageThread({
  messages,
  unsent = [],
  readers,
  ownId,
  quickReplies,
  naming,
  isLarge = false,
  timeText,
  mayAddPhotos,
  onEarlier,
  onSend,
  onRead,
}: MessageThreadProps) {
  const t = useMessages(messageTexts)
  const formats = useFormats()
  const list = useRef<HTMLOListElement>(null)
  const [newest] = messages
  const newestId = newest?._id
  const isOthers = newest !== undefined && newest.authorId !== ownId
  useEffect(() => {
    if (newestId && isOthers) onRead(newestId)
  }, [newestId, isOthers, onRead])
  // The list alone: the panel that it stands in keeps its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that comes or goes moves the end
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [newestId, unsent.length])
  const lastOwn = messages.find(({ authorId }) => authorId === ownId)
  const hasRead = readers.filter(({ readUntil }) => lastOwn && readUntil >= lastOwn.createdTime)
  return (
    <div className="thread">
      {messages.length + unsent.length === 0 ? (
        <p className="thread-empty">
          <strong>{t("none")}</strong>
          {t("noneText")}
        </p>
      ) : null}
      <ol ref={list} className="thread-messages" aria-label={t("title")} aria-live="polite">
        {onEarlier ? (
          <li className="thread-earlier">
            <Button variant="subtle" size={isLarge ? "md" : "compact-sm"} onClick={onEarlier}>
              {t("earlier")}
            </Button>
          </li>
        ) : null}
        {messages.toReversed().map(({ _id, authorId, author, text, photos, createdTime }) => (
          <li key={_id} className="bubble" data-own={authorId === ownId || undefined}>
            <span className="bubble-head">
              {authorId === ownId ? t("you") : author} · {(timeText ?? formats.dateTime)(createdTime)}
            </span>
            {text ? <span className="bubble-text">{text}</span> : null}
            <Photos photos={photos} author={author} />
            {_id === lastOwn?._id && hasRead.length > 0 ? (
              <span className="bubble-head">{t("readBy", { names: hasRead.map(({ name }) => name) })}</span>
            ) : null}
          </li>
        ))}
        {unsent.map(({ id, text, photos }) => (
          <li key={id} className="bubble" data-own data-unsent>
            <span className="bubble-head">{t("unsent")}</span>
            {text ? <span className="bubble-text">{text}</span> : null}
            <Photos photos={photos} author={t("you")} />
          </li>
        ))}
      </ol>
      <MessageForm
        quickReplies={quickReplies}
        naming={naming}
        isLarge={isLarge}
        mayAddPhotos={mayAddPhotos}
        onSend={onSend}
      />
    </div>
  )
}

function Photos({ photos, author }: { photos: readonly string[]; author: string }) {
  const t = useMessages(messageTexts)
  return photos.filter(isOwnFile).map((address, index) => (
    <a key={address.slice(-64)} href={localAddress(address)} target="_blank" rel="noreferrer">
      <img src={localAddress(address)} alt={t("photoOf", { number: index + 1, name: author })} />
    </a>
  ))
}
