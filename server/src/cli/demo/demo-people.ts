import type { Employee } from '@muster/contract/employee'
import { boughtDomain, byCreation, type DemoWorld, daySeconds, demoDomain } from './demo-world.ts'

const firstNames = [
  'Ada',
  'Adele',
  'Aisha',
  'Akira',
  'Alan',
  'Alba',
  'Amara',
  'Amir',
  'Anders',
  'Andrea',
  'Anita',
  'Anouk',
  'Arjun',
  'Astrid',
  'Ben',
  'Bianca',
  'Björn',
  'Camille',
  'Carlos',
  'Catarina',
  'Chen',
  'Chiara',
  'Claire',
  'Daniel',
  'David',
  'Deepa',
  'Diego',
  'Ebba',
  'Elena',
  'Elif',
  'Emeka',
  'Emma',
  'Enzo',
  'Erik',
  'Esther',
  'Farah',
  'Felix',
  'Finn',
  'Fiona',
  'Francesca',
  'Gabriel',
  'Grace',
  'Hana',
  'Hannah',
  'Hugo',
  'Ibrahim',
  'Ines',
  'Ingrid',
  'Isaac',
  'Ivan',
  'Jack',
  'Jamila',
  'Jonas',
  'Joanna',
  'Kaito',
  'Kofi',
  'Lara',
  'Layla',
  'Leon',
  'Lina',
  'Lucas',
  'Magnus',
  'Maria',
  'Mateo',
  'Maya',
  'Mei',
  'Mila',
  'Nadia',
  'Nikolai',
  'Nina',
  'Noah',
  'Olga',
  'Oliver',
  'Omar',
  'Oscar',
  'Paula',
  'Pedro',
  'Priya',
  'Rafael',
  'Rosa',
  'Ruth',
  'Sam',
  'Sara',
  'Simon',
  'Sofia',
  'Tariq',
  'Theo',
  'Uma',
  'Viktor',
  'Wei',
  'Yara',
  'Yusuf',
  'Zoe',
  'Zuzana',
]
const lastNames = [
  'Abara',
  'Almeida',
  'Andersson',
  'Aydin',
  'Baker',
  'Banerjee',
  'Becker',
  'Bianchi',
  'Bishop',
  'Byrne',
  'Carter',
  'Castillo',
  'Chanda',
  'Cohen',
  'Costa',
  'Dahl',
  'Dubois',
  'Edwards',
  'Eriksen',
  'Farouk',
  'Fischer',
  'Fontaine',
  'Fraser',
  'Gupta',
  'Haddad',
  'Hansen',
  'Hartmann',
  'Hassan',
  'Hughes',
  'Ito',
  'Ivanova',
  'Jansen',
  'Jensen',
  'Kaplan',
  'Kaya',
  'Keller',
  'Khan',
  'Kim',
  'Klein',
  'Kowalski',
  'Larsen',
  'Leclerc',
  'Lee',
  'Lindgren',
  'Lopez',
  'Mancini',
  'Marino',
  'Martins',
  'Mbeki',
  'Mehta',
  'Meyer',
  'Moreau',
  'Morgan',
  'Nakamura',
  'Navarro',
  'Nguyen',
  'Novak',
  'Nowak',
  "O'Brien",
  'Okafor',
  'Olsen',
  'Ortega',
  'Owusu',
  'Park',
  'Patel',
  'Petrov',
  'Quinn',
  'Reid',
  'Ribeiro',
  'Rossi',
  'Ruiz',
  'Sato',
  'Schmidt',
  'Schwarz',
  'Silva',
  'Singh',
  'Sommer',
  'Suzuki',
  'Svensson',
  'Tanaka',
  'Taylor',
  'Torres',
  'Vargas',
  'Virtanen',
  'Wagner',
  'Walsh',
  'Weber',
  'Williams',
  'Wong',
  'Wright',
  'Yilmaz',
  'Young',
  'Zhang',
  'Zimmermann',
]

/** The departments, how many of a hundred people are in each, and the groups of its people. */
const departments = [
  { name: 'Engineering', weight: 34, groups: ['Engineers', 'On call', 'Production access'] },
  { name: 'Sales', weight: 18, groups: ['Sales', 'Quota carriers'] },
  { name: 'Support', weight: 12, groups: ['Support', 'Night shift'] },
  { name: 'Marketing', weight: 10, groups: ['Marketing', 'Brand'] },
  { name: 'Operations', weight: 9, groups: ['Facilities', 'Purchasing'] },
  { name: 'Finance', weight: 7, groups: ['Finance', 'Payment approvers'] },
  { name: 'People', weight: 6, groups: ['Recruiters'] },
  { name: 'Legal', weight: 4, groups: ['Legal'] },
] as const
const locations = [
  'London',
  'London',
  'London',
  'Berlin',
  'Berlin',
  'Lisbon',
  'Toronto',
  'Toronto',
  'Austin',
  'Singapore',
  'Remote',
]

/** The workforce: `count` people, of whom every two hundred and fiftieth stands there twice, merged. */
export function demoPeople(world: DemoWorld, count: number): Employee[] {
  const taken = new Set<string>()
  const people = Array.from({ length: count }, () => person(world, taken))
  const merged = people.filter((_, at) => at % 250 === 125).map((primary) => secondSelf(world, primary))
  return byCreation([...people, ...merged])
}

function person(world: DemoWorld, taken: Set<string>): Employee {
  const { random } = world
  const firstName = random.pick(firstNames)
  const lastName = random.pick(lastNames)
  const department = random.weighted(departments)
  const createdSeconds =
    world.nowSeconds - Math.floor(random.fraction() * 900 + 5) * daySeconds - random.below(daySeconds)
  return {
    id: world.idAt(createdSeconds),
    email: freeAddress(firstName, lastName, taken),
    firstName,
    lastName,
    department: department.name,
    location: random.chance(0.97) ? random.pick(locations) : null,
    licensed: random.chance(0.94),
    chatopsEnabled: random.chance(0.6),
    groups: groupsOf(world, department.groups),
    secondaryEmails: [],
    mergedIntoId: null,
    creationTimestamp: createdSeconds,
  }
}

function groupsOf({ random }: DemoWorld, own: readonly string[]): string[] {
  return [
    ...random.sample(own, 1 + random.below(own.length)),
    ...(random.chance(0.12) ? ['Managers'] : []),
    ...(random.chance(0.06) ? ['Contractors'] : []),
  ]
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

function freeAddress(firstName: string, lastName: string, taken: Set<string>): string {
  const base = `${plain(firstName)}.${plain(lastName)}`
  let address = `${base}@${demoDomain}`
  for (let number = 2; taken.has(address); number += 1) address = `${base}${number}@${demoDomain}`
  taken.add(address)
  return address
}

/** The record that somebody had at the company that was bought, now merged into the one they have here. */
function secondSelf(world: DemoWorld, primary: Employee): Employee {
  const email = primary.email.replace(demoDomain, boughtDomain)
  primary.secondaryEmails.push(email)
  const creationTimestamp = primary.creationTimestamp + 3 * daySeconds
  return {
    ...primary,
    id: world.idAt(creationTimestamp),
    email,
    licensed: false,
    groups: [],
    secondaryEmails: [],
    mergedIntoId: primary.id,
    creationTimestamp,
  }
}
