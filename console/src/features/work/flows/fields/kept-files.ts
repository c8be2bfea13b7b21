/** A picture that was taken and not yet sent: its bytes as a data address, so that it survives a reload. */
export type Picture = `data:image/${string}`
/** Speech that was recorded and not yet sent. */
export type Recording = `data:audio/${string}`

const longestSidePixels = 1_600
const quality = 0.82

export function isPicture(value: unknown): value is Picture {
  return typeof value === "string" && value.startsWith("data:image/")
}

export function isRecording(value: unknown): value is Recording {
  return typeof value === "string" && value.startsWith("data:audio/")
}

/** The address of a photo, which is stored alone or with its category. */
export function addressOf(photo: unknown): string | undefined {
  if (typeof photo === "string") return photo
  const url = typeof photo === "object" && photo !== null ? (photo as { url?: unknown }).url : undefined
  return typeof url === "string" ? url : undefined
}

/** Shrinks a photo on the device: a phone's 8 MB become a few hundred kB before they meet the network. */
export async function shrinkPhoto(file: Blob, mark: readonly string[] = []): Promise<Picture> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, longestSidePixels / Math.max(image.width, image.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext("2d")
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  if (context) drawMark(context, mark)
  image.close()
  return canvas.toDataURL("image/jpeg", quality) as Picture
}

/** Writes lines into the lower left corner, on a ground that keeps them legible on any photo. */
function drawMark(context: CanvasRenderingContext2D, lines: readonly string[]): void {
  const { width, height } = context.canvas
  const size = Math.max(12, Math.round(Math.max(width, height) / 50))
  const lineHeight = Math.round(size * 1.35)
  const top = height - lines.length * lineHeight - size
  if (lines.length === 0 || top < 0) return
  context.font = `600 ${size}px system-ui, sans-serif`
  context.textBaseline = "top"
  const widest = Math.max(...lines.map((line) => context.measureText(line).width))
  context.fillStyle = "rgb(0 0 0 / 60%)"
  context.fillRect(0, top, Math.min(width, widest + 2 * size), height - top)
  context.fillStyle = "#fff"
  for (const [index, line] of lines.entries())
    context.fillText(line, size, top + size / 2 + index * lineHeight, width - 2 * size)
}

/** The bytes behind a data address; `fetch` may not read those under the content policy. */
export function fileBlob(address: Picture | Recording): Blob {
  const [head = "", content = ""] = address.split(",", 2)
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: head.slice("data:".length, head.indexOf(";")) })
}

/** A recording as a data address. The codec parameters of its media type are dropped, since other readers do not accept them. */
export async function readAsAddress(recording: Blob): Promise<Recording> {
  const bytes = new Uint8Array(await recording.arrayBuffer())
  let letters = ""
  for (let at = 0; at < bytes.length; at += 8_192)
    letters += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  const kind = recording.type.split(";")[0] ?? "audio/webm"
  return `data:${kind.startsWith("audio/") ? kind : "audio/webm"};base64,${btoa(letters)}` as Recording
}

/** Whether a file is stored by this server, or on this device. Other addresses that clients sent are never opened. */
export function isOwnFile(address: string): boolean {
  return isPicture(address) || isRecording(address) || address.includes("/files/")
}

/** Files are served by this server whatever host its links name, so that the cookie and the policy fit. */
export function localAddress(address: string): string {
  return address.includes("/files/") ? `/api/v3/file/view?url=${encodeURIComponent(address)}` : address
}
