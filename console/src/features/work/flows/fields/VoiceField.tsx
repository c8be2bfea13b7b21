import { Button, Group, Text } from "@mantine/core"
import { IconMicrophone, IconPlayerStop, IconTrash } from "@tabler/icons-react"
import { useCallback, useEffect, useRef, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { useNow } from "../../../../ui/now.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { fileBlob, isRecording, localAddress, readAsAddress } from "./kept-files.ts"

const messages = defineMessages("work.voiceField", {
  stop: "Stop",
  remove: "Remove the recording",
  refused: "The microphone cannot be used. Allow it for this page in the browser's settings.",
  most: "at most {count} minute|at most {count} minutes",
})

/** The wire's longest recording, in minutes. */
const maxMinutes = 10
/** Speech is well understood at this rate, and ten minutes stay far below the largest upload. */
const bitsPerSecond = 32_000

/** A recording of the microphone, stored as bytes until it is sent. */
export function VoiceField({
  component,
  value,
  error,
  onChange,
}: {
  component: FlowComponent
  value: unknown
  error?: string | undefined
  onChange(value: unknown): void
}) {
  const t = useMessages(messages)
  const most = Math.min(maxMinutes, Number(component.maxDuration ?? 0) || maxMinutes)
  const recorder = useRef<MediaRecorder>(undefined)
  const [startedAt, setStartedAt] = useState<number>()
  const [isRefused, setRefused] = useState(false)
  const now = useNow(1_000)
  const stop = useCallback(() => {
    if (recorder.current?.state === "recording") recorder.current.stop()
  }, [])
  useEffect(() => stop, [stop])
  const start = async () => {
    setRefused(false)
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const parts: Blob[] = []
      const recording = new MediaRecorder(stream, { audioBitsPerSecond: bitsPerSecond })
      recording.ondataavailable = ({ data }) => parts.push(data)
      const limit = setTimeout(() => recording.state === "recording" && recording.stop(), most * 60_000)
      recording.onstop = async () => {
        clearTimeout(limit)
        for (const track of stream.getTracks()) track.stop()
        setStartedAt(undefined)
        onChange(await readAsAddress(new Blob(parts, { type: recording.mimeType })))
      }
      recorder.current = recording
      recording.start()
      setStartedAt(Date.now())
    } catch {
      setRefused(true)
    }
  }
  const seconds = startedAt === undefined ? 0 : Math.max(0, Math.round((now - startedAt) / 1000))
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {component.title ?? component.id}
        <span className="quiet"> · {t("most", { count: most })}</span>
      </Text>
      {typeof value === "string" && value !== "" ? (
        <Group gap="xs" wrap="nowrap">
          <Recording address={value} title={component.title ?? component.id} />
          <IconButton
            icon={IconTrash}
            label={t("remove")}
            iconSize={18}
            size="lg"
            onClick={() => onChange(null)}
          />
        </Group>
      ) : (
        <Group gap="sm">
          <Button
            size="md"
            variant={startedAt === undefined ? "light" : "filled"}
            color={startedAt === undefined ? "pine" : "red"}
            leftSection={
              startedAt === undefined ? <IconMicrophone size={16} /> : <IconPlayerStop size={16} />
            }
            onClick={() => (startedAt === undefined ? void start() : stop())}
          >
            {startedAt === undefined ? t("record") : t("stop")}
          </Button>
          {startedAt === undefined ? null : (
            <span role="timer">
              {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
            </span>
          )}
        </Group>
      )}
      {error === undefined ? null : <p className="overdue">{error}</p>}
      {isRefused ? (
        <p className="overdue" role="alert">
          {t("refused")}
        </p>
      ) : null}
    </div>
  )
}

/** Plays a recording of the server, or one that has not left the device. */
export function Recording({ address, title }: { address: string; title: string }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    if (!isRecording(address)) {
      setSource(localAddress(address))
      return
    }
    const own = URL.createObjectURL(fileBlob(address))
    setSource(own)
    return () => URL.revokeObjectURL(own)
  }, [address])
  // biome-ignore lint/a11y/useMediaCaption: what somebody says in the field has no captions
  return <audio controls src={source} aria-label={title} style={{ maxWidth: "100%" }} />
}
