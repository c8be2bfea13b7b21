import { upgradeStore } from "./field-store-upgrade.ts"

/**
 * What the phone keeps: the answers that it last read, what was entered and not yet finished, what waits to be sent, the
 * photos of both, positions, and what a person should still read. All of it belongs to a person, whose name begins
 * every key: another person who signs in on the same phone sees nothing of it, and erases nothing.
 */
const databaseName = "fieldway-field"
const storeNames = ["reads", "drafts", "waiting", "points", "files", "notices", "people"] as const
type StoreName = (typeof storeNames)[number]

/** The phone refused to keep something: its disk is full, or the browser's share of it. */
export class NotKeptError extends Error {
  override name = "NotKeptError"
}

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 2)
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const name of storeNames)
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name)
      if (oldVersion === 1 && request.transaction) upgradeStore(request.transaction)
    }
    request.onsuccess = () => {
      // Another tab with a newer version of the page, or a browser that closes it: the next call opens it again.
      request.result.onversionchange = () => request.result.close()
      request.result.onclose = () => {
        opened = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

export type Write = { in: StoreName; key: string; value: unknown } | { in: StoreName; remove: string }
type FullWrite = Write | { in: StoreName; remove: IDBKeyRange }

interface KeyRange {
  after?: string
  before?: string
}

/** Whose things these are: everything that is read and written begins with this key. */
export interface PersonStore {
  personKey: string
  recall<T>(from: StoreName, key: string): Promise<T | undefined>
  /** All of a store in the order of their keys, or those between two keys. */
  recallAll<T>(from: StoreName, range?: KeyRange & { limit?: number }): Promise<T[]>
  count(from: StoreName, range?: KeyRange): Promise<number>
  /** All or nothing, and on the disk when it resolves. Throws `NotKeptError` when the phone has no room. */
  write(writes: readonly Write[]): Promise<void>
  /** Removes what was read. Later writes of it are ignored: the person has left, and responses may still arrive. */
  deleteReads(): Promise<void>
}

export function userIdOf({ personKey }: PersonStore): string {
  return personKey.split(".")[1] ?? ""
}

export function storeOf(personKey: string): PersonStore {
  const full = (key: string) => `${personKey}/${key}`
  const within = ({ after = "", before = "\uffff" }: KeyRange = {}) =>
    IDBKeyRange.bound(full(after), full(before))
  let hasDeletedReads = false
  return {
    personKey,
    recall: (from, key) => read(from, (objects) => objects.get(full(key))),
    recallAll: (from, range) => read(from, (objects) => objects.getAll(within(range), range?.limit)),
    count: (from, range) => read(from, (objects) => objects.count(within(range))),
    write: (writes) =>
      writeAll(
        writes
          .filter((write) => !hasDeletedReads || write.in !== "reads")
          .map((write) =>
            "remove" in write ? { ...write, remove: full(write.remove) } : { ...write, key: full(write.key) },
          ),
      ),
    deleteReads() {
      hasDeletedReads = true
      return writeAll([{ in: "reads", remove: within() }])
    },
  }
}

async function read<T>(from: StoreName, ask: (objects: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const request = ask(database.transaction(from, "readonly").objectStore(from))
    request.onsuccess = () => resolve(request.result as T)
    request.onerror = () => reject(request.error)
  })
}

async function writeAll(writes: readonly FullWrite[]): Promise<void> {
  if (writes.length === 0) return
  try {
    const database = await open()
    await new Promise<void>((resolve, reject) => {
      const names = [...new Set(writes.map((write) => write.in))]
      const transaction = database.transaction(names, "readwrite", { durability: "strict" })
      // Kept means kept: only the end of the transaction says that it is on the disk.
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      transaction.onerror = () => reject(transaction.error)
      for (const write of writes) {
        const objects = transaction.objectStore(write.in)
        if ("remove" in write) objects.delete(write.remove)
        else objects.put(write.value, write.key)
      }
    })
  } catch (error) {
    throw new NotKeptError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Somebody who has signed in on this phone. */
export interface Person {
  key: string
  userId: string
  email: string
  name: string
}

const allPeople = storeOf("people")

export async function recordPerson(person: Person): Promise<void> {
  await allPeople.write([{ in: "people", key: person.key, value: person }])
}

/** Everybody who has signed in on this phone, whether something of theirs is here or not. */
export function peopleOnThisPhone(): Promise<Person[]> {
  return allPeople.recallAll<Person>("people")
}

export async function deletePerson(key: string): Promise<void> {
  await allPeople.write([{ in: "people", remove: key }])
}
