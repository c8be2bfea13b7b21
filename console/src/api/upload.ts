import { ApiError } from "./client.ts"
import { noteUpload } from "./recent-actions.ts"

/**
 * Sends a multipart form and reports how much of it has been sent (0 to 1), which `fetch` cannot. Resolves with the
 * response's JSON; throws ApiError like every other call.
 */
export function upload<Answer>(
  path: string,
  form: FormData,
  onSent?: (part: number) => void,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", path)
    request.responseType = "json"
    request.setRequestHeader("accept", "application/json")
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) {
        noteUpload(path, request.getResponseHeader("x-action-id"), request.response)
        resolve(request.response as Answer)
      } else reject(new ApiError(request.status, request.response))
    }
    request.onerror = () => reject(new ApiError(0, {}))
    request.send(form)
  })
}
