import type { Employee } from '@muster/contract/records/employee'
import { beforeEach } from 'vitest'
import { eventMaker, report } from './agent-events.ts'
import { addLicensed, enrollBrowser } from './agents.ts'
import { recordsOf } from './answers.ts'
import type { Caller, Harness, JsonValue } from './harness.ts'

/** Employee with a reporting browser. */
export interface ObservedPerson {
  readonly employee: Employee
  readonly browserId: string
  /**
   * Reports events. @throws Error unless all are accepted
   */
  send(...events: readonly object[]): Promise<void>
}

/** Organization of a test, with reporting browsers. */
export interface Observed {
  readonly caller: Caller
  readonly ada: ObservedPerson
  readonly make: ReturnType<typeof eventMaker>
  /** Switches to a new organization. */
  renew(): Promise<void>
  /** Adds an employee with a browser. */
  person(members?: Partial<Employee>): Promise<ObservedPerson>
  /** Enrolls another browser of an employee. */
  browserOf(employee: Employee): Promise<ObservedPerson>
  list(path: string): Promise<JsonValue[]>
  /**
   * Returns the only record of a list. @throws Error if there is not exactly one
   */
  one(path: string): Promise<JsonValue>
}

/** Gives each test of the calling file or `describe` a new organization with Ada and her browser. */
export function useObserved(h: Harness): Observed {
  const observed = { make: eventMaker(h.clock) } as { -readonly [K in keyof Observed]: Observed[K] }
  const enrolled = async (employee: Employee): Promise<ObservedPerson> => {
    const { browserId, credential } = await enrollBrowser(h, observed.caller, employee.id)
    const send = async (...events: readonly object[]) => {
      const { status, body } = await report(h, credential, events)
      if (status !== 200 || body.accepted !== events.length)
        throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`)
    }
    return { employee, browserId, send }
  }
  observed.renew = async () => {
    const caller = await h.addCaller()
    // Recreated for each test, so IDs match its time even if an earlier test advanced the clock by months.
    Object.assign(observed, { caller, make: eventMaker(h.clock) })
    observed.person = async (members) => enrolled(await addLicensed(h, caller, members))
    observed.browserOf = enrolled
    observed.list = async (path) => recordsOf(await h.call(caller, 'GET', `/v1/${path}`))
    observed.one = async (path) => {
      const records = await observed.list(path)
      if (records.length !== 1) throw new Error(`${path} has ${records.length} records`)
      return records[0]
    }
    observed.ada = await observed.person({ email: `ada-${caller.org}@example.com` })
  }
  beforeEach(() => observed.renew())
  return observed
}
