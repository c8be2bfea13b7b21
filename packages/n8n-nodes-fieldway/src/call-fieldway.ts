import type { HttpRequest, JsonObject, NodeContext } from "./n8n.ts"

type Call = Pick<HttpRequest, "method" | "qs" | "body">

/** A call of the API with the node's credentials. Throws what n8n's request helper throws. */
export async function callFieldway(context: NodeContext, path: string, call: Call): Promise<JsonObject> {
  const { address } = await context.getCredentials("fieldwayApi")
  const url = `${String(address).replace(/\/$/, "")}/api/v3${path}`
  const send = context.helpers.httpRequestWithAuthentication
  return (await send.call(context, "fieldwayApi", { ...call, url, json: true })) as JsonObject
}
