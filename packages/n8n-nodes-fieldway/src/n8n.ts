/** The part of n8n's node interface (API version 1) that these nodes use, so that building them needs no copy of n8n. */
export type JsonObject = Record<string, unknown>

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  url: string
  qs?: JsonObject
  body?: unknown
  json: true
}

interface Helpers {
  httpRequestWithAuthentication: (
    this: unknown,
    credentials: string,
    request: HttpRequest,
  ) => Promise<unknown>
}

export interface NodeContext {
  helpers: Helpers
  getCredentials(name: string): Promise<JsonObject>
  getNode(): { name: string }
}

export interface Item {
  json: JsonObject
  pairedItem?: { item: number }
}

export interface ExecuteContext extends NodeContext {
  getInputData(): Item[]
  getNodeParameter(name: string, item: number, fallback?: unknown): unknown
  continueOnFail(): boolean
}

export interface HookContext extends NodeContext {
  getNodeParameter(name: string, fallback?: unknown): unknown
  getNodeWebhookUrl(name: string): string | undefined
  getWorkflowStaticData(type: "node"): JsonObject
}

export interface WebhookContext extends HookContext {
  getRequestObject(): { rawBody?: Buffer; headers: Record<string, string | string[] | undefined> }
  getResponseObject(): { status(code: number): { json(body: unknown): unknown } }
}

export interface WebhookResult {
  noWebhookResponse?: boolean
  workflowData?: Item[][]
}

interface Property {
  displayName: string
  name: string
  type: string
  default: unknown
  description?: string
  required?: boolean
  noDataExpression?: boolean
  placeholder?: string
  typeOptions?: JsonObject
  options?: readonly { name: string; value: string; action?: string }[]
  displayOptions?: { show: Record<string, readonly unknown[]> }
}

export interface NodeDescription {
  displayName: string
  name: string
  group: readonly string[]
  version: number
  subtitle?: string
  description: string
  defaults: { name: string }
  inputs: readonly string[]
  outputs: readonly string[]
  credentials: readonly { name: string; required: boolean }[]
  webhooks?: readonly { name: string; httpMethod: string; responseMode: string; path: string }[]
  usableAsTool?: boolean
  properties: readonly Property[]
}

export interface CredentialProperties {
  name: string
  displayName: string
  documentationUrl: string
  properties: readonly Property[]
  authenticate: { type: "generic"; properties: { headers: Record<string, string> } }
  test: { request: { baseURL: string; url: string } }
}
