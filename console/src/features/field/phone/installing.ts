import type { Language } from "#shared/languages.ts"

/** What the home screen gets when somebody installs the page: shortcuts in the language of the page. */
export function chooseManifest(language: Language): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]")
  const name = language === "en" ? "field" : `field-${language}`
  if (link) link.href = `/${name}.webmanifest`
}

const logoPixels = 160
const background = { light: "#f5f7f6", dark: "#111614" }

/**
 * iPhones take the picture that they show while an installed page starts from the page itself, in exactly the size of
 * their screen: it is drawn here instead of keeping a file for each model.
 */
export async function addStartPictures(): Promise<void> {
  const isApple = "standalone" in navigator
  if (!isApple || document.querySelector("link[rel=apple-touch-startup-image]")) return
  const logo = new Image()
  logo.src = "/icons/icon-512.png"
  await logo.decode()
  const [short, long] = [screen.width, screen.height].toSorted((one, other) => one - other) as [
    number,
    number,
  ]
  for (const scheme of ["light", "dark"] as const)
    for (const [orientation, width, height] of [
      ["portrait", short, long],
      ["landscape", long, short],
    ] as const) {
      const link = document.createElement("link")
      link.rel = "apple-touch-startup-image"
      link.media = [
        `(prefers-color-scheme: ${scheme})`,
        `(device-width: ${short}px)`,
        `(device-height: ${long}px)`,
        `(-webkit-device-pixel-ratio: ${devicePixelRatio})`,
        `(orientation: ${orientation})`,
      ].join(" and ")
      link.href = drawn(logo, width, height, background[scheme])
      document.head.append(link)
    }
}

function drawn(logo: HTMLImageElement, width: number, height: number, color: string): string {
  const canvas = document.createElement("canvas")
  const [pixels, size] = [devicePixelRatio, logoPixels * devicePixelRatio]
  canvas.width = width * pixels
  canvas.height = height * pixels
  const context = canvas.getContext("2d")
  if (!context) return ""
  context.fillStyle = color
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(logo, (canvas.width - size) / 2, (canvas.height - size) / 2, size, size)
  return canvas.toDataURL("image/png")
}
