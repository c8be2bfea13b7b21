import "./fields.css"
import { Button, Group, Text } from "@mantine/core"
import { type PointerEvent, useEffect, useRef } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { isOwnFile, localAddress } from "./kept-files.ts"

const messages = defineMessages("work.signatureField", {
  clear: "Clear",
  area: "{title}: sign with a finger, a pen or the mouse",
})

const width = 640
const height = 240

/** A signature drawn on the screen, stored as an image. */
export function SignatureField({
  title,
  value,
  error,
  onChange,
}: {
  title: string
  value: unknown
  error?: string | undefined
  onChange(value: unknown): void
}) {
  const t = useMessages(messages)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDrawing = useRef(false)
  const kept = useRef(typeof value === "string" && isOwnFile(value) ? localAddress(value) : undefined)
  useEffect(() => {
    const context = canvas.current?.getContext("2d")
    if (!context || !kept.current) return
    const image = new Image()
    image.onload = () => context.drawImage(image, 0, 0, width, height)
    image.src = kept.current
  }, [])
  const at = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return [
      ((event.clientX - box.left) * width) / box.width,
      ((event.clientY - box.top) * height) / box.height,
    ] as const
  }
  const start = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = event.currentTarget.getContext("2d")
    if (!context) return
    event.currentTarget.setPointerCapture(event.pointerId)
    isDrawing.current = true
    context.lineWidth = 4
    context.lineCap = "round"
    context.lineJoin = "round"
    context.strokeStyle = "#1d2622"
    context.beginPath()
    context.moveTo(...at(event))
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = event.currentTarget.getContext("2d")
    if (!isDrawing.current || !context) return
    context.lineTo(...at(event))
    context.stroke()
  }
  const end = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!isDrawing.current) return
    isDrawing.current = false
    onChange(event.currentTarget.toDataURL("image/png"))
  }
  const clear = () => {
    canvas.current?.getContext("2d")?.clearRect(0, 0, width, height)
    onChange(null)
  }
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {title}
        </Text>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          {t("clear")}
        </Button>
      </Group>
      <canvas
        ref={canvas}
        className="signature"
        width={width}
        height={height}
        role="img"
        aria-label={t("area", { title })}
        onPointerDown={start}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
        tabIndex={-1}
        data-invalid={error !== undefined}
      />
      {error === undefined ? null : <p className="overdue">{error}</p>}
    </div>
  )
}
