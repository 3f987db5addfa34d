import type { Employee } from '@muster/contract/records/employee'
import { idSource } from '../../kernel/lib/secrets/id.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { acquiredDomain, companyDomain, daySeconds } from './workforce/company.ts'
import type { SimulatedPerson } from './workforce/simulated-people.ts'

/** One in this many employees has a second record, from the acquired company. */
const duplicateOneIn = 250

/** Record to be merged into another. */
export interface DuplicateRecord {
  readonly primaryId: string
  readonly secondaryId: string
}

/** Employees as listed by a company directory. */
export interface DemoPeople {
  /** Oldest first. */
  readonly employees: readonly Employee[]
  readonly duplicates: readonly DuplicateRecord[]
}

/**
 * Creates the records of simulated people, hired in the years before. The same seed gives the same records.
 */
export function demoPeople(
  people: readonly SimulatedPerson[],
  seed: number,
  startSeconds: number,
): DemoPeople {
  const random = seededRandom(seed + 2)
  const idAt = (seconds: number) => idSource(random.byte)(seconds * 1000)
  const employees = people.map((person): Employee => {
    const created = startSeconds - (5 + random.below(800)) * daySeconds - random.below(daySeconds)
    return {
      id: idAt(created),
      email: person.email,
      firstName: person.firstName,
      lastName: person.lastName,
      department: person.department,
      location: person.location,
      licensed: person.licensed,
      chatopsEnabled: random.chance(0.6),
      groups: [...person.groups],
      secondaryEmails: [],
      mergedIntoId: null,
      creationTimestamp: created,
    }
  })
  const pairs = employees
    .filter((_, index) => index % duplicateOneIn === duplicateOneIn / 2)
    .map((primary) => ({ primary, secondary: duplicateOf(primary, idAt) }))
  return {
    employees: [...employees, ...pairs.map(({ secondary }) => secondary)].sort(
      (one, other) => one.creationTimestamp - other.creationTimestamp || (one.id < other.id ? -1 : 1),
    ),
    duplicates: pairs.map(({ primary, secondary }) => ({
      primaryId: primary.id,
      secondaryId: secondary.id,
    })),
  }
}

function duplicateOf(primary: Employee, idAt: (seconds: number) => string): Employee {
  const creationTimestamp = primary.creationTimestamp + 3 * daySeconds
  return {
    ...primary,
    id: idAt(creationTimestamp),
    email: primary.email.replace(companyDomain, acquiredDomain),
    licensed: false,
    groups: [],
    creationTimestamp,
  }
}
