/** A picture that was taken and not yet sent: its bytes as a data address, so that it survives a reload. */
export type Picture = `data:image/${string}`

const longestSidePixels = 1_600
const quality = 0.82

export function isPicture(value: unknown): value is Picture {
  return typeof value === "string" && value.startsWith("data:image/")
}

/** Shrinks a photo on the device: a phone's 8 MB become a few hundred kB before they meet the network. */
export async function shrinkPhoto(file: Blob): Promise<Picture> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, longestSidePixels / Math.max(image.width, image.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas.toDataURL("image/jpeg", quality) as Picture
}

/** The bytes behind a data address; `fetch` may not read those under the content policy. */
export function pictureBlob(picture: Picture): Blob {
  const [head = "", content = ""] = picture.split(",", 2)
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: head.slice("data:".length, head.indexOf(";")) })
}
