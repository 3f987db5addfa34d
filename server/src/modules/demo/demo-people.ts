import type { Employee } from '@muster/contract/employee'
import { idSource } from '../../kernel/lib/secrets/id.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { boughtDomain, companyDomain, daySeconds } from './workforce/company.ts'
import type { SimulatedPerson } from './workforce/simulated-people.ts'

/** Every so manyth stands there twice, because the company that was bought had a record of them as well. */
const twiceEvery = 250

/** A record that is to be merged into another. */
export interface SecondSelf {
  readonly primaryId: string
  readonly secondaryId: string
}

/** The people as a directory of the company would list them. */
export interface DemoPeople {
  /** Oldest first. */
  readonly employees: readonly Employee[]
  readonly secondSelves: readonly SecondSelf[]
}

/** Makes the records of simulated people: they were hired in the years before. The same seed makes the same. */
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
  const seconds = employees
    .filter((_, at) => at % twiceEvery === twiceEvery / 2)
    .map((primary) => ({ primary, secondary: secondSelf(primary, idAt) }))
  return {
    employees: [...employees, ...seconds.map(({ secondary }) => secondary)].sort(
      (one, other) => one.creationTimestamp - other.creationTimestamp || (one.id < other.id ? -1 : 1),
    ),
    secondSelves: seconds.map(({ primary, secondary }) => ({
      primaryId: primary.id,
      secondaryId: secondary.id,
    })),
  }
}

function secondSelf(primary: Employee, idAt: (seconds: number) => string): Employee {
  const creationTimestamp = primary.creationTimestamp + 3 * daySeconds
  return {
    ...primary,
    id: idAt(creationTimestamp),
    email: primary.email.replace(companyDomain, boughtDomain),
    licensed: false,
    groups: [],
    creationTimestamp,
  }
}
