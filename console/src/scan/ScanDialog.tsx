import "./scan.css"
import { Button, FileButton, Group, TextInput } from "@mantine/core"
import { useCallback, useEffect, useRef, useState } from "react"
import { useMessages } from "../i18n/language.tsx"
import { OpenModal } from "../ui/layout/OpenModal.tsx"
import type { Detector } from "./detector.ts"
import { scanMessages } from "./scan-messages.ts"
import { playVerdict } from "./sounds.ts"

/** What came of a code: shown, and heard. */
export interface Verdict {
  isRight: boolean
  text: string
}

export interface ScanDialogProps {
  title: string
  /** Called for each code that is read; the dialog goes on until it is closed. */
  onCode(code: string): Verdict
  onClose(): void
}

const everyMilliseconds = 120
/** A code that stays in front of the camera is read once; the next item with the same code after a moment without it. */
const repeatMilliseconds = 1_500

/** Reads one code after another with the camera; a photo or the keyboard where there is none. */
export default function ScanDialog({ title, onCode, onClose }: ScanDialogProps) {
  const t = useMessages(scanMessages)
  const [verdict, setVerdict] = useState<Verdict>()
  const [typed, setTyped] = useState("")
  const latest = useRef(onCode)
  latest.current = onCode
  const hear = useCallback((code: string) => {
    const heard = latest.current(code)
    playVerdict(heard.isRight)
    setVerdict(heard)
  }, [])
  const detector = useDetector()
  const camera = useCamera(detector.reader, hear)
  const readPhoto = async (file: File | null) => {
    if (!file || !detector.reader) return
    const [found] = await detector.reader.detect(await createImageBitmap(file)).catch(() => [])
    if (found) hear(found.rawValue)
    else setVerdict({ isRight: false, text: t("noCode") })
  }
  const hint = detector.failure
    ? t("noReader", { reason: detector.failure })
    : t(camera.state === "failed" ? "noCamera" : camera.state === "running" ? "aim" : "starting")
  return (
    <OpenModal onClose={onClose} fullScreen title={title} classNames={{ body: "scan" }}>
      <div className="scan-view" data-state={camera.state}>
        <video ref={camera.video} playsInline muted aria-label={t("aim")} />
      </div>
      <p className="scan-verdict" data-right={verdict?.isRight} role="status">
        {verdict?.text ?? hint}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== "") hear(typed.trim())
          setTyped("")
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label={t("typed")}
            placeholder={t("typed")}
            size="lg"
            style={{ flex: 1 }}
            autoCapitalize="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" size="lg" variant="default" disabled={typed.trim() === ""}>
            {t("enter")}
          </Button>
        </Group>
      </form>
      <Group grow align="start">
        <FileButton accept="image/*" capture="environment" onChange={(file) => void readPhoto(file)}>
          {(props) => (
            <Button {...props} size="lg" variant="default" disabled={!detector.reader}>
              {t("photo")}
            </Button>
          )}
        </FileButton>
        <Button size="lg" onClick={onClose}>
          {t("close")}
        </Button>
      </Group>
    </OpenModal>
  )
}

/** The reader is loaded when somebody scans: it weighs a megabyte. */
function useDetector(): { reader: Detector | undefined; failure: string | undefined } {
  const [reader, setReader] = useState<Detector>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    let isHere = true
    import("./detector.ts")
      .then(({ createDetector }) => {
        if (isHere) setReader(createDetector())
      })
      .catch((error: unknown) => setFailure(String(error)))
    return () => {
      isHere = false
    }
  }, [])
  return { reader, failure }
}

/** Shows the camera and reads codes as long as the dialog is open. */
function useCamera(reader: Detector | undefined, hear: (code: string) => void) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<"starting" | "running" | "failed">("starting")
  useEffect(() => {
    let stream: MediaStream | undefined
    let isHere = true
    const options = { video: { facingMode: "environment", width: { ideal: 1_280 } }, audio: false }
    const opened = navigator.mediaDevices
      ? navigator.mediaDevices.getUserMedia(options)
      : Promise.reject(new Error("no camera"))
    opened
      .then(async (found) => {
        stream = found
        if (!isHere || !video.current) return stop(found)
        video.current.srcObject = found
        await video.current.play()
        setState("running")
      })
      .catch(() => setState("failed"))
    return () => {
      isHere = false
      if (stream) stop(stream)
    }
  }, [])
  useEffect(() => {
    if (!reader || state !== "running") return
    let timer: ReturnType<typeof setTimeout>
    let last = { code: "", seenAt: 0 }
    const look = async () => {
      const found = video.current ? await reader.detect(video.current).catch(() => []) : []
      const code = found[0]?.rawValue
      const now = performance.now()
      if (code) {
        if (code !== last.code || now - last.seenAt > repeatMilliseconds) hear(code)
        last = { code, seenAt: now }
      }
      timer = setTimeout(() => void look(), everyMilliseconds)
    }
    void look()
    return () => clearTimeout(timer)
  }, [reader, state, hear])
  return { video, state }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
