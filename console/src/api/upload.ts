import { ApiError } from "./client.ts"

/**
 * Sends a multipart form and tells how much of it has left (0 to 1), which `fetch` cannot. Resolves with the
 * answer's JSON; throws ApiError like every other call.
 */
export function upload<Answer>(
  path: string,
  form: FormData,
  onSent?: (part: number) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", path)
    request.responseType = "json"
    request.setRequestHeader("accept", "application/json")
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Answer)
      else reject(new ApiError(request.status, request.response))
    }
    request.onerror = () => reject(new ApiError(0, {}))
    request.send(form)
  })
}
