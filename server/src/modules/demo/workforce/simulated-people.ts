import { type SeededRandom, seededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { companyDomain, type Department, departments, offices } from './company.ts'
import { firstNames, lastNames } from './person-names.ts'

/** Simulated person. */
export interface SimulatedPerson {
  /** Index among the people. */
  readonly number: number
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly department: Department
  /** The office; null if unknown. */
  readonly location: string | null
  readonly groups: readonly string[]
  /** True if the browsers report. */
  readonly licensed: boolean
  /** Seed of the person's behavior: the same seed gives the same days. */
  readonly seed: number
}

/**
 * Creates people with unique addresses. The same seed gives the same people; a higher count gives the same
 * first people.
 */
export function simulatedPeople(seed: number, count: number): SimulatedPerson[] {
  const random = seededRandom(seed)
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, number) => {
    const own = seededRandom(random.below(2 ** 32))
    const firstName = own.pick(firstNames)
    const lastName = own.pick(lastNames)
    const department = own.weighted(departments)
    return {
      number,
      email: uniqueAddress(firstName, lastName, taken),
      firstName,
      lastName,
      department: department.name,
      location: own.chance(0.97) ? own.weighted(offices).name : null,
      groups: groupsOf(own, department.groups),
      licensed: own.chance(0.94),
      seed: own.below(2 ** 32),
    }
  })
}

const groupsOf = (random: SeededRandom, own: readonly string[]): string[] => [
  ...random.sample(own, 1 + random.below(own.length)),
  ...(random.chance(0.12) ? ['Managers'] : []),
  ...(random.chance(0.06) ? ['Contractors'] : []),
]

const toAscii = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

function uniqueAddress(firstName: string, lastName: string, taken: Set<string>): string {
  const base = `${toAscii(firstName)}.${toAscii(lastName)}`
  let address = `${base}@${companyDomain}`
  for (let number = 2; taken.has(address); number += 1) address = `${base}${number}@${companyDomain}`
  taken.add(address)
  return address
}
