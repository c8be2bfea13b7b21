import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { sendError, toAppError } from "#core/http/errors.ts"

export const policyErrors = defineErrors("passp", {
  nameTaken: [400, "031", "A password policy with this name already exists. Choose another name"],
  inUse: [400, "032", "A role uses this policy. Assign another policy to the role first"],
  notFound: [404, "033", "This password policy does not exist"],
  builtIn: [403, "035", "Built-in policies cannot be changed. Create a policy of your own"],
  outOfRange: [400, "009", "The value must be -1 (never), or 1 or more"],
})

/** Older clients read the text of a refused value under `error`. */
export function sendPolicyError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  const isValue = refusal.http === 400
  sendError(isValue ? withExtra(refusal, { error: refusal.message }) : error, request, reply)
}
