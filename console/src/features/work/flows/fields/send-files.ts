import { upload } from "../../../../api/upload.ts"
import { addressOf, fileBlob, isPicture, isRecording, type Picture, type Recording } from "./kept-files.ts"

type Values = Record<string, unknown>

/**
 * Pictures and recordings become addresses of the server. `onSent` is called after each component, so that a cut
 * connection uploads none of them twice. The name begins with the task's id, or a placeholder for it.
 */
export async function sendFiles(
  nameStart: string,
  given: Readonly<Values>,
  onSent: (values: Values) => Promise<void> = async () => undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Values> {
  const values = { ...given }
  for (const [id, value] of Object.entries(values)) {
    if (isPicture(value) || isRecording(value))
      values[id] = await sendFile(`${nameStart}_0_${id}`, value, headers)
    else if (Array.isArray(value) && value.some((photo) => isPicture(addressOf(photo)))) {
      const addresses: unknown[] = []
      for (const [index, photo] of value.entries()) {
        const address = addressOf(photo)
        const name = `${nameStart}_${index}_${id}`
        addresses.push(isPicture(address) ? await sendFile(name, address, headers) : address)
      }
      delete values[id]
      for (const [index, address] of addresses.entries()) {
        values[`${id}_${index}_url`] = address
        const category: unknown = value[index]?.category
        if (category !== undefined) values[`${id}_${index}_category`] = category
      }
    } else continue
    await onSent({ ...values })
  }
  return values
}

async function sendFile(
  name: string,
  file: Picture | Recording,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const form = new FormData()
  form.set("photo", fileBlob(file), name)
  const path = `/api/v3/task/photo/${encodeURIComponent(name)}`
  return (await upload<{ url: string }>(path, form, undefined, headers)).url
}
