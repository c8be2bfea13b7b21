/**
 * What the field page keeps on the phone: the answers that it last read, what was entered and not yet
 * finished, and what waits to be sent. Everything belongs to one person; another who signs in starts empty.
 */
const databaseName = "fieldway-field"
const stores = ["reads", "drafts", "waiting", "points"] as const
type Store = (typeof stores)[number]

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => {
      for (const name of stores) request.result.createObjectStore(name)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function run<T>(
  store: Store,
  mode: IDBTransactionMode,
  act: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode)
    const request = act(transaction.objectStore(store))
    // Kept means kept: only the end of the transaction says that it is on the disk.
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })
}

export function keep(store: Store, key: string, value: unknown): Promise<IDBValidKey> {
  return run(store, "readwrite", (objects) => objects.put(value, key))
}

export function recall<T>(store: Store, key: string): Promise<T | undefined> {
  return run(store, "readonly", (objects) => objects.get(key) as IDBRequest<T | undefined>)
}

/** All of a store in the order of their keys. */
export function recallAll<T>(store: Store): Promise<T[]> {
  return run(store, "readonly", (objects) => objects.getAll() as IDBRequest<T[]>)
}

export function remove(store: Store, key: string): Promise<undefined> {
  return run(store, "readwrite", (objects) => objects.delete(key))
}

export async function clearFieldStore(): Promise<void> {
  for (const store of stores) await run(store, "readwrite", (objects) => objects.clear())
}
