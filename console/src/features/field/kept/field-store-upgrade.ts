/**
 * The first version kept the things of one person without a name. They belong to the person whose own user is among the
 * answers; nothing that waits is lost by the new version of the page.
 */
export function upgradeStore(transaction: IDBTransaction): void {
  const reads = transaction.objectStore("reads")
  const asked = reads.get("own-user") as IDBRequest<OwnUser | undefined>
  asked.onsuccess = () => {
    const user = asked.result
    if (!user) return
    const personKey = `${user.organizationId}.${user._id}`
    transaction
      .objectStore("people")
      .put({ key: personKey, userId: user._id, email: user.email, name: user.name }, `people/${personKey}`)
    rename(transaction.objectStore("waiting"), (key, value) => [
      `${personKey}/before-${key}`,
      {
        ...value,
        id: `before-${key}`,
        by: user.email,
        stamp: stampOf(String(value.doneAt)),
        fix: value.coordinate && {
          coordinate: value.coordinate,
          accuracyMeters: 0,
          stamp: stampOf(String(value.doneAt)),
        },
      },
    ])
    rename(transaction.objectStore("drafts"), (key, values) => [
      `${personKey}/${key}`,
      { taskId: key, values },
    ])
    rename(transaction.objectStore("points"), (key, value) => [
      `${personKey}/${key}`,
      { ...value, stamp: stampOf(String(value.createdTime)) },
    ])
    rename(reads, (key, value) => [`${personKey}/${key}`, value])
  }
}

interface OwnUser {
  _id: string
  organizationId: string
  email: string
  name: string
}

function stampOf(time: string) {
  return { device: Date.parse(time), offset: 0, heardAt: 0 }
}

function rename(
  objects: IDBObjectStore,
  renamed: (key: string, value: Readonly<Record<string, unknown>>) => [string, unknown],
): void {
  const walk = objects.openCursor()
  walk.onsuccess = () => {
    const cursor = walk.result
    if (!cursor) return
    const key = String(cursor.key)
    if (!key.includes("/")) {
      const [next, value] = renamed(key, cursor.value as Record<string, unknown>)
      cursor.delete()
      objects.put(value, next)
    }
    cursor.continue()
  }
}
