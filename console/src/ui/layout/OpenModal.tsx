import { Modal, type ModalProps } from "@mantine/core"
import { useFocusBack } from "./use-focus-back.ts"

/** A dialog that exists only while it is open. */
export function OpenModal(props: Omit<ModalProps, "opened">) {
  useFocusBack()
  return <Modal opened {...props} />
}
