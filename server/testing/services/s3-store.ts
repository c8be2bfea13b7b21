import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import type { TestContext } from "node:test"

/** A store that speaks as much S3 as we use: put, get, delete, delete many, list in pages of two. */
export async function anS3Store(t: TestContext): Promise<URL> {
  const stored = new Map<string, Buffer>()
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? "/", "http://store")
    const name = decodeURIComponent(url.pathname.replace(/^\/bucket\/?/, ""))
    const body = await buffer(request)
    if (request.method === "PUT") stored.set(name, body)
    if (request.method === "DELETE") stored.delete(name)
    if (request.method === "POST")
      for (const [, gone = ""] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) stored.delete(gone)
    if (request.method !== "GET") return reply.end(request.method === "POST" ? "<DeleteResult/>" : "")
    if (url.searchParams.has("list-type")) return reply.end(listing(stored, url))
    const found = stored.get(name)
    if (found) return reply.end(found)
    reply.statusCode = 404
    return reply.end("<Error><Code>NoSuchKey</Code></Error>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
  process.env.AWS_ACCESS_KEY_ID = "key"
  process.env.AWS_SECRET_ACCESS_KEY = "secret"
  return new URL(`s3://bucket/inside?endpoint=${endpoint}`)
}

function listing(stored: ReadonlyMap<string, Buffer>, url: URL): string {
  const names = [...stored.keys()]
    .filter((name) => name.startsWith(url.searchParams.get("prefix") ?? ""))
    .sort()
  const from = Number(url.searchParams.get("continuation-token") ?? 0)
  const contents = names.slice(from, from + 2).map((name) => `<Contents><Key>${name}</Key></Contents>`)
  const more =
    from + 2 < names.length
      ? `<NextContinuationToken>${from + 2}</NextContinuationToken><IsTruncated>true</IsTruncated>`
      : ""
  return `<?xml version="1.0"?><ListBucketResult>${contents.join("")}${more}</ListBucketResult>`
}
