import type { Employee } from '@muster/contract/records/employee'
import { useQuery } from '@tanstack/react-query'
import { send } from './console-send.ts'

interface Waiting {
  readonly resolve: (employee: Employee | null) => void
  readonly reject: (error: unknown) => void
}

const batchSize = 100
const waiting = new Map<string, Waiting[]>()

/** Loads an employee, batched with others requested at the same time. Null if it does not exist. */
function readPerson(id: string): Promise<Employee | null> {
  return new Promise((resolve, reject) => {
    if (waiting.size === 0) queueMicrotask(() => setTimeout(loadWaiting))
    waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }])
  })
}

function loadWaiting(): void {
  const asked = [...waiting]
  waiting.clear()
  for (let start = 0; start < asked.length; start += batchSize)
    void ask(asked.slice(start, start + batchSize))
}

async function ask(asked: readonly (readonly [string, readonly Waiting[]])[]): Promise<void> {
  const query = new URLSearchParams(asked.map(([id]) => ['id', id]))
  try {
    const { records } = await send<{ records: Employee[] }>('GET', `/console/api/people?${query}`)
    const byId = new Map(records.map((record) => [record.id, record]))
    for (const [id, all] of asked) for (const { resolve } of all) resolve(byId.get(id) ?? null)
  } catch (error) {
    for (const [, all] of asked) for (const { reject } of all) reject(error)
  }
}

/** Returns an employee by ID; null if it does not exist. */
export function usePerson(id: string | null) {
  return useQuery({
    queryKey: ['person', id],
    queryFn: () => readPerson(id ?? ''),
    enabled: id !== null,
    staleTime: 5 * 60_000,
  })
}

/** Returns the name of an employee, or the e-mail address if there is no name. */
export function personName({
  firstName,
  lastName,
  email,
}: Pick<Employee, 'firstName' | 'lastName' | 'email'>): string {
  return [firstName, lastName].filter((part) => part !== null && part !== '').join(' ') || email
}
