import { defineErrors } from "#core/errors.ts"

export const roleErrors = defineErrors("role", {
  nameTaken: [400, "031", "A role with this name already exists. Choose another name"],
  notFound: [404, "033", "This role does not exist"],
  unknownPermission: [400, "017", "The list contains a permission that does not exist"],
  badFlow: [400, "039", "The settings of add/task refer to a flow that does not exist"],
  badDetail: [400, "009", "The settings of a permission must be 0 or more"],
  unknownPolicy: [400, "032", "This password policy does not exist"],
  notYours: [
    403,
    "035",
    "You cannot change your own role, or add or change permissions that you do not have",
  ],
  switchKept: [403, "035", "Only an owner can remove this switch from a role"],
  ownerFixed: [
    400,
    "042",
    "The permissions of the owner role cannot be changed, only its switches and its password policy",
  ],
  ownerName: [400, "043", "The owner and admin roles cannot be renamed"],
  defaultKept: [400, "044", "Default roles cannot be deleted"],
  inUse: [400, "046", "Users still have this role. Assign them another role first"],
})
